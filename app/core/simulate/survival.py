"""How much an allocator must be allowed to take, so that a training survives in it.

A cap of the free peak is not enough.  Memory comes in regions; a chunk lies within one, the last region gets
what the others left (``BFCAllocator::Extend``), and where regions grow by doubling, as on the host, a large
request may find no room although more than its size is free.  So requests, recorded or simulated, are replayed
under caps.
"""

from __future__ import annotations

from collections.abc import Callable

from app.core.simulate.bfc import BfcAllocator, OutOfDeviceMemory
from app.core.simulate.recorded_trace import RecordedReplay, RecordedTrace
from app.core.types.units import MIB

STEP_SHARE = 0.02
MOST_SHARE = 2.0
CONSECUTIVE = 3
"""A cap counts if the next ones survive as well: with a little more memory the last region becomes another one."""


def smallest_cap(survives: Callable[[int], bool], least_bytes: int) -> int:
    """The smallest cap from ``least_bytes`` on under which something survives, and under the next ones too.

    Args:
        survives: Does it, under a cap of so many bytes, a whole number of MiB?
        least_bytes: Below this nobody promises anything.
    """
    survived, share = 0, 1.0
    while share < MOST_SHARE and survived < CONSECUTIVE:
        survived = survived + 1 if survives(int(least_bytes * share) // MIB * MIB) else 0
        share += STEP_SHARE
    return int(least_bytes * (share - survived * STEP_SHARE))


def survivable_share(
    trace: RecordedTrace, batch_size: int, peak_bytes: int, *, accumulate: int = 1, regions_grow: bool = True
) -> float:
    """The smallest cap under which the first two updates go through, over the free peak.

    TensorFlow is more patient than this: an operation that gets no memory waits for another to release some
    (``AllocatorRetry``), which a replay in recorded order cannot.

    Args:
        trace: What the steps asked for.
        batch_size: Samples per step.
        peak_bytes: The free peak.
        accumulate: Steps that go into one update.
        regions_grow: As on the host, and on a card whose memory may grow; else all is one region.
    """

    def through(cap_bytes: int) -> bool:
        return survives(trace, batch_size, cap_bytes, accumulate, regions_grow)

    return smallest_cap(through, peak_bytes) / peak_bytes


def survives(trace: RecordedTrace, batch_size: int, cap_bytes: int, accumulate: int, regions_grow: bool) -> bool:
    """Do building and two updates go through under a cap?"""
    replay = RecordedReplay(trace, batch_size, BfcAllocator.limited(cap_bytes, on_host=regions_grow))
    try:
        for part in range(min(len(trace.starts), 2 * accumulate + 1) + 1):
            replay.step(part)
    except OutOfDeviceMemory:
        return False
    return True
