"""What an allocator was asked for, in order: recorded in the child, replayed here for any batch size.

A `Trace` is a real run's requests with their sizes.  Two traces of the same model at two batch sizes give
a `Recording`, whose sizes are lines in the batch: allocations are matched by the operation that made them
and by their turn.  This is the idea of xMem (Shi et al. 2025) carried over to TensorFlow's allocator.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.core.bfc import BfcAllocator
from app.core.stepgraph import Line

TRIFLE_BYTES = 256
"""The allocator's smallest chunk."""

Key = tuple[int, str]
"""Step (-1 while the model is built) and name of the operation."""


@dataclass(frozen=True)
class Trace:
    """Requests of one run.

    ``events`` holds ``n`` for the allocation of chunk ``n`` and ``~n`` for its release; chunks are numbered
    in the order in which they are taken.  ``starts`` are the events with which the steps begin; what comes
    before them is the building of the model.
    """

    batch_size: int
    events: tuple[int, ...]
    sizes: tuple[int, ...]
    keys: tuple[Key, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True)
class Recording:
    """Requests for any batch size; the fields are those of `Trace`, but ``sizes`` are lines.

    ``unmatched_share`` is the part of the requested bytes for which the other run had no counterpart.
    """

    events: tuple[int, ...]
    sizes: tuple[Line, ...]
    starts: tuple[int, ...]
    unmatched_share: float = 0.0

    def step_peaks(self, batch_size: int) -> tuple[int, ...]:
        """Replay the requests through the allocator and read its peak in each step.

        Raises:
            KeyError: A chunk is released that was not taken.
        """
        allocator = BfcAllocator()
        addresses: dict[int, int] = {}
        peaks: list[int] = []
        ends = (*self.starts, len(self.events))
        begin = 0
        for end in ends:
            allocator.reset_peak()
            for event in self.events[begin:end]:
                if event >= 0:
                    addresses[event] = allocator.allocate(max(0, round(self.sizes[event].at(batch_size))))
                else:
                    allocator.free(addresses.pop(~event))
            peaks.append(allocator.peak_bytes)
            begin = end
        return tuple(peaks[1:])


def as_recording(trace: Trace) -> Recording:
    """A trace whose sizes do not depend on the batch, or whose batch is the one that is asked about."""
    return Recording(trace.events, tuple(Line(size) for size in trace.sizes), trace.starts)


def in_lines(trace: Trace, other: Trace) -> Recording:
    """The trace with each size as a line through its own batch size and that of ``other``.

    The other trace may have fewer steps: its last one answers for all later ones.  What is asked for while
    the model is built does not depend on the batch, nor does what only the first step asks for (the
    optimizer's slots).  An operation that writes over its input in one run and not in another, as the
    threads happened to race, is looked for in the other's other steps.  Where it never asked the same
    number of times, a size that the other run knows is taken for constant and any other for proportional,
    as is one of which the operation's proportional size is known.

    Raises:
        ValueError: Both runs had the same batch size.
    """
    if trace.batch_size == other.batch_size:
        raise ValueError("two batch sizes make a line, one does not")
    counterparts = _by_key(other)
    last_step = max((step for step, _ in counterparts), default=0)
    constants = set(other.sizes)
    lines = [Line(size) for size in trace.sizes]
    unmatched = 0
    for (step, operation), chunks in _by_key(trace).items():
        if step < 0:
            continue
        turns = [min(step, last_step), *range(last_step, -1, -1)]
        same = (counterparts.get((turn, operation), ()) for turn in turns)
        found = next((candidate for candidate in same if len(candidate) == len(chunks)), None)
        for turn, chunk in enumerate(chunks):
            size = trace.sizes[chunk]
            if found is not None:
                lines[chunk] = _through(trace.batch_size, size, other.batch_size, other.sizes[found[turn]])
            elif step > 0:
                unmatched += size
                sizes = {other.sizes[i] for i in counterparts.get((min(step, last_step), operation), ())}
                if size * other.batch_size in (n * trace.batch_size for n in sizes) or size not in constants:
                    lines[chunk] = Line(0, size / trace.batch_size)
    return Recording(trace.events, tuple(lines), trace.starts, unmatched / max(1, sum(trace.sizes)))


def without_trifles(recording: Recording) -> Recording:
    """The recording without scalars that come and go within one step: two thirds of all requests.

    They never add up to anything; the peak moves by 0.01 to 0.7 % because a hole is filled differently
    (four networks), and a replay takes a third of the time.
    """
    ends = (*recording.starts, len(recording.events))
    trifles: set[int] = set()
    begin = 0
    for end in ends:
        part = recording.events[begin:end]
        born = {e for e in part if e >= 0 and recording.sizes[e].per_sample == 0}
        trifles.update(~e for e in part if e < 0 and ~e in born and recording.sizes[~e].fixed <= TRIFLE_BYTES)
        begin = end
    kept: list[int] = []
    starts: list[int] = []
    begin = 0
    for end in ends:
        kept += [e for e in recording.events[begin:end] if (e if e >= 0 else ~e) not in trifles]
        starts.append(len(kept))
        begin = end
    return replace(recording, events=tuple(kept), starts=tuple(starts[:-1]))


def _by_key(trace: Trace) -> dict[Key, list[int]]:
    """Chunks by step and operation, in their order."""
    found: dict[Key, list[int]] = defaultdict(list)
    for chunk, key in enumerate(trace.keys):
        found[key].append(chunk)
    return found


def _through(batch: int, size: int, other_batch: int, other_size: int) -> Line:
    """The line through two points; what shrinks as the batch grows is taken for constant."""
    per_sample = (size - other_size) / (batch - other_batch)
    if per_sample <= 0:
        return Line(size)
    return Line(size - per_sample * batch, per_sample)


def number_chunks(requests: Sequence[tuple[bool, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Turn (taken, address) pairs into the events of a `Trace`; releases of unknown addresses are left out.

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
