"""The batch axis of one step: the largest batch that fits, the best one, and which of them the chart shows.

The allocator's overhead wobbles from batch to batch, so a peak may fall by a fraction of a per cent where the batch
grows; "largest" is the end of a stretch of batches that fit, found from a guess by growing strides and bisection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

LARGEST_BATCH = 1 << 22

GOOD_ENOUGH_THROUGHPUT = 0.95
"""A batch counts as best if no larger one that fits is more than 5 % faster."""

ROOM_LEFT = 0.015
"""Of what a card's allocator may take the largest batch leaves so much: a step that is followed well is told within one
percent of the truth, above or below, and many batches that were told without room died by as little; docs/evidence.md,
"The largest batch on a card"."""
ROOM_LEFT_OP_BY_OP = 0.023
"""The same where threads start operations as they come: there one training in ten takes 1.7 % more than the same did
before, beside the error above (67 rows of studies/accuracy/memory_card were trained twice; compiled ones repeat
themselves)."""

POINTS_PER_OCTAVE = 2

Speed = Callable[[int], float | None]
"""Samples per second at a batch size; None if nobody knows."""


def charted(batch_size: int, largest: int | None, best: int | None) -> list[int]:
    """Batches from 1 to well beyond what fits, the best one among them, two points an octave."""
    end = max(4 * batch_size, min(4 * (largest or 0), 256 * batch_size), best or 0, 64)
    octaves = (end - 1).bit_length()
    return sorted({round(2 ** (i / POINTS_PER_OCTAVE)) for i in range(POINTS_PER_OCTAVE * octaves + 1)})


class Speeds(Protocol):
    """Samples per second at any batch size; None if nobody knows."""

    def samples_per_s(self, batch_size: int) -> float | None:
        """Of the whole step, as it is told."""

    def device_samples_per_s(self, batch_size: int) -> float | None:
        """Of the device alone."""


def best_batch(comfortable: int | None, speeds: Speeds, batch_size: int) -> int | None:
    """The smallest power of two up to ``comfortable`` that is nearly as fast as the fastest, and worth changing to.

    Where the input is what is waited for all batches are equally fast; then the device decides.

    Args:
        comfortable: The largest batch with room for its interval.
        speeds: At any batch size.
        batch_size: The one that is asked about: if it is not nearly as fast itself, the best one is faster by
            as much as counts.
    """
    candidates = [1 << i for i in range((comfortable or 0).bit_length())]
    device = _known(candidates, speeds.device_samples_per_s)
    told = _known(list(device), speeds.samples_per_s)
    if not told:
        return None
    fastest, own = max(told.values()), speeds.samples_per_s(batch_size) or 0.0
    enough = GOOD_ENOUGH_THROUGHPUT * fastest
    if own < enough:
        enough = max(enough, min(fastest, own / GOOD_ENOUGH_THROUGHPUT))
    near = [batch for batch, rate in told.items() if rate >= enough]
    busy = GOOD_ENOUGH_THROUGHPUT * max(device.values())
    return next((batch for batch in near if device[batch] >= busy), near[0])


def _known(batches: list[int], speed: Speed) -> dict[int, float]:
    """The speeds that are known, smallest batch first."""
    rates = {batch: speed(batch) for batch in batches}
    return {batch: rate for batch, rate in rates.items() if rate is not None}


NEAR = 32
"""One in so many is the first step away from where a batch is looked for."""


def largest_that(fits: Callable[[int], bool]) -> int:
    """The end of the very first stretch of batches for which ``fits`` holds, 0 if one sample does not fit."""
    if not fits(1):
        return 0
    low = 1
    while low < LARGEST_BATCH and fits(2 * low):
        low *= 2
    return LARGEST_BATCH if low >= LARGEST_BATCH else _between(fits, low, 2 * low)


def largest_around(fits: Callable[[int], bool], guess: int) -> int:
    """The largest batch that fits, likely near ``guess``: asks about few batches, each dear.

    Where ``fits`` holds for all smaller batches, too, it is `largest_that`, wherever it is begun.

    Args:
        fits: Does a batch fit.
        guess: Where to begin.
    """
    if guess and not fits(guess):
        return _between(fits, *bracket_below(fits, guess))
    low, stride = guess, max(1, guess // NEAR)
    while low < LARGEST_BATCH and fits(low + stride):
        low, stride = low + stride, 2 * stride
    return LARGEST_BATCH if low >= LARGEST_BATCH else _between(fits, low, low + stride)


def bracket_below(fits: Callable[[int], bool], high: int) -> tuple[int, int]:
    """A batch that fits, or 0, and one above it that does not, begun with ``high``, which does not."""
    stride = max(1, high // NEAR)
    while (low := max(0, high - stride)) and not fits(low):
        high, stride = low, 2 * stride
    return low, high


def _between(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest batch that fits, between one that does (or none at all) and one that does not."""
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
