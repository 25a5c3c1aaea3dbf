"""A glance at the processor: what it reaches in a fifth of a second, before anybody has measured it.

A data sheet does not tell the clock that all cores keep up, nor how much of the memory's bandwidth this program's share
of a machine gets; the same two figures from NumPy come near what TensorFlow's kernels reach.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable

import numpy as np

from app.core.types.machine import Glance

SIDE = 64
"""Of square matrices whose product OpenBLAS leaves to one thread (interface/gemm.c, ``GEMM_MULTITHREAD_THRESHOLD``)."""
STACKED = 128
"""So many in one call, which lets other threads of this program run and asks them back once."""
SMALL_SHARE = 0.92
"""What such a product reaches of a core's share of a large one (docs/evidence.md, "Rates of a processor that was not
measured")."""
LOOK_S, LONGEST_S = 0.1, 0.5
"""Of this thread's time; by the clock, if other threads have most of it."""
FEWEST = 5
ADDED_BYTES = 8 << 20
"""Of each array in an addition: about what a layer of images takes."""
MOST_THREADS = 4
"""That add at once: so many take all of the bandwidth."""


def glance(cores: float) -> Glance:
    """Look at this machine's processor now.

    What counts is the time that a thread has computed, so that a window that is just opening, or another program beside
    this one, changes little.

    Args:
        cores: That this program may use.
    """
    a, b, made = (np.ones((STACKED, SIDE, SIDE), np.float32) for _ in range(3))
    product_s = _usual_s(lambda: np.matmul(a, b, out=made)) / STACKED
    threads = max(1, min(MOST_THREADS, int(cores)))
    return Glance(cores * 2.0 * SIDE**3 / product_s / SMALL_SHARE, threads * 3 * ADDED_BYTES / _addition_s(threads))


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
    """The median of what calls take of this thread's time, after the first, which takes its memory."""
    call()
    times: list[float] = []
    until_s = time.perf_counter() + LONGEST_S
    while len(times) < FEWEST or (sum(times) < LOOK_S and time.perf_counter() < until_s):
        started = time.thread_time()
        call()
        times.append(time.thread_time() - started)
    return statistics.median(times)
