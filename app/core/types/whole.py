"""The whole of a ``fit``: its phases from the first line to the last epoch, predicted and measured.  Bytes, seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.types.basis import Range
from app.core.types.text import Text

PhaseKind = Literal["prepare", "first_step", "training", "validation", "saving", "later"]
"""Up to ``fit``'s first batch; the first step, which traces and compiles; the rest of the first epoch; a validation;
the end of an epoch, with what is saved or kept there; the training of a later epoch."""

PHASES: tuple[PhaseKind, ...] = ("prepare", "first_step", "training", "validation", "saving", "later")


@dataclass(frozen=True)
class PredictedPhase:
    """What one phase needs and takes; ``None`` where nobody knows.

    Attributes:
        kind: Which one.
        device: The allocator's peak while it lasts.
        host: The process in RAM.
        each_s: How long it takes once.
        times: How often it comes.
    """

    kind: PhaseKind
    device: Range | None = None
    host: Range | None = None
    each_s: Range | None = None
    times: int = 1

    @property
    def total_s(self) -> Range | None:
        """All of its times."""
        return None if self.each_s is None else Range(*(end * self.times for end in self.each_s))


@dataclass(frozen=True)
class Saving:
    """What a checkpoint is: its size on disk, how long it takes, and how often one is worth it.

    ``worth_every_s`` is the time between two of them by which least is lost, where something ends a training once
    in ``failure_s`` (Daly 2006, "A higher order estimate of the optimum checkpoint interval").
    """

    bytes_on_disk: int
    each_s: Range
    worth_every_s: float
    failure_s: float


@dataclass(frozen=True)
class PredictedWhole:
    """A training from its first line to its end.

    Attributes:
        phases: In the order in which they come.
        allowed_bytes: What the device allows; None where nobody knows.
        saving: What a checkpoint takes.
        cache_ends_epoch: The epoch in which a cache that grows ends the memory of this machine, with ``cache_bytes``
            when it is full; None if it does not.
        cache_bytes: Likewise; 0 without a cache in RAM.
        told: What is assumed or missing.
        trainings: How many such trainings there are in all.
    """

    phases: tuple[PredictedPhase, ...]
    allowed_bytes: int | None = None
    saving: Saving | None = None
    cache_ends_epoch: float | None = None
    cache_bytes: int = 0
    told: tuple[Text, ...] = ()
    trainings: float = 1.0

    @property
    def wall(self) -> PredictedPhase | None:
        """The phase that needs most of the device; None where nothing is known."""
        known = [phase for phase in self.phases if phase.device is not None]
        return max(known, key=lambda phase: phase.device.value if phase.device else 0.0, default=None)

    @property
    def total_s(self) -> Range | None:
        """All trainings; None where the time of a phase is not known.

        Ends are added to ends: what makes one step slower than predicted makes all of them slower.
        """
        found = [phase.total_s for phase in self.phases]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found):
            return None
        return Range(*(self.trainings * sum(ends) for ends in zip(*known, strict=True)))


@dataclass(frozen=True)
class Length:
    """How much of each phase is run: steps of an epoch and of a validation, and epochs."""

    steps: int
    validation_steps: int
    epochs: int


@dataclass(frozen=True)
class MeasuredPhase:
    """What one phase needed and took in all of its times."""

    kind: PhaseKind
    seconds: float
    times: int = 1
    device_bytes: int | None = None
    """The allocator's peak while it lasted."""
    host_bytes: int | None = None
    """The most that the process had resident meanwhile."""


@dataclass(frozen=True)
class EpochEnd:
    """What was there when an epoch had ended."""

    seconds: float
    """Since the child began."""
    device_bytes: int | None = None
    """Handed out by the allocator, now."""
    host_bytes: int | None = None
    """Resident, now."""
    traces: int = 0
    """How often a step has been traced until now."""


Place = Literal["device", "host", "tracing"]
"""Where something grows: tensors on the device, the process's memory, or programs that are traced again and again."""


@dataclass(frozen=True)
class Growth:
    """What an epoch leaves behind, and when that ends the training."""

    place: Place
    bytes_per_epoch: Range
    last_epoch: int | None = None
    """The last one that ends well; None where nobody knows what is allowed."""


@dataclass(frozen=True)
class MeasuredWhole:
    """Some of everything of a ``fit``, run for real."""

    phases: tuple[MeasuredPhase, ...]
    epochs: tuple[EpochEnd, ...] = ()
    steps_per_epoch: int = 0
    """That were run; the training itself may have more."""
    validation_steps: int = 0
    saved_bytes: int | None = None
    """A checkpoint on disk."""
    growth: tuple[Growth, ...] = ()

    def phase(self, kind: PhaseKind) -> MeasuredPhase | None:
        """One phase; None if it did not come."""
        return next((one for one in self.phases if one.kind == kind), None)
