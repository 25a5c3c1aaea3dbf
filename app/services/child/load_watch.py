"""What other programs use of the processor while a child measures it, seen from the parent."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.core.types.messages import Phase
from app.probes.sampler import Sampler
from app.services.child.child_jobs import EventSink
from app.services.child.watch import Event

MEASURING = "measure"
"""The child's phase that counts."""
PAUSE_S = 0.5
"""Between two readings at least."""


class LoadWatch:
    """Reads the machine when the child says something, from its phase `MEASURING` on.

    Args:
        on_event: Hears everything too.
        clock: Seconds that only grow.
    """

    def __init__(self, on_event: EventSink | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._on_event = on_event
        self._clock = clock
        self._sampler: Sampler | None = None
        self._measuring = False
        self._spans: list[tuple[float, float]] = []
        self._read_s = 0.0

    def on_started(self, pid: int) -> None:
        """The child runs."""
        self._sampler = Sampler(pid, clock=self._clock, nvml=None)

    def on_event(self, event: Event) -> None:
        """The child said something: read what others did since it last spoke."""
        if isinstance(event, Phase):
            if self._measuring:
                self._take(0.0)
            self._measuring = event.name == MEASURING
            if self._measuring and self._sampler is not None:
                self._read_s = self._clock()
                self._sampler.take()
        elif self._measuring:
            self._take(PAUSE_S)
        if self._on_event is not None:
            self._on_event(event)

    def others_percent(self) -> float | None:
        """Mean use of the whole processor by everything else, 0..100; None if it is not known."""
        whole_s = sum(span_s for span_s, _ in self._spans)
        return sum(span_s * percent for span_s, percent in self._spans) / whole_s if whole_s else None

    def _take(self, pause_s: float) -> None:
        """One reading, if the last is so long ago."""
        span_s = self._clock() - self._read_s
        if self._sampler is None or span_s < pause_s:
            return
        self._read_s += span_s
        percent = self._sampler.take().others_cpu_percent
        if percent is not None:
            self._spans.append((span_s, percent))
