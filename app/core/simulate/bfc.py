"""TensorFlow's device allocator in arithmetic: best fit with coalescing (BFC).

What a program asks for and what it gets differ by 5 to 13 % of the peak, because a chunk is handed out
whole unless splitting it pays, and the whole chunk counts as used.  Rules from
third_party/xla/xla/tsl/framework/bfc_allocator.cc (TensorFlow 2.21):

* sizes are rounded up to 256 bytes (``kMinAllocationSize``);
* the smallest free chunk that is large enough is taken (``FindChunkPtr``);
* it is split if it is at least twice the request, or 128 MiB larger (``kMaxInternalFragmentation``);
* memory comes in regions that double from 2 MiB (``Extend``), each below the one before it: Linux hands
  out address space from the top, and of free chunks of one size the lowest is taken (``ChunkComparator``);
* free neighbours in one region are merged (``Coalesce``).
"""

from __future__ import annotations

from bisect import bisect_left, insort

from app.core.types.text import phrase
from app.core.types.units import MIB

MIN_ALLOCATION_BYTES = 256
MAX_INTERNAL_FRAGMENTATION_BYTES = 128 * MIB
FIRST_REGION_BYTES = 2 * MIB
"""``curr_region_allocation_bytes_`` of an allocator that grows: the constructor rounds 2 MiB."""

WHOLE_CARD_BYTES = 1 << 46
"""More than any card has: without ``allow_growth`` its allocator takes one region, nearly the whole memory."""

_ADDRESS_BITS = 84
_ADDRESS_MASK = (1 << _ADDRESS_BITS) - 1
_REGION_GAP = 1 << 64
_HIGHEST_ADDRESS = 1 << _ADDRESS_BITS - 1
"""No region is as large as the gap between two, so that regions never touch."""


class OutOfDeviceMemory(Exception):
    """The allocator's limit is reached; ``requested_bytes`` did not fit."""

    def __init__(self, requested_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            phrase("{requested} bytes do not fit under {limit}", requested=requested_bytes, limit=limit_bytes)
        )
        self.requested_bytes = requested_bytes
        self.limit_bytes = limit_bytes


