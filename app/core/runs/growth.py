"""What an epoch leaves behind: growth from epoch to epoch, its place, and the epoch in which it ends a training.

Epochs are short here and a training's are long, yet what a callback keeps, a program that is traced anew or a cache
adds comes once an epoch or once a step; what comes with the steps is scaled by their number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import median

from app.core.types.basis import Range
from app.core.types.units import KIB, MIB
from app.core.types.whole import EpochEnd, Growth, Place

SETTLING_EPOCHS = 2
"""In the first, buffers and the iterator of the validation come to be; in the second, a callback's first copy."""
FEWEST_EPOCHS = 3
"""After those: fewer show no trend."""
DEVICE_NOISE_BYTES = 64 * KIB
HOST_NOISE_BYTES = 2 * MIB
"""An epoch that leaves less behind is not told: batches ahead, arenas and Python's own pools come and go.  The process
of a clean program grew by less in each of twenty (`studies.accuracy.whole_fit`)."""
STEADY_SHARE = 0.8
"""A leak comes in nearly every epoch; what happened once or twice is none.  All of four steps: three of four rise by
chance in five of sixteen programs whose allocator wavers (three of twenty did, `studies.accuracy.whole_fit`), all four
in one."""
ALIKE_SHARE = 0.25
"""Of the typical step, that the others take at least: what is forgotten is as large in every epoch."""


def growths(
    epochs: Sequence[EpochEnd], *, device_left_bytes: int | None, host_left_bytes: int | None
) -> tuple[Growth, ...]:
    """What grows from epoch to epoch; nothing for a clean training.

    Args:
        epochs: The ends of all epochs that were run.
        device_left_bytes: What the device allows beyond the peak of the last epoch that was run.
        host_left_bytes: Likewise in RAM.
    """
    settled = epochs[SETTLING_EPOCHS - 1 :]
    if len(settled) <= FEWEST_EPOCHS:
        return ()
    found = []
    traced = [b.traces > a.traces for a, b in itertools.pairwise(settled)]
    retraced = sum(traced) >= STEADY_SHARE * len(traced)
    device = grown([one.device_bytes for one in settled], DEVICE_NOISE_BYTES)
    if device is not None:
        found.append(_growth("device", device, device_left_bytes, len(epochs)))
    host = grown([one.host_bytes for one in settled], HOST_NOISE_BYTES)
    if host is not None and (device is None or host.value > 2 * device.value):
        place: Place = "tracing" if retraced else "host"
        found.append(_growth(place, host, host_left_bytes, len(epochs)))
    return tuple(found)


def grown(sizes: Sequence[int | None], noise_bytes: float) -> Range | None:
    """Bytes that an epoch adds; None where nothing grows or nobody has counted.

    The median of the epochs' own steps, between their quartiles: what is kept may be given a chunk of up to twice its
    size (`app.core.simulate.bfc`), which now and then makes one step larger and says nothing of the next ones.
    """
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes) or len(known) < FEWEST_EPOCHS:
        return None
    steps = sorted(b - a for a, b in itertools.pairwise(known))
    typical = median(steps)
    rising = sum(step > max(noise_bytes, ALIKE_SHARE * typical) for step in steps)
    if typical <= noise_bytes or rising < STEADY_SHARE * len(steps):
        return None
    ends = steps[len(steps) // 4], steps[-1 - len(steps) // 4]
    return Range(typical, *ends).ordered


def _growth(place: Place, added: Range, left_bytes: int | None, ran: int) -> Growth:
    """What grows, and the last epoch that it lets end."""
    last = None if left_bytes is None else ran + math.floor(max(0, left_bytes) / added.value)
    return Growth(place, added, last)
