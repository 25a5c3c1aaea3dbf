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

_REGION_GAP = 1 << 50
_HIGHEST_ADDRESS = 1 << 80


class OutOfDeviceMemory(Exception):
    """The allocator's limit is reached; ``requested_bytes`` did not fit."""

    def __init__(self, requested_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            phrase("{requested} bytes do not fit under {limit}", requested=requested_bytes, limit=limit_bytes)
        )
        self.requested_bytes = requested_bytes
        self.limit_bytes = limit_bytes


class _Chunk:
    """A piece of a region and its neighbours in it."""

    __slots__ = ("address", "after", "before", "size", "used")

    def __init__(self, address: int, size: int, before: _Chunk | None, after: _Chunk | None) -> None:
        self.address = address
        self.size = size
        self.used = False
        self.before = before
        self.after = after


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
        self._free: list[tuple[int, int]] = []
        self._chunks: dict[int, _Chunk] = {}

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
        rounded = max(MIN_ALLOCATION_BYTES, -(-size_bytes // MIN_ALLOCATION_BYTES) * MIN_ALLOCATION_BYTES)
        index = bisect_left(self._free, (rounded, -1))
        if index == len(self._free):
            self._extend(rounded)
            index = bisect_left(self._free, (rounded, -1))
        size, address = self._free.pop(index)
        chunk = self._chunks[address]
        if size >= 2 * rounded or size - rounded >= MAX_INTERNAL_FRAGMENTATION_BYTES:
            self._split(chunk, rounded)
        chunk.used = True
        self.in_use_bytes += chunk.size
        self.peak_bytes = max(self.peak_bytes, self.in_use_bytes)
        return address

    def free(self, address: int) -> None:
        """Give a chunk back and merge it with its free neighbours."""
        chunk = self._chunks[address]
        chunk.used = False
        self.in_use_bytes -= chunk.size
        after, before = chunk.after, chunk.before
        if after is not None and not after.used:
            self._forget(after)
            self._absorb(chunk, after)
        if before is not None and not before.used:
            self._forget(before)
            self._absorb(before, chunk)
            chunk = before
        insort(self._free, (chunk.size, chunk.address))

    def copy(self) -> BfcAllocator:
        """An allocator in the same state; what happens to one does not touch the other."""
        made = BfcAllocator(self.limit_bytes)
        made.in_use_bytes, made.peak_bytes, made.held_bytes = self.in_use_bytes, self.peak_bytes, self.held_bytes
        made._next_region_bytes, made._next_address = self._next_region_bytes, self._next_address
        made._free = self._free.copy()
        made._chunks = {address: _Chunk(address, c.size, None, None) for address, c in self._chunks.items()}
        for address, chunk in self._chunks.items():
            twin = made._chunks[address]
            twin.used = chunk.used
            if chunk.after is not None:
                twin.after = made._chunks[chunk.after.address]
                twin.after.before = twin
        return made

    def whole_chunks(self, size_bytes: int) -> tuple[int, ...]:
        """Sizes of the free chunks that would be handed out undivided for such a request, smallest first."""
        return tuple(
            size
            for size, _ in self._free
            if size_bytes <= size < min(2 * size_bytes, size_bytes + MAX_INTERNAL_FRAGMENTATION_BYTES)
        )

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
        chunk = _Chunk(self._next_address, take, None, None)
        self.held_bytes += take
        self._chunks[chunk.address] = chunk
        insort(self._free, (chunk.size, chunk.address))

    def _split(self, chunk: _Chunk, size: int) -> None:
        """Cut ``chunk`` to ``size``; the rest becomes a free chunk behind it."""
        rest = _Chunk(chunk.address + size, chunk.size - size, chunk, chunk.after)
        if chunk.after is not None:
            chunk.after.before = rest
        chunk.after = rest
        chunk.size = size
        self._chunks[rest.address] = rest
        insort(self._free, (rest.size, rest.address))

    def _absorb(self, chunk: _Chunk, after: _Chunk) -> None:
        """Join ``after`` to ``chunk``, its left neighbour."""
        chunk.size += after.size
        chunk.after = after.after
        if after.after is not None:
            after.after.before = chunk
        del self._chunks[after.address]

    def _forget(self, chunk: _Chunk) -> None:
        """Take a free chunk out of the free list."""
        del self._free[bisect_left(self._free, (chunk.size, chunk.address))]
