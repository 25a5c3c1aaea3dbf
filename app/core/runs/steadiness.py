"""Did the machine's own speed move, and what does that mean for a figure taken meanwhile?

A reference kernel that never changes is timed before, beside and after a measurement.  Its slowest and
fastest readings, relative to their median, are what the machine did to everything else too.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.types.measurement import MeasuredStep

NOTABLE_MOVE = 0.05
"""Readings of an idle machine scatter by 1-3 %; what moves by more is told and widens the interval."""
_TRIMMED_FROM = 8
"""From so many readings on, one at each end may be an accident."""


@dataclass(frozen=True)
class SpeedRange:
    """The reference's fastest and slowest time, each relative to the median of all readings."""

    fastest: float = 1.0
    slowest: float = 1.0

    @property
    def move(self) -> float:
        """How much slower the slowest was than the fastest."""
        return self.slowest / self.fastest - 1

    @property
    def notable(self) -> bool:
        """Is it more than scatter?"""
        return self.move > NOTABLE_MOVE


def speed_range(times_s: Sequence[float]) -> SpeedRange:
    """The range of readings of the reference kernel; 1 to 1 of fewer than two."""
    ordered = sorted(t for t in times_s if t > 0)
    if len(ordered) < 2:
        return SpeedRange()
    middle = statistics.median(ordered)
    if len(ordered) >= _TRIMMED_FROM:
        ordered = ordered[1:-1]
    return SpeedRange(ordered[0] / middle, ordered[-1] / middle)


def widened(step: MeasuredStep, speed: SpeedRange) -> MeasuredStep:
    """The step time's interval as it would be at the machine's fastest and slowest; the median stays."""
    if not speed.notable:
        return step
    low_s, high_s = step.low_s * min(1.0, speed.fastest), step.high_s * max(1.0, speed.slowest)
    return dataclasses.replace(step, low_s=low_s, high_s=high_s)
