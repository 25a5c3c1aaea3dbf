"""A fixed piece of work, timed beside a measurement to see whether the machine's own speed moved.

Shared servers and laptops drift by a third within minutes.  A product of two matrices on the device under
test and with the framework's own threads: other threads beside these would measure their quarrel.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from app.worker.benchmark_timing import percentile

_SIZE_CPU = 512
_SIZE_GPU = 4096
_FEWEST = 20
_TIME_S = 0.15
_MOST = 1000


class Reference:
    """The work, and how long it takes now.

    Args:
        on_gpu: Is the device a GPU?
        sync: Waits for the device.
    """

    def __init__(self, on_gpu: bool, sync: Callable[[], None]) -> None:
        import tensorflow as tf

        size = _SIZE_GPU if on_gpu else _SIZE_CPU
        self._matrix = tf.random.stateless_uniform((size, size), seed=(0, 0))
        self._multiply = tf.linalg.matmul
        self._sync = sync

    def time_s(self) -> float:
        """Median time of one repetition, after a quarter of warm-up."""
        times: list[float] = []
        begun = time.perf_counter()
        while len(times) < _FEWEST or (time.perf_counter() - begun < _TIME_S and len(times) < _MOST):
            started = time.perf_counter()
            self._multiply(self._matrix, self._matrix)
            self._sync()
            times.append(time.perf_counter() - started)
        return percentile(sorted(times[len(times) // 4 :]), 0.5)


def drift(before_s: float, after_s: float) -> float:
    """Relative change; positive means slower."""
    return after_s / before_s - 1
