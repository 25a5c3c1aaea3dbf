"""Step time on this machine's processor: predicted before any run, refined, and scaled from a run, against real runs.

    python -m studies.accuracy.time_here --measure        measure what is not measured yet, then compare
    python -m studies.accuracy.time_here                  compare what was measured with today's predictions
    python -m studies.accuracy.time_here --measure --fresh    forget what was measured and begin anew

The rates of this machine are measured once at the beginning, as the product does.  Then every network is refined (its
dearest operations timed alone) and run at a batch of 4 and of 16, each in a child of its own.  Between the steps of
every run a reference kernel is timed (`app.worker.rates.reference`): its time over that beside the rates is the
machine's own drift, which is taken out of the prediction and stated.  An interrupted measurement goes on where it
stopped.

``before``: from rates alone.  ``refined``: with the network's own dear operations.  ``scaled``: at batch 16 from the
run at batch 4.  Half of the networks (``held``) were not looked at while the model was made, and are not printed.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from app.core.predict.estimate import Estimator
from app.core.predict.time import timed_interval
from app.core.simulate.device import TargetDevice, choose_device
from app.core.types.errors import WillItTrainError
from app.core.types.machine import DeviceRates, TimedOperation
from app.core.types.messages import Done, Request
from app.core.types.text import phrase
from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from app.services.predictor import refine as refining
from app.services.predictor.query import Query
from app.services.store.refined_store import SMALLEST_PROBE
from studies.accuracy import memory_networks
from studies.accuracy.command import finish, parser, percent, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.kept import Kept
from studies.accuracy.product import graph_of, open_advisor, own_folder, say

SMALL = (96, 96, 3)
NETWORKS: tuple[tuple[str, tuple[int, ...] | None], ...] = (
    ("resnet50v2", SMALL),
    ("inceptionv3", SMALL),
    ("conv1d", None),
    ("mobilenet", SMALL),
    ("vit_small", SMALL),
    ("siamese", None),
    ("autoencoder", None),
    ("segmenter", None),
    ("mobilenetv3small", SMALL),
    ("efficientnetv2b0", SMALL),
    ("attention", None),
    ("text_encoder", None),
    ("vgg19", (64, 64, 3)),
    ("vae", None),
    ("wide_embedding", None),
    ("tabular_mlp", None),
    ("srresnet", None),
    ("conv3d", None),
    ("xception", SMALL),
    ("squeezenet", None),
    ("two_inputs", None),
    ("mlp_mixer", None),
)
"""Open and held ones in turn, so that a part of the table is of both."""
BATCHES = (4, 16)
RATES_TIMEOUT_S = 300.0
RATES = ("rates",)


@dataclass(frozen=True)
class Answer:
    """One network at one batch size; ``drift`` is how much slower the machine was than when its rates were measured."""

    network: str
    group: str
    batch: int
    drift: float
    noise: float
    before: Pair
    refined: Pair | None
    scaled: Pair | None
    bound_by: str


def main() -> None:
    """Measure what is asked for, predict, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", action="store_true", help="measure what is not measured yet")
    options.add_argument("--fresh", action="store_true", help="with --measure: forget what was measured")
    options.add_argument("--seconds", type=float, default=4.0, help="how long each run measures")
    options.add_argument("--networks", type=int, default=len(NETWORKS), metavar="N", help="only the first N")
    options.add_argument("--only", default="", metavar="TEXT", help="only networks whose name holds TEXT")
    given = options.parse_args()
    kept = Kept("time_here")
    if given.fresh:
        (own_folder() / "rows" / "time_here.jsonl").unlink(missing_ok=True)
    advisor = open_advisor()
    chosen = [n for n in NETWORKS if given.only in n[0]][: given.networks]
    if given.measure:
        _measure(advisor, kept, chosen, given.seconds)
    found = _compare(advisor, kept, chosen)
    if not found:
        sys.exit("error: nothing was measured; expected --measure and TensorFlow in this interpreter")
    finish(answer_of(found), as_json=given.json, tables=(rows_table(found),))


def workload_of(network: str, shape: tuple[int, ...] | None, batch: int) -> Workload:
    """A network of the table, trained with Adam in float32 without XLA."""
    plan = Plan(batch_size=batch, device="cpu", jit=False)
    return Workload(memory_networks.network(network).model, None, plan, shape)


