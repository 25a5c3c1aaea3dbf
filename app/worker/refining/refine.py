"""The ``refine`` job: a sharper answer about memory and time for some seconds of work.

With XLA the step is compiled and not run (`app.worker.refining.compiled`); without, a few steps are run at
two small batch sizes (`app.worker.refining.probe`).  Either way that gives a list of requests to the
allocator, which is replayed here (`app.core.simulate.recorded_trace`): the parent gets peaks and answers at once.
On the host, where the step is not compiled, its dearest operations are timed alone (`app.worker.refining.times`).
"""

from __future__ import annotations

import dataclasses
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from app.core.simulate.recorded_trace import SAMPLES_ELSEWHERE, anchors
from app.core.simulate.survival import survivable_share
from app.core.types.machine import TimedOperation
from app.core.types.plan import Plan, plan_from_json
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Refine the workload that ``arguments`` describe.

    Args:
        arguments: Those of the ``bench`` job, ``xla`` (the step is compiled), ``hollow`` (the weights are too
            large to be filled with values), ``probe`` (two batch sizes, the larger first) and ``timed`` (operations
            timed on this machine; with none the time of the step is left alone).
        channel: To the parent.

    Returns:
        A `app.core.predict.refined.Refined` as JSON values, and ``operations`` that were timed alone.
    """
    started = time.perf_counter()
    channel.phase("import")
    channel.progress(0.02, phrase("loading TensorFlow"))
    import tensorflow as tf

    from app.worker.backends.tensorflow import choose_device
    from app.worker.models.weightless import valueless_quantisation
    from app.worker.refining import compiled, probe

    plan = _plan(arguments)
    device = choose_device(plan.device)
    channel.check()

    def build() -> Any:
        if not arguments.get("hollow"):
            return _build(arguments, plan)
        with valueless_quantisation():
            return _build(arguments, plan)

    batches: tuple[int, ...]
    asked: tuple[int, ...]
    built = None
    if arguments["xla"]:
        batches, asked = (plan.batch_size,), (plan.batch_size,)
        recording = compiled.record(build, plan, channel, device, hollow=bool(arguments.get("hollow")))
    else:
        batches = tuple(arguments["probe"])
        asked = anchors(plan.batch_size)
        recording, built = probe.record(build, plan, channel, device, (batches[0], batches[1]))
    accumulate = 1 if arguments["xla"] else plan.accumulate
    peaks = []
    for number, batch in enumerate(asked):
        channel.progress(
            0.9 + 0.1 * number / len(asked), phrase("replaying the requests at batch {batch}", batch=batch)
        )
        samples = None if batch == plan.batch_size else SAMPLES_ELSEWHERE
        peaks.append(recording.peaks(batch, accumulate, samples))
        channel.check()
    here = next(found for found in peaks if found.batch_size == plan.batch_size)
    cap_share = survivable_share(
        recording, plan.batch_size, int(median(here.later_bytes)), accumulate=accumulate, regions_grow=not device.on_gpu
    )
    operations = _operations(arguments, plan, built, channel)
    channel.progress(1.0, "refined")
    return {
        "operations": operations,
        "compiled": bool(arguments["xla"]),
        "batch_sizes": list(batches),
        "peaks": [dataclasses.asdict(found) for found in peaks],
        "cap_share": cap_share,
        "unmatched_share": recording.unmatched_share,
        "framework": f"tensorflow {tf.__version__}",
        "seconds": time.perf_counter() - started,
    }


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


def _plan(arguments: dict[str, Any]) -> Plan:
    """The plan's fields among the arguments, with XLA decided."""
    return dataclasses.replace(plan_from_json(arguments), jit=bool(arguments["xla"]))
