"""Rules that find changes for free, each tried out on the predictor before it is recommended.

A rule proposes a changed plan (or a changed machine); the predictor answers for it; the change is kept
if it turns "does not fit" into something better, or saves enough time or memory to be worth a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.core.advice import Effect, Proposal, Recommendation
from app.core.errors import InvalidWorkload
from app.core.pipeline import decoded_bytes
from app.core.prediction import Prediction
from app.core.stepgraph import StepGraph
from app.core.units import GIB, format_bytes, format_seconds
from app.core.ways_out import half_precision, ways_out
from app.core.workload import Plan, Workload

WORTH_TIME = 0.95
"""Recommend if an epoch takes at most 95 % of the time …"""
WORTH_MEMORY = 0.9
"""… or if memory is short and the change needs at most 90 % of it."""

LARGE_DATASET_SAMPLES = 100_000_000
"""Case S1: beyond 100 million records think of the cloud."""

Predict = Callable[[Plan], Prediction]


def recommend(
    workload: Workload, now: Prediction, predict: Predict, graph: StepGraph
) -> tuple[Recommendation, ...]:
    """The ladder of free changes, best first; empty if there is nothing to gain.

    Args:
        workload: What the user wants to train.
        now: The prediction for it.
        predict: Answers a changed plan on the same machine; raises `InvalidWorkload` for one that it cannot answer.
        graph: The traced step, which knows the layers.
    """
    found = []
    for proposal in proposals(workload, now, graph):
        try:
            after = predict(replace(workload.plan, **proposal.changes))
        except InvalidWorkload:
            continue
        if _worth(now, after):
            found.append(_recommendation(proposal, now, after))
    found.sort(key=lambda r: _rank(r, now))
    return (*found, *_without_plan(workload, now))


def proposals(workload: Workload, now: Prediction, graph: StepGraph) -> Iterable[Proposal]:
    """Everything that could be tried, in order of cost to the user."""
    yield from _batch_proposals(workload.plan, now)
    yield from _precision_proposals(workload.plan, now)
    yield from _compile_proposals(now)
    if now.fit.verdict in ("tight", "does_not_fit"):
        yield from ways_out(workload.plan, now, graph)
    yield from _input_proposals(workload, now)


def _batch_proposals(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """A larger batch, where there is room."""
    best = now.fit.best_batch_size
    if best and best > plan.batch_size:
        yield Proposal("batch_best", f"Batch size {best}", "larger steps keep the device busier",
                       {"batch_size": best}, True)  # fmt: skip


def _precision_proposals(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """Mixed precision where the card has units for it."""
    gpu = next((g for g in now.machine.gpus if g.name == now.fit.device_name), None)
    precision = half_precision(gpu)
    if plan.precision != "float32" or precision is None or now.fit.verdict in ("tight", "does_not_fit"):
        return
    yield Proposal("mixed_precision", f"Mixed precision ({precision})",
                   "products run on tensor cores and activations take half the memory",
                   {"precision": precision}, True)  # fmt: skip


def _compile_proposals(now: Prediction) -> Iterable[Proposal]:
    """XLA the other way round; what another backend would do then is not followed."""
    if now.plan.backend != "tensorflow":
        return
    if now.xla:
        yield Proposal("xla_off", "Switch XLA off", "op-by-op execution needs less memory for some networks",
                       {"jit": False}, False)  # fmt: skip
    else:
        yield Proposal("xla_on", "Compile with XLA", "fused kernels read and write memory less often",
                       {"jit": True}, False)  # fmt: skip


def _input_proposals(workload: Workload, now: Prediction) -> Iterable[Proposal]:
    """Caches, if the step waits for its data."""
    if now.time.bound_by not in ("input", "disk") or workload.plan.cache != "none":
        return
    size = format_bytes(decoded_bytes(workload.dataset)) if workload.dataset else "the data"
    yield Proposal("cache_ram", "Cache the decoded data in RAM",
                   f"later epochs read {size} from RAM instead of decoding", {"cache": "ram"}, False)  # fmt: skip
    yield Proposal("cache_disk", "Cache the decoded data on disk", "later epochs skip decoding",
                   {"cache": "disk"}, False)  # fmt: skip


def _without_plan(workload: Workload, now: Prediction) -> tuple[Recommendation, ...]:
    """Advice that is no field of the plan."""
    found = []
    before = _effect(now)
    gpu = next((g for g in now.machine.gpus if g.name == now.fit.device_name), None)
    held = sum(p.used_bytes or 0 for p in gpu.processes) if gpu else 0
    if gpu and held > GIB // 4 and now.fit.verdict != "fits":
        names = ", ".join(sorted({p.name or str(p.pid) for p in gpu.processes}))
        found.append(Recommendation(
            "close_programs", "Close what holds memory of the card", f"{names} hold {format_bytes(held)}", {}, before,
            Effect(before.memory_bytes, before.epoch_s), False, basis="read from the driver",
        ))  # fmt: skip
    if workload.dataset and (workload.dataset.samples or 0) > LARGE_DATASET_SAMPLES:
        found.append(Recommendation(
            "cloud", "Rent instead of waiting",
            "more than 100 million samples: one pass on this machine takes "
            f"{format_seconds(now.time.epoch_s)}; compare the offers under Upgrades", {}, before, before, False,
            free=False, basis="rule of case S1",
        ))  # fmt: skip
    battery = now.machine.battery
    if battery is not None and battery.plugged_in is False:
        found.append(Recommendation(
            "plug_in", "Plug in the laptop", "on battery the processor and the card run at reduced clocks", {}, before,
            Effect(before.memory_bytes, None), False, basis="power source read now",
        ))  # fmt: skip
    return tuple(found)


def _worth(now: Prediction, after: Prediction) -> bool:
    """Does the change help with what hurts."""
    order = {"fits": 0, "tight": 1, "unknown": 2, "does_not_fit": 3}
    if order[after.fit.verdict] < order[now.fit.verdict]:
        return True
    if order[after.fit.verdict] > order[now.fit.verdict]:
        return False
    if now.fit.verdict in ("tight", "does_not_fit"):
        return after.memory.allocator_peak_bytes <= WORTH_MEMORY * now.memory.allocator_peak_bytes
    before_s, after_s = _pace(now), _pace(after)
    return before_s is not None and after_s is not None and after_s <= WORTH_TIME * before_s


def _pace(prediction: Prediction) -> float | None:
    """Seconds per sample, comparable between batch sizes."""
    rate = prediction.time.samples_per_s
    return 1 / rate if rate else None


def _rank(recommendation: Recommendation, now: Prediction) -> tuple[float, ...]:
    """First what keeps the training result, then what gains most."""
    after, before = recommendation.after, recommendation.before
    if now.fit.verdict in ("tight", "does_not_fit"):
        what_if = not recommendation.keeps_model
        return (float(recommendation.changes_result), float(what_if), float(after.memory_bytes or 0))
    gain = (after.epoch_s or 0) / before.epoch_s if before.epoch_s else 1.0
    return (gain, float(recommendation.changes_result))


def _recommendation(proposal: Proposal, now: Prediction, after: Prediction) -> Recommendation:
    """A proposal with its numbers."""
    return Recommendation(
        proposal.id, proposal.title, proposal.why, proposal.changes, _effect(now), _effect(after),
        proposal.changes_result, basis=f"{after.memory.basis} memory, {after.time.basis} time",
        keeps_model=proposal.keeps_model,
    )  # fmt: skip


def _effect(prediction: Prediction) -> Effect:
    """Memory and time of one epoch of a prediction."""
    time = prediction.time
    steps = time.epoch_s / time.step_s if time.epoch_s and time.step_s else None
    low = None if steps is None or time.low_s is None else time.low_s * steps
    high = None if steps is None or time.high_s is None else time.high_s * steps
    return Effect(prediction.memory.allocator_peak_bytes, time.epoch_s, low, high)