class BfcAllocator:
    """One device's allocator.  Addresses are names, no memory is touched.

    Args:
        limit_bytes: What the allocator may take in all; None for no limit.
        first_region_bytes: Size of the first region; later ones double.
    """

    def __init__(self, limit_bytes: int | None = None, first_region_bytes: int = FIRST_REGION_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self.in_use_bytes = 0
        self.peak_bytes = 0
        self.held_bytes = 0
        self._next_region_bytes = first_region_bytes
        self._next_address = _HIGHEST_ADDRESS
        self._reached_address = 0
        """The end of the chunk that was furthest up."""
        self._used: dict[int, int] = {}
        """Size of each chunk that is handed out, by its address."""
        self._free_list: list[int] = []
        """The free chunks by size, then address: both in one number, which is compared faster than a pair."""
        self._free_at: dict[int, int] = {}
        """Size of each free chunk, by its address."""
        self._free_until: dict[int, int] = {}
        """Address of each free chunk, by the address behind it."""

    @classmethod
    def of_device(cls, *, on_host: bool) -> BfcAllocator:
        """The allocator as TensorFlow sets it up: it grows on the host and has one region on a card."""
        return cls(first_region_bytes=FIRST_REGION_BYTES if on_host else WHOLE_CARD_BYTES)

    @classmethod
    def limited(cls, limit_bytes: int, *, on_host: bool) -> BfcAllocator:
        """The same under a limit; on a card it is one region of that size."""
        return cls(limit_bytes, FIRST_REGION_BYTES if on_host else max(FIRST_REGION_BYTES, limit_bytes))

    def allocate(self, size_bytes: int) -> int:
        """Take a chunk for ``size_bytes`` and return its address.

        Raises:
            OutOfDeviceMemory: No chunk fits and the limit forbids another region.
        """
        rounded = size_bytes + MIN_ALLOCATION_BYTES - 1 & -MIN_ALLOCATION_BYTES or MIN_ALLOCATION_BYTES
        free_list = self._free_list
        index = bisect_left(free_list, rounded << _ADDRESS_BITS)
        if index == len(free_list):
            self._extend(rounded)
            index = bisect_left(free_list, rounded << _ADDRESS_BITS)
        found = free_list.pop(index)
        size, address = found >> _ADDRESS_BITS, found & _ADDRESS_MASK
        del self._free_at[address]
        if size >= 2 * rounded or size - rounded >= MAX_INTERNAL_FRAGMENTATION_BYTES:
            rest = address + rounded
            self._free_at[rest] = size - rounded
            self._free_until[address + size] = rest
            insort(free_list, size - rounded << _ADDRESS_BITS | rest)
            size = rounded
        else:
            del self._free_until[address + size]
        self._used[address] = size
        if address + size > self._reached_address:
            self._reached_address = address + size
        self.in_use_bytes += size
        if self.in_use_bytes > self.peak_bytes:
            self.peak_bytes = self.in_use_bytes
        return address

    def free(self, address: int) -> None:
        """Give a chunk back and merge it with its free neighbours.

        Raises:
            KeyError: No chunk at this address is handed out.
        """
        size = self._used.pop(address)
        self.in_use_bytes -= size
        end = address + size
        free_list = self._free_list
        after = self._free_at.pop(end, None)
        if after is not None:
            del free_list[bisect_left(free_list, after << _ADDRESS_BITS | end)]
            end += after
        before = self._free_until.pop(address, None)
        if before is not None:
            del free_list[bisect_left(free_list, address - before << _ADDRESS_BITS | before)]
            address = before
        self._free_at[address] = end - address
        self._free_until[end] = address
        insort(free_list, end - address << _ADDRESS_BITS | address)

    def copy(self) -> BfcAllocator:
        """An allocator in the same state; what happens to one does not touch the other."""
        made = BfcAllocator(self.limit_bytes)
        made.in_use_bytes, made.peak_bytes, made.held_bytes = self.in_use_bytes, self.peak_bytes, self.held_bytes
        made._next_region_bytes, made._next_address = self._next_region_bytes, self._next_address
        made._reached_address = self._reached_address
        made._used, made._free_list = self._used.copy(), self._free_list.copy()
        made._free_at, made._free_until = self._free_at.copy(), self._free_until.copy()
        return made

    @property
    def roomy_from_bytes(self) -> int:
        """Under a limit of so much or more, of an allocator without one, all would have gone as it did.

        One region for all must have room behind what was ever reached: more than any gap has, so that gaps are taken
        first, and more than is handed out undivided.
        """
        if self.held_bytes < WHOLE_CARD_BYTES:
            return self.held_bytes
        reached = self._reached_address - self._next_address
        return reached + max(reached, MAX_INTERNAL_FRAGMENTATION_BYTES) + MIN_ALLOCATION_BYTES

    def within(self, limit_bytes: int) -> BfcAllocator | None:
        """The same state under a limit; None where the limit may have made another of it."""
        if limit_bytes < self.roomy_from_bytes:
            return None
        made = self.copy()
        made.limit_bytes = limit_bytes
        if self.held_bytes >= WHOLE_CARD_BYTES:
            made._end_at(limit_bytes // MIN_ALLOCATION_BYTES * MIN_ALLOCATION_BYTES)
        return made

    def _end_at(self, region_bytes: int) -> None:
        """Let the one region end where it has so many bytes; the last chunk in it is free, and the largest."""
        address = self._free_list.pop() & _ADDRESS_MASK
        del self._free_until[self._next_address + self.held_bytes]
        size = self._next_address + region_bytes - address
        self._free_at[address], self._free_until[address + size] = size, address
        insort(self._free_list, size << _ADDRESS_BITS | address)
        self.held_bytes = region_bytes

    def whole_chunks(self, size_bytes: int) -> tuple[int, ...]:
        """Sizes of the free chunks that would be handed out undivided for such a request, smallest first."""
        divided = min(2 * size_bytes, size_bytes + MAX_INTERNAL_FRAGMENTATION_BYTES)
        sizes = (free >> _ADDRESS_BITS for free in self._free_list)
        return tuple(size for size in sizes if size_bytes <= size < divided)

    def reset_peak(self) -> None:
        """Forget the peak so far, as ``reset_memory_stats`` does."""
        self.peak_bytes = self.in_use_bytes

    def _extend(self, rounded: int) -> None:
        """Add a region that holds at least ``rounded`` bytes."""
        grown = False
        while rounded > self._next_region_bytes:
            self._next_region_bytes *= 2
            grown = True
        take = self._next_region_bytes
        if self.limit_bytes is not None:
            take = min(take, (self.limit_bytes - self.held_bytes) // MIN_ALLOCATION_BYTES * MIN_ALLOCATION_BYTES)
            if take < rounded:
                raise OutOfDeviceMemory(rounded, self.limit_bytes)
        if not grown:
            self._next_region_bytes *= 2
        self._next_address -= _REGION_GAP
        self.held_bytes += take
        self._free_at[self._next_address] = take
        self._free_until[self._next_address + take] = self._next_address
        insort(self._free_list, take << _ADDRESS_BITS | self._next_address)
