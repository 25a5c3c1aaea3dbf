"""A clock that stands still while the computer sleeps or this process is stopped.

A laptop that is closed in the middle of a run must not make its child look hung, and a time limit is meant for
time in which something could happen.  Linux does not count such time in its monotonic clock, Windows does
(https://peps.python.org/pep-0418/#time-monotonic); a process that is stopped sees it everywhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LONGEST_LOOK_S = 5.0
"""Whoever uses the clock looks several times a second: a longer pause between two looks was spent asleep."""


def boot_time_s() -> float:
    """Seconds since the machine started, sleep included, where the system tells; else the monotonic clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class AwakeClock:
    """Seconds in which somebody looked at this clock; any thread may.

    Args:
        clock: Seconds that only grow.
        with_sleep: The same, with the time that the machine slept.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, with_sleep: Callable[[], float] = boot_time_s
    ) -> None:
        self._clock, self._with_sleep = clock, with_sleep
        self._lock = threading.Lock()
        self._started_s, self._seen_s = with_sleep(), clock()
        self._awake_s = 0.0

    def __call__(self) -> float:
        """Seconds awake since this clock was made."""
        with self._lock:
            now_s = self._clock()
            passed_s, self._seen_s = now_s - self._seen_s, now_s
            if passed_s < LONGEST_LOOK_S:
                self._awake_s += passed_s
            return self._awake_s

    def asleep_s(self) -> float:
        """Seconds of sleep since this clock was made."""
        awake_s = self()
        return max(0.0, self._with_sleep() - self._started_s - awake_s)
