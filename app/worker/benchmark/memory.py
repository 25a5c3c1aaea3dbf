"""The allocator's bytes at every step of the measurement (case S3: epoch start, chosen batches, epoch end)."""

from __future__ import annotations

import time

from app.core.runs.memory_course import MemoryLog
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.workload import Dataset, Plan, steps_per_epoch
from app.worker.backends.base import Memory


class MemoryWatch:
    """Reads the allocator after each step, which takes microseconds and is outside of the step's time.

    On a CPU the input pipeline's tensors are counted too: they come from the same allocator.
    """

    def __init__(self, plan: Plan, dataset: Dataset | None) -> None:
        samples = dataset.samples if dataset is not None else None
        self._log = MemoryLog(steps_per_epoch(samples, plan.batch_size))
        self._allocator: Memory | None = None
        self._begun_s = 0.0

    def begin(self, allocator: Memory) -> None:
        """The measurement begins: let the peak begin anew."""
        self._begun_s = time.perf_counter()
        allocator.reset_peak()
        reading = allocator.read()
        if reading is not None:
            self._allocator = allocator
            self._log.begin(reading.current_bytes, reading.peak_bytes)

    def step(self) -> None:
        """A step is done."""
        reading = self._allocator.read() if self._allocator is not None else None
        if reading is not None:
            self._log.step(time.perf_counter() - self._begun_s, reading.current_bytes, reading.peak_bytes)

    def points(self) -> tuple[MemoryPoint, ...]:
        """What was read; empty where the device keeps no count."""
        return self._log.points()
