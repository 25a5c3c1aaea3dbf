"""How long everything of a training takes: getting ready, the first step, epochs, validations and savings."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.predict.saving import saved_bytes
from app.core.types.basis import Range
from app.core.types.predicted_time import PredictedTime
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase
from app.core.types.workload import Workload

IMPORT_S = Range(3.2, 2.0, 12.0)
"""Loading TensorFlow and Keras, and building a network of no size (docs/evidence.md, "Tracing a step")."""
IMPORTED_S = Range(1.0, 0.5, 4.0)
"""Over what loading took when the device was measured: the disk may have had it ready then, or now."""
OPERATION_S = 0.0023
"""Building, tracing and optimising a step, for each operation of it and of the optimizer's update
(docs/evidence.md, "Tracing a step")."""
TRACED_S = Range(1.0, 0.5, 2.5)
"""Between which those networks lay about that, and a processor may be slower in Python than theirs."""
COMPILED = 4.0
"""With XLA, times as much: assumed; on an H100 a ResNet50's first step took 64 s, and 58 s are told."""
CARD_FIRST_S = Range(5.0, 1.0, 12.0)
"""What is loaded of CUDA, cuDNN and cuBLAS for the first step on a card, and kernels that are made for it: a network of
a dozen operations took 7.3 s on an H100 (docs/evidence.md, "A real card")."""
ON_CARD_S = Range(1.0, 0.5, 4.0)
"""`TRACED_S` on a card, where kernels are tried out besides: eight first steps there took 0.9 to 3.1 times as much."""
SAVE_BYTES_PER_S = 250e6
SAVE_FIXED_S = Range(0.15, 0.05, 0.6)
"""Writing a ``.keras`` file, HDF5 in memory, a checksum, the file: assumed within a factor of four."""
END_OF_EPOCH_S = Range(0.03, 0.01, 0.15)
"""What an epoch's end and beginning take beside all that, metrics, callbacks, a new iterator: assumed likewise."""


@dataclass(frozen=True)
class Work:
    """What tracing and compiling goes by.

    Attributes:
        operations: Of the training step.
        updates: Of the optimizer's update of all weights.
        evaluated: Operations of a step of the validation.
        xla: The steps are compiled.
        on_card: They run on a card.
        import_s: Loading the framework, as it was measured with the device; None where nobody did.
    """

    operations: int
    updates: int
    evaluated: int = 0
    xla: bool = False
    on_card: bool = False
    import_s: float | None = None


class WholeTimes:
    """Seconds of all phases; ``None`` where nobody knows.

    Args:
        workload: What is trained.
        training: What is predicted of a step.
        evaluation: Of a step of its validation.
        work: What tracing goes by.
        cached_sample_bytes: What a sample takes in a cache in RAM; None where nobody knows.
    """

    def __init__(
        self,
        workload: Workload,
        training: Prediction,
        evaluation: Prediction | None,
        work: Work,
        cached_sample_bytes: float | None = None,
    ) -> None:
        self._workload, self._work = workload, work
        self._time = training.time
        self._evaluation = evaluation.time if evaluation is not None else None
        self._saved = saved_bytes(training.memory.parts) if workload.plan.checkpoint_every else 0
        captured = training.model.captured
        self._prepared_s = captured.prepared_s if captured is not None else None
        self.cached_sample_bytes = cached_sample_bytes
        self.told: tuple[Text, ...] = ()
        if self._time.schedule is None or self._time.schedule.steps_per_epoch is None:
            self.told = (phrase("nobody knows how many steps an epoch has: how long the whole takes is missing"),)

    @property
    def prepare_s(self) -> Range:
        """From the first line to ``fit``'s first batch."""
        seen, loaded = self._prepared_s, self._work.import_s
        if seen is not None:
            return Range(seen, 0.7 * seen, 1.5 * seen)
        return IMPORT_S if loaded is None else _times(IMPORTED_S, loaded)

    @property
    def first_step_s(self) -> Range | None:
        """The first step, which traces and compiles, and makes a card ready."""
        traced = self._tracing(self._work.operations, self._work.updates)
        return _sum(_both(traced, CARD_FIRST_S) if self._work.on_card else traced, _step(self._time))

    @property
    def first_epoch_s(self) -> Range | None:
        """The rest of the first epoch."""
        first = self._time.first_epoch_s
        return _like(self._time, None if first is None or self._steps is None else first * (1 - 1 / self._steps))

    @property
    def epoch_s(self) -> Range | None:
        """A later epoch's training."""
        return _like(self._time, self._time.epoch_s)

    def validation_s(self, times: int) -> Range | None:
        """One of so many validations; that its step is traced once is spread over them."""
        steps = _like(self._evaluation, self._evaluation.epoch_s) if self._evaluation is not None else None
        traced = self._tracing(self._work.evaluated, 0)
        return _sum(_times(traced, 1 / times), steps)

    @property
    def save_s(self) -> Range:
        """Writing a checkpoint."""
        written = self._saved / SAVE_BYTES_PER_S
        return Range(SAVE_FIXED_S.value + written, SAVE_FIXED_S.low + written / 3, SAVE_FIXED_S.high + 4 * written)

    @property
    def end_of_epoch_s(self) -> Range:
        """An epoch's end, with its part of a checkpoint."""
        every = self._workload.plan.checkpoint_every
        return END_OF_EPOCH_S if every is None else _both(END_OF_EPOCH_S, _times(self.save_s, 1 / every))

    @property
    def _steps(self) -> float | None:
        """Of an epoch."""
        return self._time.schedule.steps_per_epoch if self._time.schedule else None

    def _tracing(self, operations: int, updates: int) -> Range:
        """Tracing and compiling a step."""
        seconds = (operations + updates) * OPERATION_S * (COMPILED if self._work.xla else 1.0)
        return _times(ON_CARD_S if self._work.on_card else TRACED_S, seconds)


def _step(time: PredictedTime) -> Range | None:
    """A step with its interval."""
    return time.range


def _like(time: PredictedTime | None, seconds: float | None) -> Range | None:
    """Seconds of many steps, as uncertain as one."""
    if time is None or seconds is None or time.range is None:
        return None
    value, low, high = time.range
    return Range(seconds, seconds * low / value, seconds * high / value) if value else None


def _times(told: Range, factor: float) -> Range:
    """A range so many times."""
    return Range(*(end * factor for end in told))


def _both(one: Range, other: Range) -> Range:
    """Two ranges after each other."""
    return Range(*(a + b for a, b in zip(one, other, strict=True)))


def _sum(one: Range | None, other: Range | None) -> Range | None:
    """Two after each other; None if either is unknown."""
    return None if one is None or other is None else _both(one, other)
