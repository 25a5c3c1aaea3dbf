"""The ``refine`` job: a sharper answer about memory and time for some seconds of work.

With XLA the step is compiled and not run (`app.worker.refining.compiled`); without, a few steps are run at
two small batch sizes (`app.worker.refining.probe`).  Either way that gives a list of requests to the
allocator, which is replayed here (`app.core.simulate.recorded_trace`): the parent gets peaks and answers at once.
On the host, where the step is not compiled, its dearest operations are timed alone (`app.worker.refining.times`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from app.core.simulate.recorded_trace import SAMPLES_ELSEWHERE, RecordedTrace, StepPeaks, anchors
from app.core.simulate.survival import survivable_share
from app.core.types.machine import TimedOperation
from app.core.types.plan import Plan
from app.core.types.plans import plan_from_json
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.worker.backends.base import Device
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Refine the workload that ``arguments`` describe.

    Args:
        arguments: Those of the ``bench`` job, ``xla`` (the step is compiled), ``hollow`` (the weights are too
            large to be filled with values), ``probe`` (two batch sizes, the larger first), ``any_size`` (the step
            is traced once for both) and ``timed`` (operations timed on this machine; with none the time of the step is
            left alone).
        channel: To the parent.

    Returns:
        A `app.core.predict.refined.Refined` as JSON values, and ``operations`` that were timed alone.
    """
    started = time.perf_counter()
    channel.phase("import")
    channel.progress(0.02, phrase("loading TensorFlow"))
    import tensorflow as tf

    from app.worker.backends.tensorflow import choose_device

    plan = dataclasses.replace(plan_from_json(arguments), jit=bool(arguments["xla"]))
    device = choose_device(plan.device)
    channel.check()
    recorded = _record(arguments, plan, device, channel)
    peaks = _replayed(recorded, plan, channel, regions_grow=not device.on_gpu)
    here = next(found for found in peaks if found.batch_size == plan.batch_size)
    cap_share = survivable_share(
        recorded.trace,
        plan.batch_size,
        int(median(here.later_bytes)),
        accumulate=recorded.accumulate,
        regions_grow=not device.on_gpu,
    )
    operations = _operations(arguments, plan, recorded.built, channel)
    channel.progress(1.0, "refined")
    return {
        "operations": operations,
        "compiled": bool(arguments["xla"]),
        "batch_sizes": list(recorded.batches),
        "peaks": [dataclasses.asdict(found) for found in peaks],
        "cap_share": cap_share,
        "unmatched_share": recorded.trace.unmatched_share,
        "framework": f"tensorflow {tf.__version__}",
        "seconds": time.perf_counter() - started,
    }


@dataclasses.dataclass(frozen=True)
class _Recorded:
    """What a step asks of the allocator, and for which batches that is replayed."""

    trace: RecordedTrace
    batches: tuple[int, ...]
    """Compiled or run."""
    asked: tuple[int, ...]
    accumulate: int
    built: Any = None
    """The model, if its step was run."""


def _record(arguments: dict[str, Any], plan: Plan, device: Device, channel: Channel) -> _Recorded:
    """Compile the step, or run it at two small batches."""
    from app.worker.models.weightless import valueless_quantisation
    from app.worker.refining import compiled, probe

    hollow = bool(arguments.get("hollow"))

    def build() -> Any:
        with valueless_quantisation() if hollow else contextlib.nullcontext():
            return _build(arguments, plan)

    if arguments["xla"]:
        trace = compiled.record(build, plan, channel, device, hollow=hollow)
        return _Recorded(trace, (plan.batch_size,), (plan.batch_size,), accumulate=1)
    large, small = arguments["probe"]
    trace, built = probe.record(build, plan, channel, device, (large, small), any_size=bool(arguments["any_size"]))
    return _Recorded(trace, (large, small), anchors(plan.batch_size), plan.accumulate, built)


def _replayed(recorded: _Recorded, plan: Plan, channel: Channel, *, regions_grow: bool) -> list[StepPeaks]:
    """The peaks of each batch that is asked for."""
    peaks = []
    for number, batch in enumerate(recorded.asked):
        share = 0.85 + 0.05 * number / len(recorded.asked)
        channel.progress(share, phrase("replaying the requests at batch {batch}", batch=batch))
        samples = None if batch == plan.batch_size else SAMPLES_ELSEWHERE
        peaks.append(recorded.trace.peaks(batch, recorded.accumulate, samples, regions_grow=regions_grow))
        channel.check()
    return peaks


def _operations(arguments: dict[str, Any], plan: Plan, built: Any, channel: Channel) -> list[dict[str, Any]]:
    """The dearest operations of a step that was run, timed alone, if the parent says what it knows of this machine."""
    from app.worker.refining.times import measure

    known = [TimedOperation(**one) for one in arguments.get("timed", ())]
    return measure(built, plan, known, channel) if built is not None and known else []


def _build(arguments: dict[str, Any], plan: Plan) -> Any:
    """The model as a training run builds it (`app.worker.models.built.BuiltModel`)."""
    import keras

    from app.worker.models.build import build_for

    keras.utils.set_random_seed(0)
    return build_for(arguments, plan)
