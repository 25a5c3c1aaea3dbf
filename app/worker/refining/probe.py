"""XLA off: run a few steps at two small batch sizes and record what they ask of the allocator.

Sizes of the two runs make sizes for any batch (`app.core.simulate.recorded_trace.fit_sizes`); the order of requests
stays that of the larger batch.  Ready operations race on several threads, so several steps are recorded and their
scatter is part of the answer.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.predict.refining_time import ENOUGH_S, fewest_and_most_steps
from app.core.simulate.recorded_trace import RecordedRun, RecordedTrace, fit_sizes, number_chunks
from app.core.types.text import phrase
from app.core.types.workload import Plan
from app.worker.models.built import input_of

if TYPE_CHECKING:
    from app.worker.backends.base import Device
    from app.worker.channel import Channel
    from app.worker.recording.requests import Log

_FUNCTIONS = {"train": "train_function", "evaluate": "test_function", "inference": "predict_function"}
"""Where Keras keeps a model's traced step."""
_ALIGNMENT = 64
_NUMBERED = re.compile(r"^(__(?:inference|forward|backward)_.*?)_\d+(\??)$")


def record(
    build: Callable[[], Any],
    plan: Plan,
    channel: Channel,
    device: Device,
    batches: tuple[int, int],
    *,
    any_size: bool = False,
) -> tuple[RecordedTrace, Any]:
    """Run steps at the first batch size, some more at the second, and fit their sizes for any batch.

    Args:
        build: Makes the model.
        plan: How it is trained.
        channel: To the parent.
        device: Where.
        batches: The batch sizes.
        any_size: Trace the step once for both.

    Returns:
        The recording, and what ``build`` made, whose weights have changed.
    """
    import keras

    from app.worker.backends.tensorflow import StepRunner
    from app.worker.data.batches import synthetic_batch
    from app.worker.recording.requests import Log, recorded

    log = Log()
    with recorded(log, on_gpu=device.on_gpu):
        channel.phase("build")
        channel.progress(0.1, phrase("building the model"))
        built = build()
        channel.check()
        runner = StepRunner(built, plan)
        counts = []
        for turn, batch in enumerate(batches):
            channel.phase("probe")
            channel.progress(0.2 + 0.4 * turn, phrase("a few steps at batch {batch}", batch=batch))
            given = keras.tree.map_structure(_unaligned, synthetic_batch(built, batch))
            if not any_size:
                _forget_step(built.model)
            ready = partial(_make_ready, built.model, plan, given, any_size=any_size)
            counts.append(_run_steps(partial(runner.first, given), ready, partial(_enough, plan, turn), channel))
        channel.progress(0.8, phrase("reading the record"))
    split = log.marks[counts[0]]
    first, second = (as_trace(part, batch) for part, batch in zip(log.split(split), batches, strict=True))
    return fit_sizes(first, second), built


def _run_steps(
    step: Callable[[], object], ready: Callable[[], None], enough: Callable[[Sequence[float]], bool], channel: Channel
) -> int:
    """Run marked steps until there are enough; returns how many."""
    from app.worker.recording.requests import marked_step

    ended: list[float] = []
    while not enough(ended):
        with marked_step(len(ended)):
            ready()
            step()
        ended.append(time.monotonic())
        channel.check()
    return len(ended)


def _make_ready(model: Any, plan: Plan, given: Any, *, any_size: bool) -> None:
    """Make what the first step would make."""
    from app.worker.refining.slots import make_slots

    make_slots(model, plan)
    if any_size and getattr(model, _FUNCTIONS[plan.mode]) is None:
        setattr(model, _FUNCTIONS[plan.mode], _AnySize(model, plan, given))


def _enough(plan: Plan, turn: int, ended: Sequence[float]) -> bool:
    """Have enough steps ended at the first batch size or the second."""
    fewest, most = fewest_and_most_steps(turn, plan.accumulate)
    return len(ended) >= most or (len(ended) >= fewest and ended[-1] - ended[0] > ENOUGH_S)


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


def _forget_step(model: Any) -> None:
    """Forget the traced step: another batch size shall get a graph of its own, not one for any size."""
    model.train_function = model.test_function = model.predict_function = None


class _AnySize:
    """A step that is traced once for every batch size, in the place of the function that Keras makes of a model's step.

    Args:
        model: A compiled model whose optimizer has its variables.
        plan: Its mode counts.
        given: A batch.
    """

    def __init__(self, model: Any, plan: Plan, given: Any) -> None:
        import tensorflow as tf

        step = {"train": model.train_step, "evaluate": model.test_step, "inference": model.predict_step}[plan.mode]
        self._step = tf.function(step, reduce_retracing=True, autograph=False)
        data = (input_of(given),) if plan.mode == "inference" else given
        arrays = tf.nest.map_structure(np.asarray, data)
        self._step.get_concrete_function(
            tf.nest.map_structure(lambda array: tf.TensorSpec((None, *array.shape[1:]), array.dtype), arrays)
        )

    def __call__(self, batches: Iterable[Any]) -> Any:
        """A step on the next batch."""
        return self._step(next(iter(batches)))


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
