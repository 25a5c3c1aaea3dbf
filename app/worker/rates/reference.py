"""A fixed piece of work, timed beside a measurement to see whether the machine's own speed moved.

Shared servers and laptops drift by a third within minutes.  A product of two matrices on the device under
test and with the framework's own threads: other threads beside these would measure their quarrel.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from app.core.runs.steadiness import NOTABLE_MOVE
from app.worker.backends.base import Backend

_SIZE_CPU = 512
_SIZE_GPU = 4096
_FEWEST = 20
_TIME_S = 0.15
_MOST = 1000
_SHORT = 6
REFERENCE_S = 0.2
"""Kept for the full reading after a measurement."""
SHORTEST_PAUSE_S = 1.0
COST = 0.01
"""Share of a measurement's time that timing the reference beside it may take.  Meanwhile an input pipeline reads ahead:
a run that waits for its data looks faster by at most as much."""


class Reference:
    """The work, and how long it takes now.

    Args:
        on_gpu: Is the device a GPU?
        backend: Computes and waits for the device.
    """

    def __init__(self, on_gpu: bool, backend: Backend) -> None:
        self._multiply = backend.multiplication(_SIZE_GPU if on_gpu else _SIZE_CPU)
        self._sync = backend.synchronise

    def time_s(self) -> float:
        """Median time of one repetition, after a quarter of warm-up."""
        times: list[float] = []
        begun = time.perf_counter()
        while len(times) < _FEWEST or (time.perf_counter() - begun < _TIME_S and len(times) < _MOST):
            times.append(self._once_s())
        return statistics.median(times[len(times) // 4 :])

    def short_s(self) -> float:
        """The same from a few repetitions, of which the first finds other work's data in the caches."""
        times = [self._once_s() for _ in range(_SHORT)]
        return statistics.median(times[_SHORT // 3 :])

    def _once_s(self) -> float:
        """One repetition."""
        started = time.perf_counter()
        self._multiply()
        self._sync()
        return time.perf_counter() - started


class SpeedLog:
    """Times the reference beside a measurement, seldom enough to cost it nothing.

    Args:
        reference: The work.
        clock: A clock in seconds.

    Attributes:
        times_s: All readings, the first taken at once.
    """

    def __init__(self, reference: Reference, clock: Callable[[], float] = time.perf_counter) -> None:
        self._reference = reference
        self._clock = clock
        self._next_s = 0.0
        self._doubted_s: float | None = None
        self.times_s: list[float] = []
        self.take()

    def take(self) -> None:
        """A full reading."""
        self.times_s.append(self._reference.time_s())
        self._wait_for(0.0)

    def beside(self) -> None:
        """A short reading if one is due; call it between two steps, whose times it does not enter.

        One that is slow is taken again after the next step, and the faster of both counts: where a window was drawn or
        a mail arrived at that moment, that says nothing of the steps.
        """
        if self._clock() < self._next_s:
            return
        started, doubted_s = self._clock(), self._doubted_s
        now_s = self._reference.short_s()
        if doubted_s is None and now_s > (1 + NOTABLE_MOVE) * min(self.times_s):
            self._doubted_s = now_s
            return
        self.times_s.append(now_s if doubted_s is None else min(now_s, doubted_s))
        self._doubted_s = None
        readings = 1 if doubted_s is None else 2
        self._wait_for(readings * (self._clock() - started))

    def drift(self) -> float | None:
        """Relative change from the first reading to the last; positive means slower."""
        return drift(self.times_s[0], self.times_s[-1]) if len(self.times_s) > 1 else None

    def _wait_for(self, cost_s: float) -> None:
        """The next short reading is due when it costs at most `COST` of the time."""
        self._next_s = self._clock() + max(SHORTEST_PAUSE_S, cost_s / COST)


def drift(before_s: float, after_s: float) -> float:
    """Relative change; positive means slower."""
    return after_s / before_s - 1
