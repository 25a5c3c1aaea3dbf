"""Time of a step as it was computed, with its stages, never to be confused with a measured one.  Seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from app.core.types.basis import Explanation, Known, Range, TimeBasis
from app.core.types.text import Text, phrase

FROM_DATA_SHEET = phrase("step time from the processor's data sheet: cores, clock, instructions and memory")
FROM_A_GLANCE = phrase("step time from a glance at the processor: how fast large products and additions are")
UNMEASURED = frozenset({FROM_DATA_SHEET, FROM_A_GLANCE})
"""What a time rests on where nobody has measured the processor: one that is elsewhere, or this one."""

Bound = Literal["compute", "memory", "overhead", "input", "disk"]


@dataclass(frozen=True)
class StepParts:
    """How the device's time of one step divides, in seconds; the parts may overlap, so they need not add up."""

    compute_s: float
    memory_s: float
    overhead_s: float


@dataclass(frozen=True)
class Stages:
    """Seconds that each stage of a step would take alone (`app.core.pipeline.stages`).

    ``decode_s`` is all work of the host on a batch: decoding, augmenting, putting it together.
    """

    device_s: float
    copy_s: float = 0.0
    decode_s: float = 0.0
    disk_s: float = 0.0
    overlap: bool = True
    """The input runs ahead of the step."""
    one_thread: bool = False
    """Reading and decoding take turns."""
    contention: float = 0.0
    """Share of the device that decoding takes away: the workers' share of the cores, if the processor trains."""
    workers: float = 1.0
    disk_rate: float | None = None
    """Usual rate of the disk, bytes per second."""

    @property
    def input_s(self) -> float:
        """A batch from the input pipeline alone."""
        if self.overlap and not self.one_thread:
            return max(self.disk_s, self.decode_s)
        return self.disk_s + self.decode_s

    @property
    def device_side_s(self) -> float:
        """Copying and computing, which take turns."""
        return self.copy_s + self.device_s

    @property
    def step_s(self) -> float:
        """The whole step."""
        if not self.overlap:
            return self.input_s + self.device_side_s
        return max(self.input_s, self.device_side_s + self.contention * self.decode_s)

    @property
    def waiting_share(self) -> float:
        """Share of the step in which the device has nothing to do, 0..1."""
        return max(0.0, 1 - self.device_side_s / self.step_s) if self.step_s > 0 else 0.0

    def of_batch(self, batch_size: int, device_s: float) -> Stages:
        """Those of one sample as a whole batch's, which takes the device itself so many seconds more."""
        return replace(
            self,
            device_s=device_s + batch_size * self.device_s,
            copy_s=batch_size * self.copy_s,
            decode_s=batch_size * self.decode_s,
            disk_s=batch_size * self.disk_s,
        )

    def times(self, device: float, data: float) -> Stages:
        """The two sides longer or shorter, each by its factor."""
        return replace(
            self,
            device_s=self.device_s * device,
            copy_s=self.copy_s * device,
            decode_s=self.decode_s * data,
            disk_s=self.disk_s * data,
        )


class Waits(NamedTuple):
    """What a step waits for, and for which share of it, 0..1: the one figure that everything says."""

    what: Bound
    share: float


class Schedule(NamedTuple):
    """How many steps make a training."""

    batch_size: int
    steps_per_epoch: float | None
    """None where nobody knows how many samples there are."""
    epochs: int
    trainings: float = 1.0
    """How many such trainings there are in all, such as a script's folds."""


_BASIS: dict[Known | None, TimeBasis] = {"measured": "measured", "carried": "scaled"}


class BatchTime(NamedTuple):
    """The figures of a step's time: what a `PredictedTime` says in full, for one of many batches."""

    range: Range | None
    basis: TimeBasis = "predicted"

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> BatchTime:
        """The figures with another time."""
        return BatchTime(told.ordered, _BASIS.get(known, self.basis))

    def with_input(self, told: Range, stages: Stages, first_step_s: float) -> BatchTime:
        """The figures with what the input adds."""
        return BatchTime(told, self.basis)


