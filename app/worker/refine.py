"""The ``refine`` job: a sharper answer about memory for some seconds of work.

With XLA the step is compiled and not run (`app.worker.refine_compiled`); without, three tiny steps are run
at two batch sizes (`app.worker.refine_probe`).  Either way the answer is a list of requests to the
allocator, which the parent replays (`app.core.recording`).
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any

from app.core.recording import Recording
from app.core.workload import Plan, plan_from_json

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Refine the workload that ``arguments`` describe.

    Args:
        arguments: Those of the ``bench`` job, ``xla`` (the step is compiled) and ``hollow`` (the weights are
            too large to be filled with values).
        channel: To the parent.

    Returns:
        A `app.core.refined.Refined` as JSON values.
    """
    started = time.perf_counter()
    channel.phase("import")
    channel.progress(0.02, "loading TensorFlow")
    import tensorflow as tf

    from app.worker import refine_compiled, refine_probe
    from app.worker.benchmark_step import choose_device
    from app.worker.weightless import valueless_quantisation

    plan = _plan(arguments)
    device = choose_device(plan.device)
    channel.check()

    def build() -> Any:
        if not arguments.get("hollow"):
            return _build(arguments, plan)
        with valueless_quantisation():
            return _build(arguments, plan)

    batches: tuple[int, ...]
    if arguments["xla"]:
        batches = (plan.batch_size,)
        recording = refine_compiled.record(build, plan, channel, device, hollow=bool(arguments.get("hollow")))
    else:
        batches = refine_probe.batches_below(plan.batch_size)
        recording = refine_probe.record(build, plan, channel, device, batches)
    channel.progress(1.0, "refined")
    return {
        "compiled": bool(arguments["xla"]),
        "batch_sizes": list(batches),
        "recording": _to_json(recording),
        "window": max(2, plan.accumulate),
        "framework": f"tensorflow {tf.__version__}",
        "seconds": time.perf_counter() - started,
    }


def _build(arguments: dict[str, Any], plan: Plan) -> Any:
    """The model as a training run builds it (`app.worker.models.BuiltModel`)."""
    import keras

    from app.worker import models

    keras.utils.set_random_seed(0)
    return models.build_for(arguments, plan)


def _plan(arguments: dict[str, Any]) -> Plan:
    """The plan's fields among the arguments, with XLA decided."""
    return dataclasses.replace(plan_from_json(arguments), jit=bool(arguments["xla"]))


def _to_json(recording: Recording) -> dict[str, Any]:
    """A recording with each different size once: events are many, sizes are few."""
    kinds: dict[tuple[float, float], int] = {}
    size_of = [kinds.setdefault((size.fixed, size.per_sample), len(kinds)) for size in recording.sizes]
    return {
        "events": list(recording.events),
        "kinds": [list(pair) for pair in kinds],
        "size_of": size_of,
        "starts": list(recording.starts),
        "unmatched_share": recording.unmatched_share,
    }
