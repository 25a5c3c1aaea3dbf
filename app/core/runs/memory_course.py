"""Memory over the course of training: collected step by step, seen from outside, compared between networks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from app.core.types.memory_over_time import MemoryPoint, Moment, OutsideView, PeakComparison, PeakRow
from app.core.types.text import Text

CHOSEN_BATCHES = (5, 10, 25, 50, 100, 150, 200, 300, 400, 500)
"""Batches of an epoch whose peak is always kept (docs/evidence.md, "Case S3")."""

MOST_POINTS = 240
"""A run keeps so many points; of further steps every second, fourth … one stays, the marks always."""

MOST_ROWS, FIRST_ROWS, LAST_ROWS = 20, 8, 2
"""Of a table for people; small data pass through sixty epochs within a benchmark, one like the other."""

T = TypeVar("T")


class MemoryLog:
    """Collects points while steps run.

    Args:
        steps_per_epoch: Batches of an epoch; None if nobody knows, then there is one epoch without an end.
        most: Points to keep besides the marks.
    """

    def __init__(self, steps_per_epoch: int | None, most: int = MOST_POINTS) -> None:
        self._per_epoch = steps_per_epoch
        self._most = most
        self._every = 1
        self._steps = 0
        self._last: tuple[float, int, int, int, int] | None = None
        self._marks: list[MemoryPoint] = []
        self._passing: list[MemoryPoint] = []

    def begin(self, current_bytes: int, peak_bytes: int) -> None:
        """The measurement begins; the peak was just reset."""
        self._marks.append(MemoryPoint(0.0, "epoch start", 1, 0, current_bytes, peak_bytes))

    def step(self, t_s: float, current_bytes: int, peak_bytes: int) -> None:
        """A step is done."""
        epoch, batch = self._place(self._steps)
        self._steps += 1
        self._last = (t_s, epoch, batch, current_bytes, peak_bytes)
        if batch == self._per_epoch:
            self._mark(self._now("epoch end"))
            self._mark(replace(self._now("epoch start"), epoch=epoch + 1, batch=0))
        elif batch in CHOSEN_BATCHES:
            self._mark(self._now("batch"))
        elif self._steps % self._every == 0:
            self._passing.append(self._now("step"))
            self._thin()

    def points(self) -> tuple[MemoryPoint, ...]:
        """Everything kept, in order; the last one is the end of the run."""
        ordered = sorted([*self._marks, *self._passing], key=lambda point: point.t_s)
        if self._last is None:
            return tuple(ordered)
        # An epoch that nobody trained did not begin, and the last step is the end.
        while ordered[-1].t_s == self._last[0] and ordered[-1].moment in ("epoch start", "step"):
            ordered.pop()
        return (*ordered, self._now("end"))

    def _now(self, moment: Moment) -> MemoryPoint:
        """The last step as a point; made only where it is kept, as a step may take less than a millisecond."""
        assert self._last is not None
        t_s, epoch, batch, current_bytes, peak_bytes = self._last
        return MemoryPoint(t_s, moment, epoch, batch, current_bytes, peak_bytes)

    def _place(self, steps: int) -> tuple[int, int]:
        """Epoch and batch, both from 1, of the step after so many."""
        if self._per_epoch is None:
            return 1, steps + 1
        return steps // self._per_epoch + 1, steps % self._per_epoch + 1

    def _mark(self, point: MemoryPoint) -> None:
        """Keep a point for good, unless epochs are so short that there would be thousands."""
        if len(self._marks) < self._most:
            self._marks.append(point)

    def _thin(self) -> None:
        """Let every second point go when there are too many."""
        if len(self._passing) > self._most:
            self._every *= 2
            self._passing = self._passing[1::2]


def seen_from_outside(points: Sequence[MemoryPoint], views: Sequence[OutsideView]) -> tuple[MemoryPoint, ...]:
    """The points with the readings from outside that are nearest in time."""
    if not views:
        return tuple(points)
    times = [view.t_s for view in views]

    def nearest(t_s: float) -> OutsideView:
        after = bisect_left(times, t_s)
        around = views[max(0, after - 1) : after + 1]
        return min(around, key=lambda view: abs(view.t_s - t_s))

    return tuple(
        replace(point, process_bytes=view.process_bytes, seen_bytes=view.seen_bytes)
        for point in points
        for view in [nearest(point.t_s)]
    )


def compare_peaks(
    names: Sequence[str], runs: Sequence[Sequence[MemoryPoint]], peaks: Sequence[int | None] | None = None
) -> PeakComparison:
    """Compare runs at the moments that case S3 names.

    Args:
        names: Of the runs.
        runs: The points of each; may be empty (a run of an older version, a device without a count).
        peaks: What a prediction is compared with, for each run; None for the highest of its points.
    """
    marks = [{p.name: p.peak_bytes for p in points if p.moment != "step"} for points in runs]
    order: dict[tuple[int, int, float], Text] = {}
    for points in runs:
        for p in points:
            if p.moment != "step":
                order.setdefault(_order(p), p.name)
    rows = [PeakRow(order[key], tuple(mark.get(order[key]) for mark in marks)) for key in sorted(order)]
    highest = tuple(max((p.peak_bytes for p in points), default=None) for points in runs)
    return PeakComparison(tuple(names), tuple(peaks) if peaks is not None else highest, tuple(dict.fromkeys(rows)))


def telling(rows: Sequence[T], peaks: Callable[[T], Sequence[int | None]]) -> list[T]:
    """What a table shows of many moments: the first, the last, and between them those with a new highest peak.

    Args:
        rows: Moments in order; a few are all shown.
        peaks: Of a moment, one for each run.
    """
    if len(rows) <= MOST_ROWS:
        return list(rows)
    kept, highest = [], 0
    for index, row in enumerate(rows):
        peak = max((peak for peak in peaks(row) if peak is not None), default=0)
        if index < FIRST_ROWS or index >= len(rows) - LAST_ROWS or peak > highest:
            kept.append(row)
        highest = max(highest, peak)
    return kept


def _order(point: MemoryPoint) -> tuple[int, int, float]:
    """Where a moment stands among those of other runs, whose epochs have other lengths."""
    rank = {"epoch start": 0, "batch": 1, "epoch end": 2, "step": 1, "end": 3}[point.moment]
    return (10**6 if point.moment == "end" else point.epoch, rank, point.batch if rank == 1 else 0)
