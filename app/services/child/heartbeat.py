"""Notices a child that has stopped to say anything, or to do anything."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

from app.core.types.messages import Phase, Progress, Reading
from app.probes.process_tree import ProcessTotals
from app.services.child.awake_clock import AwakeClock
from app.services.child.idleness import Idleness
from app.services.child.patience import Patience

_DUMP_S = 0.3
"""How long writing the stacks may take."""


class Heartbeat:
    """Every message is a beat.

    Args:
        patience: Longest silences.
        clock: Seconds that only grow; by default those in which the computer was awake.
        look: What the child and those it started have done so far; None for a child that cannot be seen.
    """

    def __init__(
        self,
        patience: Patience,
        clock: Callable[[], float] | None = None,
        look: Callable[[], ProcessTotals | None] | None = None,
    ) -> None:
        self._patience = patience
        self._clock = clock or AwakeClock()
        self._idleness = Idleness(look, self._clock) if look is not None else None
        self._last_s = self._clock()
        self._phase = "start"
        self._slowest_s: float | None = None
        self._stepped = False
        self._held = False

    def beat(self, message: object) -> None:
        """The child said something."""
        self._last_s = self._clock()
        if isinstance(message, Phase):
            self._phase, self._stepped = message.name, False
            self._held = message.name == "paused"  # until it is its turn again, its silence means nothing
        elif isinstance(message, Reading):
            self._stepped = True
            self._slowest_s = max(self._slowest_s or 0.0, message.step_s or 0.0)
        elif isinstance(message, Progress) and self._slowest_s is not None:
            self._stepped = True

    def overdue_s(self) -> float | None:
        """How long the child has been silent, if that is too long."""
        silent_s = self._clock() - self._last_s
        allowed_s = self._patience.allowed_s(self._phase, self._slowest_s, stepped=self._stepped)
        if self._phase == "compile" and min(silent_s, self._idle_s()) > self._patience.idle_s:
            return silent_s
        return silent_s if silent_s > allowed_s and not self._held else None

    def _idle_s(self) -> float:
        """How long the child has done nothing; 0 if that cannot be seen."""
        return self._idleness.idle_s() if self._idleness is not None else 0.0


def ask_where(pid: int) -> None:
    """Let the worker write the stacks of its threads to standard error (`app.worker.main`); not on Windows."""
    if sys.platform != "win32":
        try:
            os.kill(pid, signal.SIGUSR2)
        except OSError:
            return
        time.sleep(_DUMP_S)
