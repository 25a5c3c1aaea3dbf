"""How long the window's thread does not turn: a watchdog that is asked for every millisecond.

``cpu`` is what the thread itself computed between two turns, which other programs cannot lengthen; ``wall`` is what
passed meanwhile.  Blocking calls show in ``wall`` only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer

FRAME_S = 0.016


@dataclass(frozen=True)
class Stall:
    """Time between two turns of the event loop."""

    wall_s: float
    cpu_s: float


class Watchdog:
    """Collects the stalls of the main thread between `start` and `stop`."""

    def __init__(self) -> None:
        self._stalls: list[Stall] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._wall = self._cpu = 0.0

    def start(self) -> None:
        """Begin anew."""
        self._stalls = []
        self._wall, self._cpu = time.perf_counter(), time.thread_time()
        self._timer.start(1)

    def stop(self) -> list[Stall]:
        """End; the stalls in order, what has not turned yet included."""
        self._tick()
        self._timer.stop()
        return self._stalls

    def _tick(self) -> None:
        """A turn of the event loop."""
        wall, cpu = time.perf_counter(), time.thread_time()
        self._stalls.append(Stall(wall - self._wall, cpu - self._cpu))
        self._wall, self._cpu = wall, cpu


def longest(stalls: list[Stall]) -> Stall:
    """The longest stall by what the thread computed, and the longest by the clock."""
    return Stall(max((s.wall_s for s in stalls), default=0.0), max((s.cpu_s for s in stalls), default=0.0))
