"""XLA off: run a few steps at two small batch sizes and record what they ask of the allocator.

Sizes of the two runs make sizes for any batch (`app.core.simulate.recorded_trace.fit_sizes`); the order of requests
stays that of the larger batch.  Ready operations race on several threads, so several steps are recorded and their
scatter is part of the answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.simulate.recorded_trace import RecordedRun, RecordedTrace, fit_sizes, number_chunks
from app.core.types.text import phrase
from app.core.types.workload import Plan

if TYPE_CHECKING:
    from app.worker.backends.base import Device
    from app.worker.channel import Channel
    from app.worker.recording.requests import Log

STEPS = 9
"""At the first batch size: two in a row are one sample of what a training needs, and the median of seven counts."""

OTHER_STEPS = 2
_ALIGNMENT = 64
_NUMBERED = re.compile(r"^(__(?:inference|forward|backward)_.*?)_\d+(\??)$")


def record(
    build: Callable[[], Any], plan: Plan, channel: Channel, device: Device, batches: tuple[int, int]
) -> tuple[RecordedTrace, Any]:
    """Run steps at the first batch size, some more at the second, and fit their sizes for any batch.

    Returns:
        The recording, and what ``build`` made, whose weights have changed.
    """
    import keras

    from app.worker.backends.tensorflow import StepRunner
    from app.worker.data.batches import synthetic_batch
    from app.worker.recording.requests import Log, marked_step, recorded
    from app.worker.refining.slots import make_slots

    log = Log()
    with recorded(log, on_gpu=device.on_gpu):
        channel.phase("build")
        channel.progress(0.1, phrase("building the model"))
        built = build()
        channel.check()
        runner = None
        for turn, batch in enumerate(batches):
            channel.phase("probe")
            channel.progress(0.2 + 0.4 * turn, phrase("a few steps at batch {batch}", batch=batch))
            given = keras.tree.map_structure(_unaligned, synthetic_batch(built, batch))
            if runner is None:
                runner = StepRunner(built, plan)
            else:
                _trace_anew(built.model)
            for step in range(_steps(plan, turn)):
                with marked_step(step):
                    make_slots(built.model, plan)
                    runner.first(given)
                channel.check()
        channel.progress(0.9, phrase("reading the record"))
    split = log.marks[_steps(plan, 0)]
    first, second = (as_trace(part, batch) for part, batch in zip(log.split(split), batches, strict=True))
    return fit_sizes(first, second), built


def as_trace(log: Log, batch_size: int) -> RecordedRun:
    """Number the chunks of a log and name each by step and operation."""
    events, origins = number_chunks([(r.taken, r.address) for r in log.requests])
    times = [log.requests[origin].time_ps for origin in origins]
    taken = [log.requests[origin] for origin, event in zip(origins, events, strict=True) if event >= 0]
    return RecordedRun(
        batch_size=batch_size,
        events=events,
        sizes=tuple(r.size_bytes for r in taken),
        keys=tuple((bisect_right(log.marks, r.time_ps) - 1, _NUMBERED.sub(r"\1\2", r.operation)) for r in taken),
        starts=tuple(bisect_left(times, mark) for mark in log.marks),
    )


def _steps(plan: Plan, turn: int) -> int:
    """Steps at the first and at the second batch size: at least four updates, and one."""
    return max((STEPS, OTHER_STEPS)[turn], (4, 1)[turn] * plan.accumulate + turn)


def _trace_anew(model: Any) -> None:
    """Forget the traced step: another batch size shall get a graph of its own, not one for any size."""
    model.train_function = model.predict_function = None


def _unaligned(values: Any) -> Any:
    """A copy of an array at an address at which TensorFlow copies it once more.

    It takes over an array that happens to be aligned, which small ones are by luck and large ones are not
    (``TF_TensorFromNumpy``; EIGEN_MAX_ALIGN_BYTES).
    """
    array = np.asarray(values)
    if array.dtype == object:
        return array
    room = np.empty(array.nbytes + 2 * _ALIGNMENT, np.uint8)
    start = -room.ctypes.data % _ALIGNMENT + _ALIGNMENT // 4
    made = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made
