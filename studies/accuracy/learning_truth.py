"""What the learning table rests on: true steps, and what the product measures of the machine, each stored when taken.

Everything lies in one file of JSON lines, which `--measure` goes on with where it stopped: true step times by
`studies.accuracy.learning_child`; rates, refinements and runs by the product itself, alone and beside a load of known
size, which is processes that do nothing but count, one for every second core.  A machine that others share drifts by
more than what is asked here, so a network's rounds of truth lie before, between and after all that is measured of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from app.catalog import typed_json
from app.core.predict.disturbed import UNDISTURBED
from app.core.types.machine import DeviceProbe, DeviceRates, Glance, Machine
from app.core.types.run import Run
from app.core.types.workload import Plan, Workload
from app.probes.glance import glance
from app.services.advisor import Advisor
from app.services.child.variables import child_variables
from app.services.machine.calibrate import calibrate_device
from app.services.predictor import refine as refining
from studies.accuracy.kept import Kept
from studies.accuracy.product import graph_of, say
from tests.fakes.own_code import own_model

NETWORKS = {
    "dense_stack": 64,
    "heartbeats": 16,
    "plain_cnn": 16,
    "small_unet": 8,
    "patch_transformer": 16,
    "two_lstms": 16,
    "frozen_resnet": 8,
    "clip_conv3d": 8,
}
"""The batch that is run, by network; told are a quarter of it and four times as much."""
UNSEEN = {
    "squeezenet": (4, 16),
    "wide_resnet": (4, 16),
    "convmixer": (4, 16),
    "wavenet": (4, 16),
    "unet_transposed": (2, 8),
    "vae": (16, 64),
    "tabular_mlp": (64, 256),
    "mlp_mixer": (4, 16),
    "text_encoder": (4, 16),
    "causal_lm": (4, 16),
    "gru_forecaster": (8, 32),
    "arcface": (4, 16),
}
"""Networks of the memory tables' held half with batches that are told before any run: never looked at one by one."""
UNSEEN_ROUNDS = 3
FARTHER = (0.5, 2.0)
"""Of that batch: the second and the third run."""
ASKED = (0.25, 4.0)
ALONE, BESIDE, BEFORE_UNSEEN = "alone", "beside load", "before unseen"
MOST_OTHERS_PERCENT = 10.0
"""Of the processor, by other programs, beside what counts as measured alone."""
RUN_S = 6.0
RUNS, REFINED, RUN_BESIDE, REFINED_BESIDE = (1, 2, 3), 4, 5, 6
"""Pieces that are measured of a network, by number; round 0 of truth lies before them, each other one behind one."""
ROUNDS = 7
"""Of truth about a network's pieces, at most."""

_FILE, _UNSEEN_FILE = (Path(__file__).with_name(name) for name in ("networks_learning.py", "networks_held.py"))
_SPIN = "while True: pass"


@dataclass(frozen=True)
class Truth:
    """A true step: what each round found, seconds, with the reference kernel before and after it.

    Rounds in which the reference took longer than it usually does are left out.
    """

    step_s: tuple[float, ...]
    reference_s: tuple[float, ...]


