"""What an allocator was asked for in real runs, replayed for any batch size, in the child.

A `RecordedRun` is a real run's requests with their sizes.  Two runs of the same model at two batch sizes give a
`RecordedTrace`, whose sizes are affine in the batch: allocations are matched by the operation that made them and by
their place in it.  This is the idea of xMem (Shi et al. 2025) carried over to TensorFlow's allocator.
"""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.simulate.allocation_trace import AllocationTrace
from app.core.simulate.bfc import BfcAllocator
from app.core.types.stepgraph import PerBatch

ANCHOR_FACTORS = (1 / 4, 1, 4, 16)
"""Replaying a net of many operations takes half a second; between these the peak is nearly affine."""

SAMPLES_ELSEWHERE = 3
"""Runs of steps that are replayed at batch sizes other than the one that is asked about."""

Key = tuple[int, str]
"""Step (-1 while the model is built) and name of the operation."""


@dataclass(frozen=True)
class RecordedRun:
    """Requests of one run.

    ``events`` are those of an `AllocationTrace`.  ``starts`` are the events with which the steps begin; what comes
    before them is the building of the model.  ``keys`` say which step and operation asked for each chunk.
    """

    batch_size: int
    events: tuple[int, ...]
    sizes: tuple[int, ...]
    keys: tuple[Key, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True)
class StepPeaks:
    """The allocator's peaks at one batch size, bytes: of the first step, and of each recorded run of later ones."""

    batch_size: int
    first_bytes: int
    later_bytes: tuple[int, ...]


@dataclass(frozen=True)
class RecordedTrace(AllocationTrace):
    """Requests for any batch size; ``starts`` are the events with which the steps begin.

    ``unmatched_share`` is the part of the requested bytes for which the other run had no counterpart.
    """

    starts: tuple[int, ...]
    unmatched_share: float = 0.0

    def step_peaks(self, batch_size: int) -> tuple[int, ...]:
        """Replay the requests through the allocator and read its peak in each step.

        Raises:
            KeyError: A chunk is released that was not taken.
        """
        replay = RecordedReplay(self, batch_size)
        replay.step(0)
        return tuple(replay.step(number) for number in range(1, len(self.starts) + 1))

    def peaks(
        self, batch_size: int, accumulate: int = 1, samples: int | None = None, *, regions_grow: bool = True
    ) -> StepPeaks:
        """Peak of the first update, and of each run of later steps as if it came right after the first update.

        Fragments grow from step to step, and the race of the threads makes every step another one.  Putting
        each recorded run of steps in second place gives several samples of the same moment of a training.

        Args:
            batch_size: Samples per step.
            accumulate: Steps that go into one update; two updates in a row are a run, as in the truth of
                ``allocator_peak_bytes`` (updates 2 and 3).
            samples: Replay so many runs; None for all.
            regions_grow: The allocator is a host's; a card's has one region.

        Raises:
            KeyError: A chunk is released that was not taken.
        """
        steps = range(1, len(self.starts) + 1)
        first_update, later = steps[:accumulate], steps[accumulate:]
        begun = RecordedReplay(self, batch_size, BfcAllocator.of_device(on_host=regions_grow))
        begun.step(0)
        first = max(begun.step(number) for number in first_update)
        length = 2 * accumulate
        runs = [later[i : i + length] for i in range(0, max(1, len(later) + 1 - length), accumulate)]
        found = []
        for run in runs[:samples]:
            replay = begun.copy()
            found.append(max((replay.step(number) for number in run), default=first))
        return StepPeaks(batch_size, first, tuple(found))

    def part(self, number: int) -> tuple[int, ...]:
        """Events of the building (0) or of a step (from 1)."""
        edges = (0, *self.starts, len(self.events))
        return self.events[edges[number] : edges[number + 1]]


class RecordedReplay:
    """An allocator that is asked for a recording's chunks, part by part.

    A part may come in another place than where it was recorded: what it releases of earlier steps is then a
    variable's buffer that has another number here, and one of the same size goes instead.

    Args:
        recording: What is asked for.
        batch_size: Samples per step.
        allocator: Who is asked; one without a limit if None.
    """

    def __init__(self, recording: RecordedTrace, batch_size: int, allocator: BfcAllocator | None = None) -> None:
        self._recording = recording
        self._sizes = [max(0, round(size.at(batch_size))) for size in recording.sizes]
        self._allocator = allocator or BfcAllocator()
        self._addresses: dict[int, int] = {}

    def copy(self) -> RecordedReplay:
        """The same state once more."""
        made = copy.copy(self)
        made._allocator, made._addresses = self._allocator.copy(), self._addresses.copy()
        return made

    def step(self, number: int) -> int:
        """Replay one part, 0 for the building, and return its peak.

        Raises:
            KeyError: A chunk is released that was not taken.
            OutOfDeviceMemory: The allocator's limit is reached.
        """
        events, sizes, addresses = self._recording.part(number), self._sizes, self._addresses
        stands_for = self._substitutes(events)
        allocator = self._allocator
        allocator.reset_peak()
        for event in events:
            if event >= 0:
                addresses[event] = allocator.allocate(sizes[event])
            elif (chunk := stands_for.get(~event, ~event)) is not None:
                allocator.free(addresses.pop(chunk))
        return allocator.peak_bytes

    def _substitutes(self, events: tuple[int, ...]) -> dict[int, int | None]:
        """For each chunk that is released here and neither taken here nor alive: one of its size, or None."""
        own = {event for event in events if event >= 0}
        old = [~event for event in events if event < 0 and ~event not in own]
        missing = [chunk for chunk in old if chunk not in self._addresses]
        if not missing:
            return {}
        spare: dict[int, list[int]] = defaultdict(list)
        for chunk in self._addresses.keys() - set(old):
            spare[self._sizes[chunk]].append(chunk)
        return {chunk: spare[self._sizes[chunk]].pop() if spare[self._sizes[chunk]] else None for chunk in missing}