def _measure(advisor: Advisor, kept: Kept, chosen: list[tuple[str, tuple[int, ...] | None]], seconds: float) -> None:
    """The rates, then every network that has not been measured with them."""
    if kept.get(RATES) is None:
        started = time.perf_counter()
        rates = measure_rates()
        say(f"rates measured in {time.perf_counter() - started:.0f} s, spread {percent(rates.spread)}")
        kept.put(RATES, msgspec.to_builtins(rates))
    known = kept.get(RATES)
    rates = msgspec.convert(known, DeviceRates)
    for network, shape in chosen:
        try:
            if kept.get((network, "refined")) is None:
                kept.put((network, "refined"), _refine(advisor, workload_of(network, shape, max(BATCHES)), rates))
            for batch in BATCHES:
                if kept.get((network, batch)) is None:
                    _run(advisor, kept, network, workload_of(network, shape, batch), seconds)
        except WillItTrainError as error:
            say(f"{network}: {error}")


def _refine(advisor: Advisor, workload: Workload, rates: DeviceRates) -> list[dict[str, Any]]:
    """The operations that a refinement times alone."""
    graph = graph_of(advisor, workload, workload.model.name)
    answer = refining.refine(
        Query(workload, advisor.machine.read(), graph, _device(advisor), None),
        probe=SMALLEST_PROBE,
        interpreter=None,
        reserve_bytes=None,
        timed=rates.operations,
    )
    say(f"{workload.model.name}: {len(answer['operations'])} operations timed, {answer['seconds']:.0f} s")
    operations: list[dict[str, Any]] = answer["operations"]
    return operations


def _run(advisor: Advisor, kept: Kept, network: str, workload: Workload, seconds: float) -> None:
    """One real run with the reference kernel before and after it."""
    run = advisor.benchmarks.bench(workload, advisor.machine.read(), seconds=seconds)
    measurement = run.result.measurement
    if measurement is None:
        problem = run.result.problem
        say(f"{network} b{workload.plan.batch_size}: {run.result.outcome} {problem.message if problem else ''}")
        return
    step = measurement.step
    kept.put(
        (network, workload.plan.batch_size),
        {"step_s": step.median_s, "low_s": step.low_s, "high_s": step.high_s, "reference_s": measurement.reference_s},
    )
    say(f"{network} b{workload.plan.batch_size}: {step.median_s * 1e3:.1f} ms")


def _compare(advisor: Advisor, kept: Kept, chosen: list[tuple[str, tuple[int, ...] | None]]) -> list[Answer]:
    """Today's predictions beside what was measured."""
    known = kept.get(RATES)
    if known is None:
        return []
    rates = msgspec.convert(known, DeviceRates)
    found = []
    for network, shape in chosen:
        truths = {batch: truth for batch in BATCHES if (truth := kept.get((network, batch))) is not None}
        if len(truths) < len(BATCHES):
            continue
        estimator = Estimator(graph_of(advisor, workload_of(network, shape, 4), network))
        hot = msgspec.convert(kept.get((network, "refined")) or [], tuple[TimedOperation, ...])
        sharper = replace(rates, operations=(*rates.operations, *hot)) if hot else None
        first = truths[BATCHES[0]]
        for batch, truth in truths.items():
            told = _step_s(advisor, estimator, network, shape, batch, rates)
            refined = _step_s(advisor, estimator, network, shape, batch, sharper) if sharper else None
            best = sharper or rates
            ratio = _step_s(advisor, estimator, network, shape, batch, best) / _step_s(
                advisor, estimator, network, shape, BATCHES[0], best
            )
            drift = truth["reference_s"] / (rates.reference_s or truth["reference_s"])
            between = truth["reference_s"] / first["reference_s"]
            found.append(
                Answer(
                    network,
                    memory_networks.network(network).group,
                    batch,
                    drift - 1,
                    (truth["high_s"] - truth["low_s"]) / truth["step_s"] / 2,
                    _pair(told * drift, truth["step_s"], rates),
                    _pair(refined * drift, truth["step_s"], rates) if refined else None,
                    Pair(first["step_s"] * ratio * between, truth["step_s"]) if batch != BATCHES[0] else None,
                    _bound(advisor, estimator, network, shape, batch, rates),
                )
            )
    return found