class Taken:
    """What was measured.

    Args:
        folder: Holds ``learning_truth.jsonl``.
    """

    def __init__(self, folder: Path) -> None:
        self._kept = Kept("learning_truth", folder)
        self._path = folder / "learning_truth.jsonl"

    def forget(self) -> None:
        """Begin anew."""
        self._path.unlink(missing_ok=True)

    def once(self, key: tuple[str, ...], take: Callable[[], Any]) -> None:
        """Measure something unless that was done; what should have been alone and was not is measured again later."""
        if self._kept.get(key) is not None:
            return
        begun = time.perf_counter()
        found = _short(take())
        others = _others_percent(key[0], found)
        disturbed = BESIDE not in key and others is not None and others >= MOST_OTHERS_PERCENT
        if not disturbed:
            self._kept.put(key, found)
        word = ", not kept: others used" if disturbed else ", others"
        say(f"{' '.join(key)}: {time.perf_counter() - begun:.0f} s{word} {others or 0:.0f} %")

    def machine(self) -> Machine | None:
        """Where all of it was measured; None if nothing was."""
        known = self._kept.get(("machine",))
        return None if known is None else typed_json.convert(known, Machine)

    def truth(self, network: str, batch: int, about: Collection[int] = ()) -> Truth | None:
        """The true steps of a batch: of all rounds, or of those before and after some pieces, by their numbers."""
        numbers = {number for piece in about for number in (piece - 1, piece)} or range(ROUNDS)
        rounds = (self._kept.get(_truth_key(network, number)) for number in sorted(numbers))
        found = [known[f"{network} {batch}"] for known in rounds if known is not None]
        usual_s = min((one["reference_s"] for one in found), default=0.0)
        found = [one for one in found if one["reference_s"] <= UNDISTURBED * usual_s]
        return Truth(*(tuple(one[name] for one in found) for name in ("mean_s", "reference_s"))) if found else None

    def glance(self) -> Glance | None:
        """What was seen of the processor before it was measured."""
        known = self._kept.get(("glance",))
        return None if known is None else typed_json.convert(known, Glance)

    def rates(self, where: str) -> tuple[DeviceProbe, DeviceRates] | None:
        """What `calibrate` measured."""
        known = self._kept.get(("rates", where))
        return None if known is None else typed_json.convert(known, tuple[DeviceProbe, DeviceRates])

    def refined(self, network: str, where: str) -> dict[str, Any] | None:
        """What the ``refine`` job answered."""
        found: dict[str, Any] | None = self._kept.get(("refined", where, network))
        return found

    def run(self, network: str, batch: int, where: str) -> Run | None:
        """A run of the product, of the network where it lies here."""
        known = self._kept.get(("run", where, f"{network} {batch}"))
        return None if known is None else replace(typed_json.convert(known, Run), workload=workload_of(network, batch))


def workload_of(network: str, batch: int) -> Workload:
    """A network trained with Adam in float32 without XLA."""
    file = _UNSEEN_FILE if network in UNSEEN else _FILE
    return Workload(own_model(file, network, network), None, Plan(batch_size=batch, device="cpu", jit=False))


def batches(network: str, shares: tuple[float, ...]) -> list[int]:
    """Batches as shares of the one that is run."""
    return [round(NETWORKS[network] * share) for share in shares]


def measure(advisor: Advisor, taken: Taken, until_s: float) -> None:
    """Measure what is not there yet; nothing new begins after ``until_s`` of `time.monotonic`."""
    machine = advisor.machine.read()
    for key, take in _pieces(advisor, machine, taken):
        if time.monotonic() > until_s:
            say("the time is up; --measure goes on from here")
            return
        taken.once(key, take)


def _pieces(advisor: Advisor, machine: Machine, taken: Taken) -> Iterator[tuple[tuple[str, ...], Callable[[], Any]]]:
    """Everything that is measured, in turn."""
    yield ("machine",), lambda: typed_json.plain(machine)
    yield ("glance",), lambda: typed_json.plain(glance(machine.cpu.usable_cores or 1.0))
    yield ("rates", ALONE), partial(_rates, machine)
    for number, network in enumerate(NETWORKS):
        with TrueSteps(network, batches(network, (ASKED[0], 1.0, ASKED[1]))) as steps:
            yield _truth_key(network, 0), steps.round
            pieces = _of_network(advisor, machine, taken, network, refined_beside=number % 2 == 0)
            for done, piece in enumerate(pieces, start=1):
                yield piece
                yield _truth_key(network, done), steps.round
    yield ("rates", BESIDE), partial(_beside, partial(_rates, machine))
    yield ("rates", BEFORE_UNSEEN), partial(_rates, machine)
    for network, asked in UNSEEN.items():
        with TrueSteps(network, asked) as steps:
            for number in range(UNSEEN_ROUNDS):
                yield _truth_key(network, number), steps.round


def _of_network(
    advisor: Advisor, machine: Machine, taken: Taken, network: str, *, refined_beside: bool
) -> Iterator[tuple[tuple[str, ...], Callable[[], Any]]]:
    """What the product measures of one network: alone at its batch and two others, and beside the load."""
    for batch in batches(network, (1.0, *FARTHER)):
        yield ("run", ALONE, f"{network} {batch}"), partial(_run, advisor, machine, workload_of(network, batch))
    work = workload_of(network, NETWORKS[network])
    refine = partial(_refine, advisor, machine, taken, work)
    yield ("refined", ALONE, network), refine
    beside = ("run", BESIDE, f"{network} {NETWORKS[network]}")
    yield beside, partial(_beside, partial(_run, advisor, machine, work))
    if refined_beside:
        yield ("refined", BESIDE, network), partial(_beside, refine)