def anchors(batch_size: int) -> tuple[int, ...]:
    """Batch sizes at which a probe is replayed: the one that is asked about, and others on both sides of it."""
    return tuple(sorted({1, *(max(1, math.ceil(batch_size * factor)) for factor in ANCHOR_FACTORS)}))


def of_one_run(trace: RecordedRun) -> RecordedTrace:
    """A run whose sizes do not depend on the batch, or whose batch is the one that is asked about."""
    return RecordedTrace(trace.events, tuple(PerBatch(size) for size in trace.sizes), trace.starts)


def fit_sizes(trace: RecordedRun, other: RecordedRun) -> RecordedTrace:
    """The first run with each size affine in the batch, through its own batch size and that of ``other``.

    The other trace may have fewer steps: its last one answers for all later ones.  An operation that writes
    over its input in one run and not in another, as the threads happened to race, is looked for in the other's
    other steps.  What is asked for while the model is built does not depend on the batch.

    A size without counterpart (copies of the batch belong to no operation) is proportional if the other run
    knows its share, and constant if the other run knows the very size.  If it knows neither, it grows, unless
    only the first step asks for that size: then it is one of the optimizer's slots.

    Raises:
        ValueError: Both runs had the same batch size.
    """
    if trace.batch_size == other.batch_size:
        raise ValueError("one batch size does not tell what grows with it")
    counterparts = _by_key(other)
    last_step = max((step for step, _ in counterparts), default=0)
    other_sizes = frozenset(other.sizes)
    growing = {size for size, (step, _) in zip(trace.sizes, trace.keys, strict=True) if step > 0} - other_sizes
    sizes = [PerBatch(size) for size in trace.sizes]
    unmatched = 0
    for (step, operation), chunks in _by_key(trace).items():
        if step < 0:
            continue
        steps_there = [min(step, last_step), *range(last_step, -1, -1)]
        same = [counterparts.get((step_there, operation), []) for step_there in steps_there]
        found = next((candidate for candidate in same if len(candidate) == len(chunks)), None)
        beside = {other.sizes[chunk] for chunk in same[0]} if found is None else set()
        for place, chunk in enumerate(chunks):
            size = trace.sizes[chunk]
            if found is not None:
                sizes[chunk] = _through(trace.batch_size, size, other.batch_size, other.sizes[found[place]])
                continue
            share = size * other.batch_size / trace.batch_size
            seen = share in beside or (share in other_sizes and size not in other_sizes)
            if seen or size in growing:
                sizes[chunk] = PerBatch(0, size / trace.batch_size)
                unmatched += 0 if seen else size
    return RecordedTrace(trace.events, tuple(sizes), trace.starts, unmatched / max(1, sum(trace.sizes)))


def _by_key(trace: RecordedRun) -> dict[Key, list[int]]:
    """Chunks by step and operation, in their order."""
    found: dict[Key, list[int]] = defaultdict(list)
    for chunk, key in enumerate(trace.keys):
        found[key].append(chunk)
    return found


def _through(batch: int, size: int, other_batch: int, other_size: int) -> PerBatch:
    """The affine size through two points; what shrinks as the batch grows is taken for constant."""
    per_sample = (size - other_size) / (batch - other_batch)
    if per_sample <= 0:
        return PerBatch(size)
    return PerBatch(size - per_sample * batch, per_sample)


def number_chunks(requests: Sequence[tuple[bool, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Turn (taken, address) pairs into the events of a `AllocationTrace`; releases of unknown addresses are left out.

    Returns:
        The events, and for each event the index of the request it came from.
    """
    chunk_at: dict[int, int] = {}
    events: list[int] = []
    origins: list[int] = []
    count = 0
    for index, (taken, address) in enumerate(requests):
        if taken:
            chunk_at[address] = count
            events.append(count)
            count += 1
        elif address in chunk_at:
            events.append(~chunk_at.pop(address))
        else:
            continue
        origins.append(index)
    return tuple(events), tuple(origins)
