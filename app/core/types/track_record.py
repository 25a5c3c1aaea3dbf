"""What was said before each run and what came: the record of the product's own predictions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Judged:
    """One number that was predicted, with its interval, and what came."""

    predicted: float
    low: float
    high: float
    measured: float

    @property
    def error(self) -> float:
        """Relative error of the prediction, with its sign: positive if too much was predicted."""
        return self.predicted / self.measured - 1

    @property
    def inside(self) -> bool:
        """Did the interval hold the truth?"""
        return self.low <= self.measured <= self.high


@dataclass(frozen=True)
class PastRun:
    """One run that was predicted, as far as memory and time were both predicted and measured."""

    run_id: int
    model: str
    memory: Judged | None = None
    time: Judged | None = None


@dataclass(frozen=True)
class Errors:
    """Errors of one quantity over the runs that have it: relative, the truth being 1."""

    runs: int
    median_error: float
    inside: int
    """Runs whose truth lay inside the interval."""
    worst_error: float
    """With its sign: positive if too much was predicted."""
    worst_run_id: int
    worst_model: str


@dataclass(frozen=True)
class TrackRecord:
    """The product's own error over the newest runs of this machine.

    ``inside`` counts the runs in which everything that was measured lay inside its interval.
    """

    runs: int
    inside: int
    memory: Errors | None = None
    time: Errors | None = None
