"""How long each result of a compiled step lives, and which of them XLA puts where an old weight was.

Everything that is neither argument nor output goes into one block, whose size is, within a few
hundredths, what is alive at the worst moment: the heap simulator packs well (43 steps: at most 5 % more,
mostly nothing).  Source: xla/service/buffer_assignment.cc.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.core.simulate.xla.nodes import Module
from app.core.simulate.xla.schedule import Kernels
from app.core.types.stepgraph import Line

TRIFLE_SHARE = 1e-3
"""Results smaller than this part of the largest one are not looked for a place."""


@dataclass(frozen=True)
class Buffer:
    """A result that lives from its first to its last moment, both included."""

    size: Line
    start: int
    end: int
    role: str
    layer: int | None


@dataclass(frozen=True)
class Vacancy:
    """Between the last read of an old weight and the writing of the new one its memory is free.

    ``heirs`` are the buffers over which the new value may be written, so that they may stay until then.
    """

    size: Line
    start: int
    end: int
    heirs: frozenset[int]


@dataclass
class Assignment:
    """A compiled step, moment by moment, for any batch size."""

    buffers: list[Buffer] = field(default_factory=list)
    vacancies: list[Vacancy] = field(default_factory=list)
    moments: int = 0
    _guests: dict[int, frozenset[int]] = field(default_factory=dict)

    def profile(self, batch_size: int) -> tuple[np.ndarray, frozenset[int]]:
        """Bytes alive at each moment outside of the weights' memory, and the buffers that are inside it.

        The guests are found for the next power of two and stay for all batches below it, down to the one
        before: what fits there fits here.
        """
        guests = self.guests(1 << (batch_size - 1).bit_length())
        sizes = np.array([b.size.at(batch_size) for b in self.buffers])
        outside = np.ones(len(sizes), dtype=bool)
        outside[list(guests)] = False
        change = np.zeros(self.moments + 1)
        np.add.at(change, self._starts[outside], sizes[outside])
        np.add.at(change, self._ends[outside] + 1, -sizes[outside])
        return np.cumsum(change), guests

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.array([b.start for b in self.buffers], dtype=int)

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.array([b.end for b in self.buffers], dtype=int)

    def guests(self, batch_size: int) -> frozenset[int]:
        """The buffers that find a place in a weight's memory.

        A buffer goes where an old weight was if it is no larger and nothing else is there at the time;
        large buffers choose first, and the smallest place (``BufferAssigner::AssignBuffersForComputations``).
        """
        if batch_size not in self._guests:
            self._guests[batch_size] = frozenset(self._find_guests(batch_size))
        return self._guests[batch_size]

    def _find_guests(self, batch_size: int) -> set[int]:
        sizes, starts, ends = np.array([b.size.at(batch_size) for b in self.buffers]), self._starts, self._ends
        places = sorted(self.vacancies, key=lambda v: v.size.at(batch_size))
        if not places or not len(sizes):
            return set()
        room = np.array([p.size.at(batch_size) for p in places])
        opens, closes = np.array([p.start for p in places]), np.array([p.end for p in places])
        taken: list[list[tuple[int, int]]] = [[] for _ in places]
        found: set[int] = set()
        floor = sizes.max() * TRIFLE_SHARE
        for index in np.argsort(-sizes, kind="stable"):
            if sizes[index] <= floor:
                break
            start, end = starts[index], ends[index]
            for place in np.flatnonzero((room >= sizes[index]) & (opens < start) & (closes >= end)):
                if closes[place] == end and int(index) not in places[place].heirs:
                    continue
                if all(end < first or start > last for first, last in taken[place]):
                    taken[place].append((start, end))
                    found.add(int(index))
                    break
        return found


def assign(kernels: Kernels, order: list[int], module: Module, batch_size: int) -> Assignment:
    """Give every result a buffer.

    A result is written over an operand of its size that ends with it and is read element by element
    (``CanShareOperandBufferWithUser``); sizes are compared at ``batch_size``.
    """
    return _Assigning(kernels, order, module, batch_size).run()


class _Assigning:
    """State while assigning."""

    def __init__(self, kernels: Kernels, order: list[int], module: Module, batch_size: int) -> None:
        self.kernels = kernels
        self.order = order
        self.resident = module.resident
        self.batch_size = batch_size
        self.last: dict[int, int] = {}
        for moment, index in enumerate(order):
            self.last[index] = moment
            self.last.update(dict.fromkeys(kernels[index].operands, moment))
        self.last.update(dict.fromkeys(module.outputs & kernels.keys(), len(order) - 1))
        self.chunk: dict[int, int] = {}
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.makers: list[int] = []
        self.vacancies: list[Vacancy] = []
        self.home = self._homes()

    def run(self) -> Assignment:
        for moment, index in enumerate(self.order):
            if index < self.resident:
                continue
            if index in self.home:
                self._write_weight(index, moment)
                continue
            chunk = self._overwritten(index, moment)
            if chunk is None:
                chunk = len(self.starts)
                self.starts.append(moment)
                self.ends.append(moment)
                self.makers.append(index)
            self.chunk[index] = chunk
            self.ends[chunk] = max(self.ends[chunk], self.last[index])
        nodes = [self.kernels[i].node for i in self.makers]
        buffers = [
            Buffer(n.size, start, end, n.role, n.layer)
            for n, start, end in zip(nodes, self.starts, self.ends, strict=True)
        ]
        return Assignment(buffers, self.vacancies, len(self.order))

    def _homes(self) -> dict[int, int]:
        """The weight in whose memory a result is written: its new value, and what that is written over."""
        found: dict[int, int] = {}
        for index, kernel in self.kernels.items():
            weight, writer = kernel.node.updates, index
            while weight is not None:
                found[writer] = weight
                base = self.kernels[writer].node.in_place
                if base is None or base < self.resident or base not in self.kernels[writer].operands:
                    break
                writer = base
        return found

    def _write_weight(self, index: int, moment: int) -> None:
        """A new value goes where the old one was; the first writer ends the vacancy."""
        kernel, weight = self.kernels[index], self.home[index]
        free_from = self.last.get(weight, 0)
        if self.home.get(kernel.node.in_place or 0) == weight:
            return
        if moment - free_from > 1:
            heirs = frozenset(
                self.chunk[o]
                for o, aligned in kernel.operands.items()
                if aligned and o in self.chunk and self.last[o] == moment
            )
            self.vacancies.append(Vacancy(self.kernels[weight].node.size, free_from, moment, heirs))

    def _overwritten(self, index: int, moment: int) -> int | None:
        """The chunk that a result takes over, if any."""
        kernel = self.kernels[index]
        if kernel.node.in_place in kernel.operands and kernel.node.in_place in self.chunk:
            return self.chunk[kernel.node.in_place]
        size = kernel.node.size.at(self.batch_size)
        for operand, aligned in kernel.operands.items():
            chunk = self.chunk.get(operand)
            if chunk is None or not aligned or self.last[operand] != moment or self.ends[chunk] != moment:
                continue
            if self.kernels[operand].node.size.at(self.batch_size) == size:
                return chunk
        return None
