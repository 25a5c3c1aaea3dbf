"""Live readings for the Machine panel: one thread that samples every two seconds, slower while a run measures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from app.ui.kit.bridge import Outcome, Runner, Task
from app.ui.machine.state_machine import LiveReading

FIRST_S = 0.3
NORMAL_S = 2.0
SLOW_S = 3.0

Source = Callable[[], AbstractContextManager[Callable[[], LiveReading]]]


@contextmanager
def sampler_source() -> Iterator[Callable[[], LiveReading]]:
    """Readings of this machine; opened in the thread that samples."""
    from app.probes.sampler import Sampler

    with Sampler() as sampler:

        def read() -> LiveReading:
            now = sampler.take()
            gpu = now.gpus[0] if now.gpus else None
            return LiveReading(
                cpu_percent=now.cpu_percent,
                ram_used_bytes=now.ram_used_bytes,
                gpu_percent=gpu.utilization_percent if gpu else None,
                gpu_memory_used_bytes=gpu.memory_used_bytes if gpu else None,
                disk_read_bytes_per_s=now.disk_read_bytes_per_s,
            )

        yield read


class LiveFeed:
    """Calls ``shown`` in the main thread with each reading."""

    def __init__(self, runner: Runner, source: Source, shown: Callable[[LiveReading], None]) -> None:
        self._runner = runner
        self._source = source
        self._shown = shown
        self._interval_s = NORMAL_S
        self._task: Task | None = None

    def start(self) -> None:
        """Start to sample; nothing if it runs already."""
        if self._task is None:
            self._task = self._runner.run("live", self._sample, self._on_ended, self._shown)

    def set_slow(self, slow: bool) -> None:
        """Sample less often while a benchmark measures."""
        self._interval_s = SLOW_S if slow else NORMAL_S

    def _sample(self, sink: Callable[[Any], None], cancel: threading.Event) -> None:
        """Thread body."""
        with self._source() as read:
            sink(read())
            wait_s = FIRST_S
            while not cancel.wait(wait_s):
                sink(read())
                wait_s = self._interval_s

    def _on_ended(self, _outcome: Outcome) -> None:
        """Allow another start."""
        self._task = None
