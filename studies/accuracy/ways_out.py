"""Case S2: every way out of "out of memory", its predicted effect beside the measured one.

::

    python -m studies.accuracy.ways_out [--model two_lstm] [--batch-size 256] [--together] [--json]

The product says what to try for a machine on which the plan does not fit; each way is then trained for
three steps under TensorFlow's GPU-style allocator on this machine's processor, in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app.core.advising.recommend import proposals
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.simulate.device import allowed_memory, choose_device
from app.core.types.advice import Proposal
from app.core.types.errors import WillItTrainError
from app.core.types.machine import Machine, Ram
from app.core.types.units import GIB, format_bytes
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.store.graph_store import graph_from_json
from studies.accuracy.command import finish, parser
from studies.accuracy.truth import CHECKOUT, ENVIRONMENT
from tests.core.machines import HOST_RATES, desktop
from tests.fakes.own_code import own_model

MODELS_FILE = Path(__file__).with_name("ways_out_models.py")
SHORT_OF = 0.7
"""The machine has this share of what the plan needs."""


@dataclass(frozen=True)
class Way:
    """One way out: bytes before and after, predicted and measured."""

    id: str
    title: str
    predicted_before_bytes: int
    predicted_after_bytes: int
    measured_before_bytes: int
    measured_after_bytes: int

    @property
    def predicted_effect(self) -> float:
        """Share of the memory that is left, as predicted."""
        return self.predicted_after_bytes / self.predicted_before_bytes

    @property
    def measured_effect(self) -> float:
        """Share of the memory that is left, as measured."""
        return self.measured_after_bytes / self.measured_before_bytes

    @property
    def error(self) -> float:
        """Predicted over measured effect, minus one."""
        return self.predicted_effect / self.measured_effect - 1


class Child:
    """A process that traces and measures plans of one model."""

    def __init__(self, model: ModelRef) -> None:
        command = [sys.executable, "-m", "studies.accuracy.ways_out_child", json.dumps(asdict(model))]
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(CHECKOUT)},
            cwd=CHECKOUT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, do: str, plan: Plan) -> Any:
        """``trace`` or ``measure`` a plan."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, "plan": asdict(plan)}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the child ended with {self._process.wait()} at {do} {plan}")
        return json.loads(answer)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def find_ways(
    name: str, batch_size: int, *, together: bool, wanted: Callable[[Proposal], bool] = lambda _: True
) -> Iterable[Way]:
    """Predict and measure what the product proposes.

    Args:
        name: Function of `MODELS_FILE`.
        batch_size: Of the plan that does not fit.
        together: Measure all in one process, which is faster and a little less exact.
        wanted: Which proposals.
    """
    model = own_model(MODELS_FILE, name, name)
    plan = Plan(batch_size=batch_size, device="cpu")
    with Child(model) as child:
        before = Asked(model, child, plan)
        machine = _short_machine(before.predict(_threads(desktop())))
        now = Estimator(before.graph).predict(Workload(model, None, plan), machine, Knowledge(Rates(HOST_RATES)))
        tries = [p for p in proposals(Workload(model, None, plan), now, before.graph) if wanted(p)]
        measured_before = before.measure(alone=not together)
        for proposal in tries:
            try:
                after = Asked(model, child, replace(plan, **proposal.changes))
            except WillItTrainError:
                continue
            yield Way(
                proposal.id,
                proposal.title,
                before.predict(machine),
                after.predict(machine),
                measured_before,
                after.measure(alone=not together),
            )


class Asked:
    """A plan with its traced step."""

    def __init__(self, model: ModelRef, child: Child, plan: Plan) -> None:
        self.model, self.child, self.plan = model, child, plan
        self.graph = graph_from_json(child.ask("trace", plan))

    def predict(self, machine: Machine) -> int:
        """Predicted peak."""
        workload = Workload(self.model, None, self.plan)
        return (
            Estimator(self.graph).predict(workload, machine, Knowledge(Rates(HOST_RATES))).memory.allocator_peak_bytes
        )

    def measure(self, *, alone: bool) -> int:
        """Measured peak, in a fresh process or in the one that traced."""
        if not alone:
            return int(self.child.ask("measure", self.plan)["peak_bytes"])
        with Child(self.model) as fresh:
            return int(fresh.ask("measure", self.plan)["peak_bytes"])


def _short_machine(needed_bytes: int) -> Machine:
    """A computer with this one's threads, on which the plan does not fit."""
    roomy = replace(desktop(), ram=Ram(total_bytes=GIB, available_bytes=64 * GIB))
    kept_bytes = 64 * GIB - (allowed_memory(roomy, choose_device(roomy, "cpu")).bytes or 0)
    ram = Ram(total_bytes=GIB, available_bytes=int(SHORT_OF * needed_bytes) + kept_bytes)
    return _threads(replace(desktop(), ram=ram))


def _threads(machine: Machine) -> Machine:
    """The machine with as many threads as this one has."""
    return replace(machine, cpu=replace(machine.cpu, usable_cores=len(os.sched_getaffinity(0))))


def main() -> None:
    """Print the table."""
    options = parser(__doc__)
    options.add_argument("--model", default="two_lstm", help="a function of studies/accuracy/ways_out_models.py")
    options.add_argument("--batch-size", type=int, default=256)
    options.add_argument("--together", action="store_true", help="all in one process")
    chosen = options.parse_args()
    ways = list(find_ways(chosen.model, chosen.batch_size, together=chosen.together))
    rows = [f"{'way out':<58}{'predicted':>24}{'measured':>24}{'effect':>16}{'error':>8}"]
    rows += [
        f"{way.title[:57]:<58}"
        f"{format_bytes(way.predicted_before_bytes) + ' → ' + format_bytes(way.predicted_after_bytes):>24}"
        f"{format_bytes(way.measured_before_bytes) + ' → ' + format_bytes(way.measured_after_bytes):>24}"
        f"{way.predicted_effect:>8.2f}{way.measured_effect:>8.2f}{way.error:>+8.0%}"
        for way in ways
    ]
    errors = sorted(abs(way.error) for way in ways)
    answer = {
        "table": "ways_out",
        "n": len(ways),
        "median_error": errors[len(errors) // 2] if errors else None,
        "worst_error": errors[-1] if errors else None,
        "ways": [{**asdict(way), "error": way.error} for way in ways],
    }
    finish(answer, as_json=chosen.json, tables=["\n".join(rows)])


if __name__ == "__main__":
    main()
