import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.bfc import BfcAllocator, OutOfDeviceMemory
from app.core.types.units import MIB


def test_sizes_are_rounded_to_256_bytes():
    allocator = BfcAllocator()
    allocator.allocate(1)
    allocator.allocate(257)
    assert allocator.in_use_bytes == 256 + 512


def test_a_chunk_less_than_twice_the_request_is_handed_out_whole():
    allocator = BfcAllocator()
    wall = [allocator.allocate(100 * 256), allocator.allocate(256)]  # the second keeps the first from merging
    allocator.free(wall[0])
    allocator.allocate(60 * 256)
    assert allocator.in_use_bytes == 100 * 256 + 256


def test_a_chunk_of_twice_the_request_is_split():
    allocator = BfcAllocator()
    wall = [allocator.allocate(100 * 256), allocator.allocate(256)]
    allocator.free(wall[0])
    allocator.allocate(50 * 256)
    assert allocator.in_use_bytes == 50 * 256 + 256


def test_more_than_128_mib_are_never_wasted():
    allocator = BfcAllocator()
    first = allocator.allocate(400 * MIB)
    wall = allocator.allocate(100 * MIB)
    allocator.free(first)
    allocator.allocate(260 * MIB)
    assert allocator.in_use_bytes == 360 * MIB
    allocator.free(wall)


def test_free_neighbours_are_merged():
    allocator = BfcAllocator()
    pieces = [allocator.allocate(256 * 1024) for _ in range(4)]  # half of the first region
    for piece in pieces:
        allocator.free(piece)
    held = allocator.held_bytes
    allocator.allocate(1024 * 1024)
    assert allocator.held_bytes == held


def test_the_limit_is_kept():
    allocator = BfcAllocator(limit_bytes=10 * MIB)
    allocator.allocate(6 * MIB)
    with pytest.raises(OutOfDeviceMemory) as error:
        allocator.allocate(6 * MIB)
    assert (error.value.requested_bytes, error.value.limit_bytes) == (6 * MIB, 10 * MIB)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3_000_000)), max_size=120))
def test_books_balance(actions):
    allocator = BfcAllocator()
    live: dict[int, int] = {}
    for take, size in actions:
        if take or not live:
            live[allocator.allocate(size)] = size
        else:
            address = next(iter(live))
            del live[address]
            allocator.free(address)
        assert sum(live.values()) <= allocator.in_use_bytes <= allocator.peak_bytes <= allocator.held_bytes
    for address in live:
        allocator.free(address)
    assert allocator.in_use_bytes == 0
    assert sum(allocator._free_at.values()) == allocator.held_bytes


def test_the_first_region_has_2_mib_and_the_next_twice_as_much():
    allocator = BfcAllocator()
    allocator.allocate(256)
    assert allocator.held_bytes == 2 * MIB
    allocator.allocate(2 * MIB)
    assert allocator.held_bytes == 6 * MIB


def test_of_free_chunks_of_one_size_that_in_the_later_region_is_taken():
    allocator = BfcAllocator()
    first, second = allocator.allocate(2 * MIB), allocator.allocate(4 * MIB)
    allocator.free(first)
    early = [allocator.allocate(MIB), allocator.allocate(MIB)]
    allocator.free(second)
    late = [allocator.allocate(MIB), allocator.allocate(3 * MIB)]
    allocator.free(early[0])
    allocator.free(late[0])
    assert allocator.allocate(MIB) == late[0]


def test_whole_chunks_are_those_that_would_not_be_divided():
    allocator = BfcAllocator()
    first, wall, second, _ = (allocator.allocate(n * 1024) for n in (100, 1, 150, 1))
    allocator.free(first)
    allocator.free(second)
    assert allocator.whole_chunks(90 * 1024) == (100 * 1024, 150 * 1024)
    assert allocator.whole_chunks(60 * 1024) == (100 * 1024,)
    assert allocator.whole_chunks(151 * 1024) == ()
    allocator.free(wall)


def test_a_card_is_one_region_in_which_a_large_chunk_is_cut_to_size():
    host, card = BfcAllocator.of_device(on_host=True), BfcAllocator.of_device(on_host=False)
    for allocator in (host, card):
        allocator.allocate(160 * MIB)
    assert host.in_use_bytes == 256 * MIB
    assert card.in_use_bytes == 160 * MIB


REQUESTS = st.lists(st.tuples(st.booleans(), st.integers(1, 300 * MIB)), min_size=1, max_size=60)


@given(requests=REQUESTS, more=REQUESTS, spare_bytes=st.integers(-64 * MIB, 64 * MIB), on_host=st.booleans())
def test_an_allocator_within_a_limit_is_one_that_had_it_from_the_start(requests, more, spare_bytes, on_host):
    free = BfcAllocator.of_device(on_host=on_host)
    asked = _after(free, requests)
    limit = max(1, free.roomy_from_bytes + spare_bytes)
    within = free.within(limit)
    assert (within is None) is (spare_bytes < 0)
    if within is None:
        return
    limited = BfcAllocator.limited(limit, on_host=on_host)
    assert _after(limited, requests) == asked
    assert _after(within, more) == _after(limited, more)
    assert (within.peak_bytes, within.held_bytes) == (limited.peak_bytes, limited.held_bytes)


def test_the_copy_within_a_limit_leaves_the_original_without():
    free = BfcAllocator.of_device(on_host=False)
    free.allocate(MIB)
    within = free.within(300 * MIB)
    assert within is not None
    with pytest.raises(OutOfDeviceMemory):
        within.allocate(300 * MIB)
    free.allocate(300 * MIB)


def _after(allocator: BfcAllocator, requests: list[tuple[bool, int]]) -> list[int | None]:
    """Where the chunks of some requests lie; what is taken may go again, None is where there was no room."""
    taken, asked = [], []
    for frees, size in requests:
        if frees and taken:
            allocator.free(taken.pop(size % len(taken)))
            continue
        try:
            address = allocator.allocate(size)
        except OutOfDeviceMemory:
            asked.append(None)
            continue
        taken.append(address)
        asked.append(address)
    return asked