@dataclass(frozen=True)
class StageShare:
    """One stage of the pipeline: seconds that it would take alone, as a share of the step."""

    name: Literal["disk", "decode", "copy", "compute"]
    seconds: float
    share: float
    measured: bool = False


@dataclass(frozen=True)
class PredictedTime:
    """Time of one step, epoch and the whole training; ``None`` where nothing is known."""

    step_s: float | None
    low_s: float | None
    high_s: float | None
    schedule: Schedule | None
    """None where no step is known."""
    device_bound: Bound | None
    """What holds the device while it computes; None where nobody knows."""
    basis: TimeBasis
    parts: StepParts | None = None
    """What the device does in a step by its operations alone, which nothing corrects."""
    dominant_assumption: Text = Text()
    explanation: tuple[Explanation, ...] = ()
    stages: Stages | None = None
    """Of a step in later epochs; None where nothing is known."""
    first_step_s: float | None = None
    """A step of the first epoch, in which files come from the disk and caches are filled; None if it is no other."""

    @property
    def range(self) -> Range | None:
        """A step with its interval, which is nothing where nobody knows it; None where no step is known."""
        if self.step_s is None:
            return None
        low_s, high_s = (self.step_s if end is None else end for end in (self.low_s, self.high_s))
        return Range(self.step_s, low_s, high_s)

    @property
    def epoch_s(self) -> float | None:
        """A later epoch."""
        return self._epoch_of(self.step_s)

    @property
    def first_epoch_s(self) -> float | None:
        """The first epoch."""
        return self._epoch_of(self.step_s if self.first_step_s is None else self.first_step_s)

    @property
    def total_s(self) -> float | None:
        """All epochs of all trainings."""
        first, later = self.first_epoch_s, self.epoch_s
        if self.schedule is None or first is None or later is None:
            return None
        return self.schedule.trainings * (first + (self.schedule.epochs - 1) * later)

    @property
    def samples_per_s(self) -> float | None:
        """Throughput of later epochs."""
        return self.schedule.batch_size / self.step_s if self.schedule and self.step_s else None

    @property
    def waits(self) -> Waits | None:
        """Its input or the disk where that takes longer, while the device is idle; else what holds the device."""
        if self.step_s is None or (self.stages is None and self.device_bound is None):
            return None
        stages = self.stages or Stages(self.step_s)
        waited = stages.waiting_share
        if stages.input_s > stages.device_side_s:
            return Waits("disk" if stages.disk_s >= stages.decode_s else "input", waited)
        return Waits(self.device_bound or "compute", 1.0 - waited)

    @property
    def bound_by(self) -> Bound | None:
        """What a step waits for."""
        return self.waits.what if self.waits else None

    @property
    def bound_share(self) -> float | None:
        """Share of the step that the bound accounts for, 0..1."""
        return self.waits.share if self.waits else None

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> PredictedTime:
        """The same step with another time; all that follows from the step follows (`Told.at`)."""
        factor = told.value / self.step_s if self.step_s else 1.0
        told = told.ordered
        return replace(
            self,
            step_s=told.value,
            low_s=told.low,
            high_s=told.high,
            basis=_BASIS.get(known, self.basis),
            dominant_assumption=assumption or self.dominant_assumption,
            explanation=(*self.explanation, *lines),
            stages=self.stages.times(factor, factor) if self.stages else None,
            first_step_s=None if self.first_step_s is None else self.first_step_s * factor,
        )

    def with_input(self, told: Range, stages: Stages, first_step_s: float) -> PredictedTime:
        """The same step with its input.

        Args:
            told: The whole step with its interval, seconds.
            stages: Of a step in later epochs.
            first_step_s: A step of the first epoch.
        """
        return replace(
            self, step_s=told.value, low_s=told.low, high_s=told.high, stages=stages, first_step_s=first_step_s
        )

    def _epoch_of(self, step_s: float | None) -> float | None:
        """So many steps as an epoch has."""
        if step_s is None or self.schedule is None or self.schedule.steps_per_epoch is None:
            return None
        return self.schedule.steps_per_epoch * step_s
