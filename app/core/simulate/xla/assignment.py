"""How long each result of a compiled step lives, and which of them XLA puts where an old weight was.

Everything that is neither argument nor output goes into one block, whose size is, within a few
hundredths, what is alive at the worst moment: the heap simulator packs well (43 steps on a processor: at most 5 % more,
mostly nothing; `app.core.simulate.xla.packing`).  Source: xla/service/buffer_assignment.cc.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.core.simulate.xla.hlo import Module, Scratch
from app.core.simulate.xla.orders import Kernels
from app.core.simulate.xla.packing import TRIFLE_SHARE, packed_bytes
from app.core.types.stepgraph import PerBatch


@dataclass(frozen=True)
class Buffer:
    """A result that lives from its first to its last moment, both included."""

    size: PerBatch | Scratch
    start: int
    end: int
    role: str
    layer: int | None


@dataclass(frozen=True)
class IdleRange:
    """Between the last read of an old weight and the writing of the new one its memory is free.

    ``heirs`` are the buffers over which the new value may be written, so that they may stay until then.
    """

    size: PerBatch
    start: int
    end: int
    may_share: frozenset[int]


@dataclass
class Assignment:
    """A compiled step, moment by moment, for any batch size."""

    buffers: list[Buffer] = field(default_factory=list)
    idle_ranges: list[IdleRange] = field(default_factory=list)
    moments: int = 0
    _reusing: dict[int, frozenset[int]] = field(default_factory=dict)
    _packed: dict[int, float] = field(default_factory=dict)

    def profile(self, batch_size: int) -> tuple[np.ndarray, frozenset[int]]:
        """Bytes alive at each moment outside of the weights' memory, and the buffers that are inside it."""
        sizes, starts, ends = self._outside(batch_size)
        change = np.bincount(starts, sizes, self.moments + 1) - np.bincount(ends + 1, sizes, self.moments + 1)
        return np.cumsum(change), self._inside(batch_size)

    def packed_bytes(self, batch_size: int) -> float:
        """Bytes of the block in which all that is outside of the weights' memory has its place."""
        if batch_size not in self._packed:
            self._packed[batch_size] = packed_bytes(*self._outside(batch_size))
        return self._packed[batch_size]

    def _outside(self, batch_size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the others the bytes, and the first and the last moment."""
        sizes = self._sizes(batch_size)
        outside = np.ones(len(sizes), dtype=bool)
        outside[list(self._inside(batch_size))] = False
        return sizes[outside], self._starts[outside], self._ends[outside]

    def _sizes(self, batch_size: int) -> np.ndarray:
        """Bytes of each buffer."""
        fixed, per_sample, most = self._lines
        return np.asarray(np.minimum(fixed + per_sample * batch_size, most))

    @cached_property
    def _lines(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each buffer the fixed bytes, those of a sample, and what a library is given at most."""
        lines = [
            (*b.size.wanted, b.size.limit_bytes) if isinstance(b.size, Scratch) else (*b.size, np.inf)
            for b in self.buffers
        ]
        fixed, per_sample, most = np.array(lines, dtype=float).reshape(-1, 3).T
        return fixed, per_sample, most

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.array([b.start for b in self.buffers], dtype=int)

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.array([b.end for b in self.buffers], dtype=int)

    def _inside(self, batch_size: int) -> frozenset[int]:
        """The buffers that find a place in a weight's memory.

        A buffer goes where an old weight was if it is no larger and nothing else is there at the time;
        large buffers choose first, and the smallest place (``BufferAssigner::AssignBuffersForComputations``).
        They are found for the next power of two and stay for all batches below it, down to the one before: what fits
        there fits here.
        """
        octave = 1 << (batch_size - 1).bit_length()
        if octave not in self._reusing:
            self._reusing[octave] = frozenset(self._find_reusing(octave))
        return self._reusing[octave]

    def _find_reusing(self, batch_size: int) -> set[int]:
        sizes, starts, ends = self._sizes(batch_size), self._starts, self._ends
        ranges = sorted(self.idle_ranges, key=lambda v: v.size.at(batch_size))
        if not ranges or not len(sizes):
            return set()
        room = np.array([p.size.at(batch_size) for p in ranges])
        opens, closes = np.array([p.start for p in ranges]), np.array([p.end for p in ranges])
        taken: list[list[tuple[int, int]]] = [[] for _ in ranges]
        found: set[int] = set()
        floor = sizes.max() * TRIFLE_SHARE
        for index in np.argsort(-sizes, kind="stable"):
            if sizes[index] <= floor:
                break
            start, end = starts[index], ends[index]
            for place in np.flatnonzero((room >= sizes[index]) & (opens < start) & (closes >= end)):
                if closes[place] == end and int(index) not in ranges[place].may_share:
                    continue
                if all(end < first or start > last for first, last in taken[place]):
                    taken[place].append((start, end))
                    found.add(int(index))
                    break
        return found


def assign(
    kernels: Kernels, order: list[int], module: Module, batch_size: int, together: Iterable[tuple[int, ...]] = ()
) -> Assignment:
    """Give every result a buffer.

    A result is written over an operand of its size that ends with it and is read element by element
    (``CanShareOperandBufferWithUser``); nothing is by a kernel that sums as well (``FusionCanShareBufferHint`` in
    xla/service/gpu/alias_info.cc), nor over what comes out of a tuple, since its maker is not what is read
    (``IsUserOf`` in xla/service/heap_simulator/heap_simulator.cc).

    Args:
        kernels: All that run.
        order: In this order.
        module: What they were made of.
        batch_size: Sizes are compared for this batch.
        together: Those that are one kernel, which makes all its results while all that it reads is there.
    """
    return _Assigning(kernels, order, module, batch_size, together).run()


class _Assigning:
    """State while assigning."""

    def __init__(
        self, kernels: Kernels, order: list[int], module: Module, batch_size: int, together: Iterable[tuple[int, ...]]
    ) -> None:
        self.kernels = kernels
        self.order = order
        self.resident = module.resident
        self.batch_size = batch_size
        self.group_of = {member: group for group in together for member in group}
        self.moment_of = self._moments()
        self.moments = 1 + max(self.moment_of.values(), default=-1)
        self.last: dict[int, int] = {}
        for index in order:
            moment = self.moment_of[index]
            self.last[index] = max(moment, self.last.get(index, 0))
            for operand in kernels[index].operands:
                self.last[operand] = max(moment, self.last.get(operand, 0))
        self.last.update(dict.fromkeys(module.outputs & kernels.keys(), self.moments - 1))
        self.buffer: dict[int, int] = {}
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.makers: list[int] = []
        self.idle_ranges: list[IdleRange] = []
        self.home = self._homes()

    def run(self) -> Assignment:
        for index in self.order:
            moment = self.moment_of[index]
            if index < self.resident:
                continue
            if index in self.home:
                self._write_weight(index, moment)
                continue
            buffer = self._overwritten(index, moment)
            if buffer is None:
                buffer = len(self.starts)
                self.starts.append(moment)
                self.ends.append(moment)
                self.makers.append(index)
            self.buffer[index] = buffer
            self.ends[buffer] = max(self.ends[buffer], self.last[index])
        instructions = [self.kernels[i].instruction for i in self.makers]
        buffers = [
            Buffer(n.size, start, end, n.role, n.layer)
            for n, start, end in zip(instructions, self.starts, self.ends, strict=True)
        ]
        return Assignment([*buffers, *self._scratches()], self.idle_ranges, self.moments)

    def _moments(self) -> dict[int, int]:
        """When each kernel runs."""
        moment_of: dict[int, int] = {}
        begun: dict[tuple[int, ...], int] = {}
        for index in self.order:
            moment_of[index] = begun.setdefault(self._group(index), len(begun))
        return moment_of

    def _group(self, index: int) -> tuple[int, ...]:
        """All that is one kernel with this."""
        return self.group_of.get(index, (index,))

    def _scratches(self) -> list[Buffer]:
        """What the kernels work in, each for its own moment."""
        return [
            Buffer(n.scratch, self.moment_of[i], self.moment_of[i], "workspace", n.layer)
            for i, n in ((i, self.kernels[i].instruction) for i in self.order)
            if n.scratch is not None
        ]

    def _homes(self) -> dict[int, int]:
        """The weight in whose memory a result is written: its new value, and what that is written over."""
        found: dict[int, int] = {}
        for index, kernel in self.kernels.items():
            weight, writer = kernel.instruction.updates, index
            while weight is not None:
                found[writer] = weight
                base = self.kernels[writer].instruction.in_place
                if base is None or base < self.resident or base not in self.kernels[writer].operands:
                    break
                writer = base
        return found

    def _write_weight(self, index: int, moment: int) -> None:
        """A new value goes where the old one was; the first writer ends the vacancy."""
        kernel, weight = self.kernels[index], self.home[index]
        free_from = self.last.get(weight, 0)
        if self.home.get(kernel.instruction.in_place or 0) == weight:
            return
        if moment - free_from > 1:
            may_share = frozenset(
                self.buffer[o]
                for o, aligned in kernel.operands.items()
                if aligned and o in self.buffer and self.last[o] == moment
            )
            self.idle_ranges.append(IdleRange(self.kernels[weight].instruction.size, free_from, moment, may_share))

    def _overwritten(self, index: int, moment: int) -> int | None:
        """The chunk that a result takes over, if any."""
        kernel = self.kernels[index]
        if kernel.instruction.in_place in kernel.operands and kernel.instruction.in_place in self.buffer:
            return self.buffer[kernel.instruction.in_place]
        size, group = kernel.instruction.size.at(self.batch_size), [self.kernels[i] for i in self._group(index)]
        if len(group) > 1 and any(member.instruction.opcode == "reduce" for member in group):
            return None
        for operand in kernel.operands:
            buffer = self.buffer.get(operand)
            aligned = all(member.operands.get(operand, True) for member in group)
            if buffer is None or not aligned or self.last[operand] != moment or self.ends[buffer] != moment:
                continue
            if not self._in_a_tuple(operand) and self.kernels[operand].instruction.size.at(self.batch_size) == size:
                return buffer
        return None

    def _in_a_tuple(self, index: int) -> bool:
        """Is it one of several results, of a kernel or of a library, which returns its scratch as well."""
        return len(self._group(index)) > 1 or self.kernels[index].instruction.scratch is not None
