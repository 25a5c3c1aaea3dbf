"""The batch axis of one step: the largest batch that fits, the best one, and the chart over all of them.

Answers are kept, because a slider asks for the same ones again and again: after the first question a
move costs two or three simulated peaks and no search.  The allocator's overhead wobbles from batch to
batch, so a peak may fall by a fraction of a per cent where the batch grows; "largest" is the end of the
first stretch of batches that fit, found by doubling and bisection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.core.predict.memory import StepMemory
from app.core.types.prediction import BatchPoint

LARGEST_BATCH = 1 << 22
LARGEST_OVERHEAD = 4
"""Far more than the upper end is ever above what is alive: the allocator hands out less than twice what is asked
for.  Batches that certainly fit need no replay."""

GOOD_ENOUGH_THROUGHPUT = 0.95
"""A batch counts as best if no larger one that fits is more than 5 % faster."""

POINTS_PER_OCTAVE = 2
KEPT_ANSWERS = 256
KEPT_PEAKS = 4096

Speed = Callable[[int], float | None]
"""Samples per second at a batch size; None if nobody knows."""


@dataclass(frozen=True)
class Room:
    """What a batch has to fit into.

    Args:
        bytes: What the allocator may take, divided by ``factor``; None if unknown.
        cuda: Convolutions ask for workspace, and "comfortable" means that they get it.
        above: Upper end of the interval over the peak, minus one; None for the traced prediction's own.
        first: What corrects the peak of the first step, over what corrects that of the later ones.
    """

    bytes: int | None
    cuda: bool = False
    above: float | None = None
    first: float = 1.0


class Batches:
    """Every batch size of one simulated step."""

    def __init__(self, step: StepMemory) -> None:
        self.step = step
        self._peaks: dict[int, int] = {}
        self._largest: dict[Room, int] = {}
        self._comfortable: dict[Room, int] = {}

    def peak_bytes(self, batch_size: int) -> int:
        """The simulated peak, remembered for the batches of the chart and of the searches."""
        if batch_size not in self._peaks:
            if len(self._peaks) >= KEPT_PEAKS:
                self._peaks.clear()
            self._peaks[batch_size] = self.step.peak_bytes(batch_size)
        return self._peaks[batch_size]

    def largest(self, room: Room) -> int | None:
        """The largest batch whose predicted peak fits; 0 if not even one sample does, None if unknown."""
        limit = room.bytes
        if limit is None:
            return None
        key = Room(limit, first=room.first)
        if key not in self._largest:
            _forget(self._largest)
            self._largest[key] = largest_that(lambda batch: self._fits(batch, room, self._needed_bytes))
        return self._largest[key]

    def about_largest(self, room: Room, batch_size: int) -> int | None:
        """`largest` without a search of simulated peaks: what is alive, and the overhead of one batch for all.

        The overhead differs by a few per cent between batches; enough to compare many devices.

        Args:
            room: What has to fit.
            batch_size: Whose overhead is taken; its peak has been simulated before.
        """
        if room.bytes is None:
            return None
        overhead = self.peak_bytes(batch_size) / max(1, self.step.live_bytes(batch_size))
        return largest_that(lambda batch: self.step.live_bytes(batch) * overhead <= (room.bytes or 0))

    def comfortable(self, room: Room) -> int | None:
        """The largest batch with the verdict "fits": the interval's upper end and the workspace have room."""
        limit = room.bytes
        if limit is None:
            return None
        if room not in self._comfortable:
            _forget(self._comfortable)
            self._comfortable[room] = largest_that(lambda batch: self._fits(batch, room, self._wanted_bytes))
        return self._comfortable[room]

    def curve(
        self,
        batch_size: int,
        largest: int | None,
        factor: float,
        speed: Speed,
        *,
        best: int | None = None,
        held_bytes: int = 0,
    ) -> tuple[BatchPoint, ...]:
        """Memory and throughput from 1 to well beyond what fits, the best batch among them, two points an octave.

        ``held_bytes`` are there whatever the batch is (a dataset held as an array).
        """
        end = max(4 * batch_size, min(4 * (largest or 0), 256 * batch_size), best or 0, 64)
        octaves = (end - 1).bit_length()
        grid = {round(2 ** (i / POINTS_PER_OCTAVE)) for i in range(POINTS_PER_OCTAVE * octaves + 1)}
        return tuple(BatchPoint(b, int(self.peak_bytes(b) * factor) + held_bytes, speed(b)) for b in sorted(grid))

    def _fits(self, batch_size: int, room: Room, needed_bytes: Callable[[int, Room], int]) -> bool:
        """Is what a batch needs within the room; simulated only where what is alive does not decide it."""
        limit = room.bytes or 0
        live = self.step.live_bytes(batch_size)
        wanted = self.step.wanted_workspace_bytes(batch_size)
        if live > limit:
            return False
        surely = LARGEST_OVERHEAD * live * max(1.0, room.first) + wanted <= limit
        return surely or needed_bytes(batch_size, room) <= limit

    def _needed_bytes(self, batch_size: int, room: Room) -> int:
        """What must be free for a training to get under way and go on."""
        first = self.step.first_step_peak_bytes(batch_size)
        return max(self.step.peak_bytes(batch_size), int(first * room.first))

    def _wanted_bytes(self, batch_size: int, room: Room) -> int:
        """What a batch needs to be comfortable."""
        peak, needed = self.peak_bytes(batch_size), self._needed_bytes(batch_size, room)
        workspace = self.step.wanted_workspace_bytes(batch_size) if room.cuda else 0
        if room.above is None:
            return max(self._high_bytes(batch_size), peak + workspace, needed)
        return max(int(peak * (1 + room.above)), peak + workspace, needed)

    def _high_bytes(self, batch_size: int) -> int:
        """Upper end of the traced prediction's interval."""
        return self.step.interval_bytes(batch_size)[1]


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


def largest_that(fits: Callable[[int], bool]) -> int:
    """The end of the first stretch of batches for which ``fits`` holds; 0 if it does not hold for one sample."""
    if not fits(1):
        return 0
    low = 1
    while low < LARGEST_BATCH and fits(2 * low):
        low *= 2
    if low >= LARGEST_BATCH:
        return LARGEST_BATCH
    high = 2 * low
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def _forget(answers: dict[Room, int]) -> None:
    """Free memory changes all the time, so do the questions: drop the oldest answer when there are many."""
    if len(answers) >= KEPT_ANSWERS:
        answers.pop(next(iter(answers)))
