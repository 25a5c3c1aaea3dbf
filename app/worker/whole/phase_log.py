"""What each phase of a ``fit`` needs and takes: whatever happened since the last mark belongs to the next one."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from app.core.types.whole import EpochEnd, MeasuredPhase, PhaseKind
from app.worker.backends.base import Memory
from app.worker.backends.memory_readings import peak_rss_bytes, reset_peak_rss, rss_bytes


@dataclass
class _Sum:
    """A phase as far as it has come."""

    seconds: float = 0.0
    times: int = 0
    device_bytes: int | None = None
    host_bytes: int | None = None


@dataclass
class PhaseLog:
    """Adds up phases by marks.

    Args:
        allocator: Of the device.
        begun_s: When the first phase began, by `time.perf_counter`.
    """

    allocator: Memory
    begun_s: float
    epochs: list[EpochEnd] = field(default_factory=list)
    _sums: dict[PhaseKind, _Sum] = field(default_factory=dict)
    _since_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._since_s = self.begun_s
        self._begin()

    def mark(self, kind: PhaseKind, *, times: int = 0) -> None:
        """All since the last mark was of this phase, which has come so many times more."""
        now_s, reading, host = time.perf_counter(), self.allocator.read(), peak_rss_bytes()
        found = self._sums.setdefault(kind, _Sum())
        found.seconds += now_s - self._since_s
        found.times += times
        found.device_bytes = _most(found.device_bytes, reading.peak_bytes if reading else None)
        found.host_bytes = _most(found.host_bytes, host)
        self._since_s = now_s
        self._begin()

    def end_epoch(self, traces: int) -> None:
        """Note what is there now.

        Args:
            traces: How often a step has been traced so far.
        """
        reading = self.allocator.read()
        current = reading.current_bytes if reading else None
        self.epochs.append(EpochEnd(time.perf_counter() - self.begun_s, current, rss_bytes(), traces))

    def phases(self) -> tuple[MeasuredPhase, ...]:
        """What has been found, in the order in which phases came first."""
        return tuple(
            MeasuredPhase(kind, one.seconds, max(1, one.times), one.device_bytes, one.host_bytes)
            for kind, one in self._sums.items()
        )

    def _begin(self) -> None:
        """Let the peaks begin anew."""
        self.allocator.reset_peak()
        reset_peak_rss()


def _most(one: int | None, other: int | None) -> int | None:
    """The larger of two that may be unknown."""
    known = [size for size in (one, other) if size is not None]
    return max(known, default=None)
