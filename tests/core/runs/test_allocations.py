"""What one step asked of the allocator: the peak, who was alive, what was held."""

from __future__ import annotations

import math
import random

import pytest

from app.core.runs.allocations import alive_at, held_bytes, peak_index, timeline
from app.core.simulate.bfc import BfcAllocator
from app.core.types.allocator_events import AllocatorEvent
from app.core.types.units import MIB


def event(t_s, taken, address, size, in_use, operation=""):
    return AllocatorEvent(t_s, taken, address, size, in_use, operation)


STEP = [
    event(0.0, True, 1, 10, 110, "a"),
    event(0.1, True, 2, 20, 130, "b"),
    event(0.2, False, 1, 10, 120),
    event(0.3, True, 1, 40, 160, "c"),
    event(0.4, False, 9, 50, 110),
    event(0.5, False, 2, 20, 90),
]


def test_the_peak_and_those_alive_at_it():
    worst = peak_index(STEP)
    assert STEP[worst].operation == "c"
    assert [(e.operation, e.size_bytes) for e in alive_at(STEP, worst)] == [("b", 20), ("c", 40)]


def test_what_was_there_before_the_step_may_be_given_back():
    assert [e.operation for e in alive_at(STEP, 5)] == ["c"]


def test_a_timeline_keeps_the_highest_of_each_slice():
    points = timeline(STEP, 0.5, points=2)
    assert [(p.t_s, p.in_use_bytes, p.operation) for p in points] == [(0.1, 130, "b"), (0.3, 160, "c")]
    assert timeline([], 1.0) == ()


def recorded(seed, digits=6):
    """Requests of a made-up step with the fragmentation that TensorFlow writes, and what is truly held."""
    chance = random.Random(seed)
    allocator = BfcAllocator()
    alive = [allocator.allocate(chance.randint(1, 6 * MIB)) for _ in range(30)]
    found = []
    for _ in range(400):
        taken = chance.random() < 0.5 or not alive
        if taken:
            alive.append(allocator.allocate(chance.choice([512, 40_000, 700_000, 5 * MIB])))
        else:
            allocator.free(alive.pop(chance.randrange(len(alive))))
        free = allocator.held_bytes - allocator.in_use_bytes
        largest = max(allocator._free_at.values(), default=0)
        share = round((free - largest) / free, digits) if free else math.nan
        found.append(AllocatorEvent(0.0, taken, 0, 0, allocator.in_use_bytes, fragmentation=share))
    return found, allocator.held_bytes


@pytest.mark.parametrize("seed", range(25))
def test_what_is_held_follows_from_fragmentation_or_is_not_told(seed):
    events, held = recorded(seed)
    assert held_bytes(events) in (held, None)


def test_what_is_held_is_mostly_told():
    told = [held_bytes(events) is not None for events, _ in map(recorded, range(25))]
    assert sum(told) >= 20


def test_a_single_chunk_that_comes_and_goes_proves_nothing():
    one, two = (AllocatorEvent(0.0, True, 1, 1, in_use, fragmentation=f) for in_use, f in ((13, 0.5), (140, 0.1)))
    assert held_bytes([one, two] * 50) is None
    assert held_bytes([]) is None
