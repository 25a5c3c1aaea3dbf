"""How much of a recorded step's memory lived when, who lived at the peak, and what the allocator held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.core.types.allocator_events import AllocatorEvent, TimelinePoint
from app.core.types.units import MIB

TIMELINE_POINTS = 200
_REGION_STEP_BYTES = 2 * MIB
"""An allocator that grows takes regions of 2 MiB and its multiples (`app.core.simulate.bfc`)."""
_GAPS = (1, 2, 4, 8, 16)
_MIN_CHANGES = (0.05, 0.005)
"""Change of the fragmentation between two events, large first: it is written with six digits."""
_MIN_VOTES = 5
_CLEAR = 3
"""The answer needs so many times the votes of the next one."""
_ALIKE = 1000
"""Two events whose bytes in use are the same to this part of the peak tell the same."""


def peak_index(events: Sequence[AllocatorEvent]) -> int:
    """The event after which most is in use.

    Raises:
        ValueError: There are no events.
    """
    return max(range(len(events)), key=lambda i: events[i].in_use_bytes)


def alive_at(events: Sequence[AllocatorEvent], index: int) -> tuple[AllocatorEvent, ...]:
    """What the step had taken and not given back after event ``index``, in the order of taking."""
    alive: dict[int, AllocatorEvent] = {}
    for event in events[: index + 1]:
        if event.taken:
            alive[event.address] = event
        else:
            alive.pop(event.address, None)
    return tuple(alive.values())


def timeline(
    events: Sequence[AllocatorEvent], step_s: float, points: int = TIMELINE_POINTS
) -> tuple[TimelinePoint, ...]:
    """Bytes in use over the step, thinned to the highest event of each of ``points`` slices of time."""
    width_s = max(step_s, events[-1].t_s if events else 0.0) / points or 1.0
    highest: dict[int, AllocatorEvent] = {}
    for event in events:
        place = min(points - 1, int(event.t_s / width_s))
        if place not in highest or event.in_use_bytes > highest[place].in_use_bytes:
            highest[place] = event
    return tuple(TimelinePoint(e.t_s, e.in_use_bytes, e.operation) for _, e in sorted(highest.items()))


def held_bytes(events: Sequence[AllocatorEvent]) -> int | None:
    """What the allocator has taken from the system; None if the events do not tell it beyond doubt.

    They do not say it outright, but each says the fragmentation ``f = (held - used - L) / (held - used)``, where
    ``L`` is the largest free chunk (``BFCAllocator::GetFragmentation``).  Between two events that leave that
    chunk alone ``(1 - f) * (held - used)`` is the same, which gives ``held``.  Events that do change it give
    values that scatter, so that the most frequent one is the answer.  A compiled step takes and gives back one
    chunk, which proves nothing.
    """
    used = max((event.in_use_bytes for event in events), default=0)
    for change in _MIN_CHANGES:
        told = {
            frozenset(round(_ALIKE * e.in_use_bytes / used) for e in (first, second)): round(held / _REGION_STEP_BYTES)
            for gap in _GAPS
            for first, second in zip(events, events[gap:], strict=False)
            if (held := _held_between(first, second, change)) is not None and held >= used - _REGION_STEP_BYTES / 2
        }
        votes = Counter(told.values())
        (value, count), (_, next_count) = (*votes.most_common(2), (0, 0), (0, 0))[:2]
        if count >= max(_MIN_VOTES, _CLEAR * next_count) and value * _REGION_STEP_BYTES >= used:
            return value * _REGION_STEP_BYTES
    return None


def _held_between(first: AllocatorEvent, second: AllocatorEvent, change: float) -> float | None:
    """What two events say if the largest free chunk is the same in both; None if they are too alike."""
    free, other = 1 - first.fragmentation, 1 - second.fragmentation
    if not abs(free - other) >= change or not (0 < free < 1 and 0 < other < 1):  # also for a fragmentation of NaN
        return None
    return (free * first.in_use_bytes - other * second.in_use_bytes) / (free - other)
