"""A glance at the processor: what it reaches in a third of a second, before anybody has measured it.

A data sheet does not tell the clock that all cores keep up, nor how much of the memory's bandwidth this program's share
of a machine gets; the same two figures from NumPy come near what TensorFlow's kernels reach.
"""

from __future__ import annotations

import itertools
import statistics
import threading
import time
from collections.abc import Callable

import numpy as np

from app.core.types.machine import Glance

SIDE = 1024
"""Of square matrices whose product is large enough for all cores, and takes 7 to 70 ms on two of them."""
LOOK_S = 0.12
FEWEST = 3
ADDED_BYTES = 8 << 20
"""Of each array in an addition: about what a layer of images takes."""
MOST_THREADS = 4
"""That add at once: so many take all of the bandwidth."""


def glance(cores: float) -> Glance:
    """Look at this machine's processor now.

    Args:
        cores: That this program may use.
    """
    a, b = (np.ones((SIDE, SIDE), np.float32) for _ in range(2))
    product_s = _usual_s(lambda: np.matmul(a, b))
    threads = max(1, min(MOST_THREADS, int(cores)))
    return Glance(2.0 * SIDE**3 / product_s, threads * 3 * ADDED_BYTES / _addition_s(threads))


def _addition_s(threads: int) -> float:
    """An addition in every thread at once, of which each has its own arrays; NumPy lets all of them run."""
    sets = [[np.ones(ADDED_BYTES // 4, np.float32) for _ in range(3)] for _ in range(threads)]
    times: list[float] = [0.0] * threads
    together = threading.Barrier(threads)

    def add(number: int) -> None:
        x, y, made = sets[number]
        together.wait()
        times[number] = _usual_s(lambda: np.add(x, y, out=made))

    working = [threading.Thread(target=add, args=(number,)) for number in range(threads)]
    for one in working:
        one.start()
    for one in working:
        one.join()
    return statistics.mean(times)


def _usual_s(call: Callable[[], object]) -> float:
    """The median of calls after the first, which takes its memory."""
    call()
    times: list[float] = []
    begun = time.perf_counter()
    for number in itertools.count():
        started = time.perf_counter()
        if number >= FEWEST and started - begun >= LOOK_S:
            break
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)
