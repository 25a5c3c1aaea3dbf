"""Tells a child that works in silence from one that waits for nothing."""

from __future__ import annotations

from collections.abc import Callable

from app.probes.process_tree import ProcessTotals

LOOK_S = 5.0
"""So often it is looked at: reading a process and what it started takes a millisecond."""

NOTICED_CPU_S = 0.5
"""Of processor time that counts as work.  Threads that only look whether there is something to do take less in two
minutes; a compiler takes more in one second, or in a minute on a machine that gives it a hundredth of a core."""


class Idleness:
    """How long a process and those it started have done nothing: no processor time to speak of, nothing read.

    Args:
        look: What they have done so far; None where that cannot be seen.
        clock: Seconds that only grow.
    """

    def __init__(self, look: Callable[[], ProcessTotals | None], clock: Callable[[], float]) -> None:
        self._look, self._clock = look, clock
        self._seen: ProcessTotals | None = None
        self._seen_s = self._looked_s = clock()

    def idle_s(self) -> float:
        """Seconds since work was last noticed; 0 if nobody can see it."""
        now_s = self._clock()
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            found = self._look()
            if found is None or self._seen is None or self._worked(self._seen, found):
                self._seen, self._seen_s = found, now_s
        return now_s - self._seen_s if self._seen is not None else 0.0

    @staticmethod
    def _worked(before: ProcessTotals, now: ProcessTotals) -> bool:
        """Was something done between two looks?  A process that ended takes its figures with it."""
        gained_s = now.cpu_s - before.cpu_s
        return not 0 <= gained_s < NOTICED_CPU_S or now.read_bytes != before.read_bytes or now.pids != before.pids
