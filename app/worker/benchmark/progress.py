"""What a benchmark tells while it runs: readings of its steps, how far it is, and how much of its time is left."""

from __future__ import annotations

import time

from app.core.types.text import phrase
from app.core.types.units import format_number
from app.worker.backends.base import Memory
from app.worker.benchmark.timing import StepTime
from app.worker.channel import Channel

PROGRESS_INTERVAL_S = 0.2
COMPILED_SHARE = 0.15
"""Where the progress stands when the step has been compiled."""


class RunProgress:
    """Counts steps and time, and tells the parent about both.

    Args:
        channel: To the parent.
        memory: The device's allocator.
        seconds: Time to use, counted from `begin`.

    Attributes:
        steps: Steps told of so far.
    """

    def __init__(self, channel: Channel, memory: Memory, seconds: float) -> None:
        self._channel = channel
        self._memory = memory
        self._seconds = seconds
        self._begun = time.perf_counter()
        self._next_progress_s = 0.0
        self._reserved_s = 0.0
        self.steps = 0

    def phase(self, name: str) -> None:
        """Another phase begins."""
        self._channel.phase(name)

    def begin(self) -> None:
        """The time counts from here."""
        self._begun = time.perf_counter()

    def reserve(self, seconds: float) -> None:
        """Leave so much of the time for what comes at the end."""
        self._reserved_s = seconds

    def left_s(self) -> float:
        """What is left of the time but for what is reserved; waiting for turns does not count."""
        return self._seconds - self._reserved_s - (time.perf_counter() - self._begun - self._channel.paused_s)

    def report(self, taken: StepTime | None, text: str) -> None:
        """Call it after each step: obeys a cancel, sends a reading and the progress if they are due.

        Args:
            taken: The step; None for work without one.
            text: What is being done.

        Raises:
            JobCancelled: The parent cancelled.
        """
        self._channel.check()
        if taken is not None:
            self.steps += 1
            self._send_reading(taken)
        now_s = self._channel.elapsed_s()
        if now_s >= self._next_progress_s:
            self._next_progress_s = now_s + PROGRESS_INTERVAL_S
            left_s = max(0.0, self.left_s())
            share = 1 - left_s / self._seconds if self._seconds > 0 else 1.0
            fraction = COMPILED_SHARE + (1 - COMPILED_SHARE) * share
            self._channel.progress(
                fraction, phrase("{text}, at most {left} s left", text=text, left=format_number(left_s, ".0f"))
            )

    def _send_reading(self, taken: StepTime) -> None:
        """A reading, if one is due."""
        if self._channel.reading_due():
            memory = self._memory.read()
            self._channel.reading(
                step=self.steps,
                step_s=taken.total_s,
                current_bytes=memory.current_bytes if memory else None,
                peak_bytes=memory.peak_bytes if memory else None,
                held_bytes=memory.held_bytes if memory else None,
            )
