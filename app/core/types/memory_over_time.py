"""Memory over the course of training (case S3 of the founding cases), and networks compared by it.

Three memories stand side by side and are never mixed: *needed*, what the framework's allocator has handed out;
*held*, what it has taken from the system; *seen*, what the driver or the system shows for the process.
``tf.config.experimental.get_memory_info`` gives the first: bytes now, and the most since the peak was reset.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.types.text import Text, phrase

Moment = Literal["epoch start", "batch", "step", "epoch end", "end"]
_WORDS = {"epoch start": phrase("epoch start"), "epoch end": phrase("epoch end")}


@dataclass(frozen=True)
class MemoryPoint:
    """The memories at one moment; None is "not available".

    ``t_s`` counts from the beginning of the measurement, ``batch`` the batches of the epoch that were done.
    ``peak_bytes`` is the most that was needed since the measurement began.
    """

    t_s: float
    moment: Moment
    epoch: int
    batch: int
    current_bytes: int
    peak_bytes: int
    held_bytes: int | None = None
    process_bytes: int | None = None
    """Resident memory of the training process and of those it started."""
    seen_bytes: int | None = None
    """What the driver shows for the process on its card."""

    @property
    def name(self) -> Text:
        """The moment in words."""
        if self.moment in ("batch", "step"):
            return (
                phrase("batch {batch}", batch=self.batch)
                if self.epoch == 1
                else phrase("epoch {epoch}, batch {batch}", epoch=self.epoch, batch=self.batch)
            )
        where = "" if self.moment == "end" or self.epoch == 1 else f" {self.epoch}"
        return (
            phrase("end of the run")
            if self.moment == "end"
            else phrase("{moment}{where}", moment=_WORDS[self.moment], where=where)
        )


@dataclass(frozen=True)
class OutsideView:
    """What was read from outside at a moment of the measurement."""

    t_s: float
    process_bytes: int | None
    seen_bytes: int | None


@dataclass(frozen=True)
class PeakRow:
    """Peaks of several runs at one moment; None where a run has no such moment."""

    name: str
    peaks: tuple[int | None, ...]


@dataclass(frozen=True)
class PeakComparison:
    """Which of several runs needs more memory, and by what.

    ``rows`` are the moments that at least one run knows: epoch start, chosen batches, epoch end.  ``peaks`` are
    the highest over each run, the lengths of the bars.
    """

    names: tuple[str, ...]
    peaks: tuple[int | None, ...]
    rows: tuple[PeakRow, ...]

    @property
    def largest(self) -> int | None:
        """Which run needs most; None if fewer than two are known."""
        known = [i for i, peak in enumerate(self.peaks) if peak is not None]
        return max(known, key=lambda i: self.peaks[i] or 0) if len(known) > 1 else None

    @property
    def smallest(self) -> int | None:
        """Which run needs least; None if fewer than two are known."""
        known = [i for i, peak in enumerate(self.peaks) if peak is not None]
        return min(known, key=lambda i: self.peaks[i] or 0) if len(known) > 1 else None

    @property
    def more_bytes(self) -> int | None:
        """By how much the largest exceeds the smallest."""
        if self.largest is None or self.smallest is None:
            return None
        return (self.peaks[self.largest] or 0) - (self.peaks[self.smallest] or 0)