def _truth_key(network: str, number: int) -> tuple[str, ...]:
    """Of one round."""
    return ("truth", network, str(number))


class TrueSteps:
    """A child that takes the steps of a network at some batches whenever it is asked; it starts with the first round.

    Args:
        network: Its name.
        asked: The batches.
    """

    def __init__(self, network: str, asked: Iterable[int]) -> None:
        self._asked = [(network, batch) for batch in asked]
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> TrueSteps:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.communicate()

    def round(self) -> dict[str, Any]:
        """What a round finds, by network and batch.

        Raises:
            RuntimeError: The child ended.
        """
        child = self._child = self._child or self._started()
        _line_to(child, "round")
        answer = child.stdout.readline() if child.stdout else ""
        if not answer:
            raise RuntimeError(f"the child that takes true steps ended with {child.wait()}")
        return {
            f"{network} {batch}": one for (network, batch), one in zip(self._asked, json.loads(answer), strict=True)
        }

    def _started(self) -> subprocess.Popen[str]:
        """The child, told what it shall train."""
        child = subprocess.Popen(
            [sys.executable, "-m", "studies.accuracy.learning_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **child_variables("tensorflow", "cpu"), "TF_CPP_MIN_LOG_LEVEL": "2"},
        )
        _line_to(child, typed_json.encode_english([workload_of(*one) for one in self._asked]).decode())
        return child


def _line_to(child: subprocess.Popen[str], text: str) -> None:
    """One line to a child."""
    assert child.stdin is not None
    child.stdin.write(text + "\n")
    child.stdin.flush()


def _rates(machine: Machine) -> list[Any]:
    """The machine's probe and rates."""
    found = calibrate_device(machine, "cpu", interpreter=None, rates=True)
    return [typed_json.plain(found.probe), typed_json.plain(found.rates)]


def _refine(advisor: Advisor, machine: Machine, taken: Taken, workload: Workload) -> dict[str, Any]:
    """What a refinement finds."""
    known = taken.rates(ALONE)
    graph = graph_of(advisor, workload, workload.model.name)
    return refining.refine(
        advisor.predictor.query(workload, machine, graph),
        probe=max(2, workload.plan.batch_size // 4),
        interpreter=None,
        reserve_bytes=None,
        timed=known[1].operations if known else (),
    )


def _run(advisor: Advisor, machine: Machine, workload: Workload) -> Any:
    """A run as the product makes it, without what was sampled and where the network and the Python lie."""
    graph_of(advisor, workload, workload.model.name)
    run = advisor.benchmarks.bench(workload, machine, seconds=RUN_S)
    found = run.result.measurement
    if found is not None:
        profile = found.profile and replace(found.profile, timeline=(), layers=())
        found = replace(found, profile=profile, memory_over_time=())
    environment = {name: value for name, value in run.result.environment.items() if name != "interpreter"}
    result = replace(run.result, samples=(), phases=(), measurement=found, environment=environment)
    nowhere = replace(run.workload, model=replace(run.workload.model, path=None, consent=()))
    return typed_json.plain(replace(run, workload=nowhere, prediction=None, result=result))


def _beside(take: Callable[[], Any]) -> Any:
    """Measure with the load beside it."""
    with _load():
        return take()


def _others_percent(kind: str, found: Any) -> float | None:
    """What other programs used of the processor beside a piece."""
    if kind == "rates":
        return typed_json.convert(found[1]["others_percent"], float | None)
    if kind == "run":
        measured = found["result"]["measurement"]
        return None if measured is None else typed_json.convert(measured["others_percent"], float | None)
    timed = found["operations"] if kind == "refined" else ()
    return typed_json.convert(timed[0]["others_percent"], float | None) if timed else None


@contextlib.contextmanager
def _load() -> Iterator[None]:
    """Processes that keep every second core busy."""
    count = max(1, len(os.sched_getaffinity(0)) // 2)
    spinning = [subprocess.Popen([sys.executable, "-c", _SPIN]) for _ in range(count)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


def _short(value: Any) -> Any:
    """Numbers with five digits: no clock is better."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    return [_short(one) for one in value] if isinstance(value, list | tuple) else value
