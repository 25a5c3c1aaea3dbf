"""Arithmetic of an honest measurement: budget, doubling repetitions, spread.  No framework in here."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.core.types.measurement import MeasuredStep

AGREEMENT = 0.03
"""Two successive block means this close end a measurement."""
FIRST_BLOCK_S = 0.2
FEWEST_STEPS = 5
"""With fewer there is no spread to speak of."""
ONE_STEP_OFF = 0.7
"""A vision transformer of which one step was counted was told so much slower than it trains; of several steps the share
shrinks with their number."""
SHORTEST_SHARE = 0.35
"""A measurement uses at least this share of its time, so that a lucky pair of means cannot end it early."""


@dataclass(frozen=True)
class StepTime:
    """The time of one step, its wait for data included."""

    total_s: float
    begins_pass: bool = False
    """It waited until the input pipeline had started a new pass over the data."""


@dataclass(frozen=True)
class Series:
    """The steps of one measurement, and whether its last two block means agreed."""

    steps: tuple[StepTime, ...]
    settled: bool

    @property
    def steady(self) -> tuple[StepTime, ...]:
        """The steps within a pass; all of them if there are no others."""
        return tuple(s for s in self.steps if not s.begins_pass) or self.steps

    def total_s(self, group: int = 1) -> list[float]:
        """Time per steady step, averaged over groups of ``group`` successive steps.

        With gradient accumulation only every N-th step updates the weights: a group holds one of these.
        """
        times = [s.total_s for s in self.steady]
        size = group if len(times) >= group else 1
        return [math.fsum(times[i : i + size]) / size for i in range(0, len(times) - size + 1, size)]

    def mean_s(self) -> float:
        """Mean time of a steady step."""
        return math.fsum(s.total_s for s in self.steady) / len(self.steady)

    def pass_start_s(self) -> float:
        """What the first step of a pass takes beyond a steady one, mean; 0 if no pass began."""
        first = [s.total_s for s in self.steps if s.begins_pass]
        return max(0.0, math.fsum(first) / len(first) - self.mean_s()) if first else 0.0


def repeat(
    step: Callable[[], StepTime],
    *,
    budget_s: float,
    on_step: Callable[[int, StepTime], None],
    fewest: int = 2,
    shortest_share: float = SHORTEST_SHARE,
    clock: Callable[[], float] = time.perf_counter,
) -> Series:
    """Repeat a step in blocks that double until two block means agree or the time is up.

    Args:
        step: Runs one step and times it.
        budget_s: Time to use at most; a step that would probably not end in time is not begun.
        on_step: Called after each step with its number from 0; may raise to stop.
        fewest: Steps to run even if the time is up.
        shortest_share: Share of the time to use even if the means agree.
        clock: A clock in seconds.
    """
    started = clock()
    times: list[StepTime] = []
    previous: float | None = None
    block: list[float] = []
    size = 1
    slowest_s = 0.0
    while len(times) < fewest or clock() - started + slowest_s <= budget_s:
        taken = step()
        times.append(taken)
        block.append(taken.total_s)
        slowest_s = max(taken.total_s, 0.5 * (slowest_s + taken.total_s))
        on_step(len(times) - 1, taken)
        if len(block) < size:
            continue
        mean = math.fsum(block) / len(block)
        agreed = previous is not None and abs(mean - previous) <= AGREEMENT * max(mean, previous)
        if agreed and len(times) >= fewest and clock() - started >= shortest_share * budget_s:
            return Series(tuple(times), settled=True)
        previous = mean
        size = max(2 * size, math.ceil(FIRST_BLOCK_S / max(mean, 1e-6)) if size == 1 else 0)
        block.clear()
    return Series(tuple(times), settled=False)


def spread(times_s: Sequence[float]) -> MeasuredStep:
    """Median, 5th and 95th percentile (linear interpolation) and count.

    Of few steps the interval is no narrower than these have been off.
    """
    low, median, high = (float(value) for value in np.percentile(times_s, (5, 50, 95)))
    if len(times_s) < FEWEST_STEPS:
        off = 1 + ONE_STEP_OFF / len(times_s)
        low, high = min(low, median / off), max(high, median * off)
    return MeasuredStep(median, low, high, len(times_s))