def _pair(predicted: float, truth: float, rates: DeviceRates) -> Pair:
    """A first answer with its interval."""
    low, high = timed_interval(rates)
    return Pair(predicted, truth, predicted * low, predicted * high)


def _device(advisor: Advisor) -> TargetDevice:
    """This machine's processor."""
    return choose_device(advisor.machine.read(), "cpu", frozenset())


def _step_s(
    advisor: Advisor, estimator: Estimator, network: str, shape: tuple[int, ...] | None, batch: int, rates: DeviceRates
) -> float:
    """The predicted step."""
    time_ = estimator.steps.step_time(workload_of(network, shape, batch).plan, _device(advisor), rates)
    return time_.step_s if time_ else 0.0


def _bound(
    advisor: Advisor, estimator: Estimator, network: str, shape: tuple[int, ...] | None, batch: int, rates: DeviceRates
) -> str:
    """The largest part of the predicted step."""
    time_ = estimator.steps.step_time(workload_of(network, shape, batch).plan, _device(advisor), rates)
    return time_.bound_by if time_ else ""


def measure_rates() -> DeviceRates:
    """This machine's rates now, not those of the cache."""
    ended = run_worker(
        Request("rates", {"device": "cpu"}),
        ChildOptions(interpreter=None, environment={"CUDA_VISIBLE_DEVICES": "-1"}, timeout_s=RATES_TIMEOUT_S),
        on_message=None,
        cancel=None,
    )
    if not isinstance(ended, Done):
        raise WillItTrainError(phrase("cannot measure rates: {message}", message=ended.message))
    return msgspec.convert(ended.result, DeviceRates)


def answer_of(found: list[Answer]) -> dict[str, Any]:
    """The figures of each way of predicting, all networks and each half."""
    refined = [a.refined for a in found if a.refined]
    scaled = [a.scaled for a in found if a.scaled]
    held = [a for a in found if a.group == "held"]
    return {
        "table": "time_here",
        **summary([a.before for a in found]),
        "networks": len({a.network for a in found}),
        "interval_width": max((a.before.high or 0) / (a.before.low or 1) for a in found),
        "held_median_error": summary([a.before for a in held])["median_error"],
        "held_coverage": summary([a.before for a in held])["coverage"],
        **{f"refined_{name}": value for name, value in _short(refined).items()},
        **{f"scaled_{name}": value for name, value in _short(scaled).items()},
        "held_refined_median_error": summary([a.refined for a in held if a.refined])["median_error"],
        "held_scaled_median_error": summary([a.scaled for a in held if a.scaled])["median_error"],
        "machine_drift": statistics.median(a.drift for a in found),
        "machine_drift_range": [min(a.drift for a in found), max(a.drift for a in found)],
        "machine_noise": statistics.median(a.noise for a in found),
        "rows": [
            {
                "network": a.network,
                "batch": a.batch,
                "truth_s": a.before.truth,
                "predicted_s": a.before.predicted,
                "error": a.before.error,
                "inside": a.before.inside,
                "refined_error": a.refined and a.refined.error,
                "scaled_error": a.scaled and a.scaled.error,
                "drift": a.drift,
            }
            for a in found
            if a.group != "held"
        ],
    }


def _short(pairs: list[Pair]) -> dict[str, Any]:
    """The main figures of one way."""
    figures = summary(pairs)
    return {name: figures[name] for name in ("n", "median_error", "p95_error", "median_signed_error", "coverage")}


def rows_table(found: list[Answer]) -> str:
    """Every open network and batch."""
    return table(
        "step time here, ms (drift taken out of the predictions)",
        ("network", "batch", "truth", "before", "error", "inside", "refined", "scaled", "bound by", "noise", "drift"),
        [
            (
                a.network,
                a.batch,
                round(1e3 * a.before.truth, 1),
                round(1e3 * a.before.predicted, 1),
                signed(a.before.error),
                a.before.inside,
                signed(a.refined.error if a.refined else None),
                signed(a.scaled.error if a.scaled else None),
                a.bound_by,
                percent(a.noise),
                signed(a.drift),
            )
            for a in found
            if a.group != "held"
        ],
    )


if __name__ == "__main__":
    main()
