"""How much an allocator must be allowed to take, so that a training survives in it.

A cap of the free peak is not enough.  Memory comes in regions; a chunk lies within one, the last region gets
what the others left (``BFCAllocator::Extend``), and where regions grow by doubling, as on the host, a large
request may find no room although more than its size is free.  So the recorded requests are replayed under caps.
"""

from __future__ import annotations

from app.core.bfc import FIRST_REGION_BYTES, BfcAllocator, OutOfDeviceMemory
from app.core.recording import Recording, Replay
from app.core.units import MIB

STEP_SHARE = 0.02
MOST_SHARE = 2.0
CONSECUTIVE = 3
"""A cap counts if the next ones survive as well: with a little more memory the last region becomes another one."""


def survivable_share(
    recording: Recording, batch_size: int, peak_bytes: int, *, accumulate: int = 1, regions_grow: bool = True
) -> float:
    """The smallest cap under which the first two updates go through, over the free peak.

    TensorFlow is more patient than this: an operation that gets no memory waits for another to release some
    (``AllocatorRetry``), which a replay in recorded order cannot.

    Args:
        recording: What the steps asked for.
        batch_size: Samples per step.
        peak_bytes: The free peak.
        accumulate: Steps that go into one update.
        regions_grow: As on the host, and on a card whose memory may grow; else all is one region.
    """
    survived = 0
    share = 1.0
    while share < MOST_SHARE and survived < CONSECUTIVE:
        cap = int(peak_bytes * share) // MIB * MIB
        survived = survived + 1 if survives(recording, batch_size, cap, accumulate, regions_grow) else 0
        share += STEP_SHARE
    return share - survived * STEP_SHARE


def survives(recording: Recording, batch_size: int, cap_bytes: int, accumulate: int, regions_grow: bool) -> bool:
    """Do building and two updates go through under a cap?"""
    first = FIRST_REGION_BYTES if regions_grow else max(FIRST_REGION_BYTES, cap_bytes)
    replay = Replay(recording, batch_size, BfcAllocator(cap_bytes, first))
    try:
        for part in range(min(len(recording.starts), 2 * accumulate + 1) + 1):
            replay.step(part)
    except OutOfDeviceMemory:
        return False
    return True
