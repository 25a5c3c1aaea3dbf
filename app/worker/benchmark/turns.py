"""Measure in turns: a stretch of steps whenever the parent says so, so that several children share one machine.

Steps at the start of a turn meet caches and clocks that the others left behind, so the first one is run but does
not count, unless steps are so long that it would cost a notable part of the turn.  An input pipeline fills its
buffers while its child waits; the parent then asks for a lead during which they are used up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

from app.core.types.messages import Paused, Resume
from app.worker.benchmark.timing import Series, StepTime
from app.worker.channel import Channel

UNCOUNTED_SHARE = 0.2
"""The first step of a turn is left out of the figures if it takes less of the turn than this."""


class Repeat(Protocol):
    """How steps are repeated: `app.worker.benchmark.timing.repeat` or in turns."""

    def __call__(
        self,
        step: Callable[[], StepTime],
        *,
        budget_s: float,
        on_step: Callable[[int, StepTime], None],
        fewest: int = 2,
    ) -> Series:
        """Run steps until enough is known."""
        ...


class InTurns:
    """Repeats a step in the turns that the parent gives; the time budget is the parent's.

    Args:
        channel: To the parent.
        group: Steps of one update; a turn runs whole updates.
    """

    def __init__(self, channel: Channel, group: int = 1) -> None:
        self._channel = channel
        self._group = group

    def __call__(
        self,
        step: Callable[[], StepTime],
        *,
        budget_s: float,
        on_step: Callable[[int, StepTime], None],
        fewest: int = 2,
    ) -> Series:
        """Pause, and take turns until there are no more.

        Args:
            step: Runs one step and times it.
            budget_s: Not used, nor is ``fewest``.
            on_step: Called after each step that counts with its number from 0; may raise to stop.
            fewest: A turn runs one update at least.
        """
        counted: list[StepTime] = []
        turn = self._pause(Paused())
        while turn.seconds > 0:
            done = self._turn(step, turn, lambda taken: on_step(len(counted) - 1, taken), counted)
            turn = self._pause(done)
        return Series(tuple(counted), settled=True)

    def _turn(
        self, step: Callable[[], StepTime], turn: Resume, on_step: Callable[[StepTime], None], counted: list[StepTime]
    ) -> Paused:
        """Run steps for some seconds and say what those within a pass over the data took."""
        before, begun_s = len(counted), time.perf_counter()
        cpu_s, wall_s = time.process_time(), begun_s
        update = self._update(step)
        short = time.perf_counter() - begun_s < UNCOUNTED_SHARE * turn.seconds
        while short or time.perf_counter() - begun_s < turn.lead_s:
            cpu_s, wall_s, short = time.process_time(), time.perf_counter(), False
            update = self._update(step)
        while True:
            for taken in update:
                counted.append(taken)
                on_step(taken)
            if time.perf_counter() - begun_s >= turn.seconds:
                break
            update = self._update(step)
        steady = Series(tuple(counted[before:]), settled=True).steady
        spent_s = math.fsum(taken.total_s for taken in steady)
        share = spent_s / max(spent_s, time.perf_counter() - wall_s)  # the rest went into telling about the steps
        return Paused(len(steady), spent_s, share * (time.process_time() - cpu_s))

    def _update(self, step: Callable[[], StepTime]) -> list[StepTime]:
        """The steps of one update."""
        self._channel.check()
        return [step() for _ in range(self._group)]

    def _pause(self, done: Paused) -> Resume:
        """Wait for the next turn; the phases tell when this child measures."""
        self._channel.phase("paused")
        turn = self._channel.pause(done)
        if turn.seconds > 0:
            self._channel.phase("measure")
        return turn
