"""How large a block is in which XLA gives every result its place (xla/service/heap_simulator/heap_simulator.cc).

The largest comes first, and each goes into the smallest gap between those that are there at the same time; with those
that stay longest first it is tried as well, and the smaller block taken (``GlobalDecreasingSizeBestFitHeap``).  What is
alive at the worst moment is less: a hole is no use to what is larger.
"""

from __future__ import annotations

import numpy as np

TRIFLE_SHARE = 1e-3
"""Results smaller than this part of the largest one are not looked for a place: they find one wherever it is."""


def packed_bytes(sizes: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
    """Bytes of the block.

    Args:
        sizes: Bytes of each result.
        starts: When it is made.
        ends: When it is read last.
    """
    large = np.flatnonzero(sizes > sizes.max(initial=0.0) * TRIFLE_SHARE)
    sizes, starts, ends = sizes[large], starts[large], ends[large]
    lives = ends - starts
    by_size, by_life = np.lexsort((-lives, -sizes)), np.lexsort((-sizes, -lives))
    return min(_packed_in(order, sizes, starts, ends) for order in (by_size, by_life))


def _packed_in(order: np.ndarray, sizes: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
    """The same in one order."""
    sizes, starts, ends = sizes[order], starts[order], ends[order]
    places = np.zeros(len(sizes))
    for index, size in enumerate(sizes):
        beside = np.flatnonzero((starts[:index] <= ends[index]) & (ends[:index] >= starts[index]))
        below = places[beside]
        first = np.argsort(below, kind="stable")
        below, above = below[first], np.maximum.accumulate(below[first] + sizes[beside][first])
        gap_starts = np.concatenate(([0.0], above))
        gaps = np.append(below, np.inf) - gap_starts
        fitting = np.flatnonzero(gaps >= size)
        places[index] = gap_starts[fitting[np.argmin(gaps[fitting])]]
    return float(np.max(places + sizes, initial=0.0))
