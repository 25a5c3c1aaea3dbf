"""What XLA computes again where a step would take more than most of the card's memory.

Nearly the last thing that the compiler does to an ordered step is to look, kernel by kernel, at how much is alive.
Where that is more than its limit it gives up one result after the other, the most useful first, and makes it once more
before its next reader.  So a step may take less on a card that has not got more: zeros into which a pooling's gradient
is scattered, begun early, come late.

Source: xla/hlo/transforms/simplifiers/hlo_rematerialization.cc, ``GetSchedulerMemoryLimit`` in
xla/service/gpu/gpu_hlo_schedule.cc, ``CreateRematOpts`` in xla/service/gpu/gpu_compiler.cc.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.hlo import Module, Opcode, Scratch
from app.core.simulate.xla.orders import Kernels
from app.core.types.stepgraph import PerBatch

SEEN_BY_CUDA = 0.98
"""Of what a card's driver counts CUDA has 95 to 99 % on six cards (5.79 GiB of an RTX 2060's 6, 7.62 of an RTX 4060's
8, 14.75 of a T4's 15, 15.77 of a V100's 16, 39.38 of an A100's 40, 23.52 of an RTX 4090's 24)."""
MOST_OF_THE_CARD = 0.80
"""What the compiler means to fill (``GetSchedulerMemoryLimit``)."""
SLOP = 0.95
"""``xla_gpu_memory_limit_slop_factor``: of what arguments and results leave of that."""
FOLLOWED_UP_TO = 1.5
"""A step that would have more than so many times the limit alive is left as it is: it hardly fits whatever is made
again, and to find that takes time."""
GROWN_AT_MOST = 2
"""A step that has become so many times as long goes on for ever: what was made again is given up again before its
reader.  It is left as it is, too."""
TRIFLE = 1 / 1000
"""Of the limit: the compiler moves the filters' copies and the like as well, which frees next to nothing and takes most
of the time."""
NEVER_AGAIN: frozenset[Opcode] = frozenset({"parameter", "constant", "call"})
"""What is never made a second time (``IsRematerializable``); kernels of several results, zeros and their copies among
them, are XLA's own and may be."""


@dataclass(frozen=True)
class OrderedStep:
    """A step's kernels, the order in which they run, and those that are one, side by side in it."""

    kernels: Kernels
    order: list[int]
    together: tuple[tuple[int, ...], ...]
    module: Module

    def fitted(self, card_bytes: int, batch_size: int) -> OrderedStep:
        """The step as the compiler leaves it for a card of so much memory: itself if it needs no more."""
        limit_bytes = self._limit_bytes(card_bytes, batch_size)
        if not limit_bytes < self._most_alive(batch_size) <= FOLLOWED_UP_TO * limit_bytes:
            return self
        return _Recomputation(self, batch_size, limit_bytes).run()

    def groups(self) -> list[tuple[int, ...]]:
        """Kernels in their order, each with those that are one with it."""
        group_of = {member: group for group in self.together for member in group}
        return list(dict.fromkeys(group_of.get(index, (index,)) for index in self.order))

    def _limit_bytes(self, card_bytes: int, batch_size: int) -> float:
        """How much of its own a step may have alive before something is made again."""
        return (MOST_OF_THE_CARD * SEEN_BY_CUDA * card_bytes - self._passed.at(batch_size)) * SLOP

    @cached_property
    def _passed(self) -> PerBatch:
        """Arguments and results, of a renewed weight one of both."""
        instructions = self.module.instructions
        results = map(instructions.__getitem__, self.module.outputs)
        passed = [*instructions[: self.module.resident], *(n for n in results if n.updates is None)]
        return sum((n.size for n in passed), PerBatch())

    @cached_property
    def passed_kernels(self) -> frozenset[int]:
        """Arguments and results, whose memory is the caller's."""
        renewed = (i for i, kernel in self.kernels.items() if kernel.instruction.updates is not None)
        return frozenset({*range(self.module.resident), *self.module.outputs, *renewed}) & self.kernels.keys()

    def _most_alive(self, batch_size: int) -> float:
        """What a step has alive of its own at the worst moment."""
        fixed, per_sample = self._alive
        alive = fixed + per_sample * batch_size
        for moment, scratch in self._scratches:
            alive[moment] += scratch.at(batch_size)
        return float(alive.max(initial=0.0))

    @cached_property
    def _moments(self) -> dict[int, int]:
        """When each kernel runs."""
        return {member: moment for moment, group in enumerate(self.groups()) for member in group}

    @cached_property
    def _alive(self) -> tuple[np.ndarray, np.ndarray]:
        """Results alive while each kernel runs: what does not depend on the batch, and what a sample adds."""
        last = dict(self._moments)
        for index, kernel in self.kernels.items():
            for operand in kernel.operands:
                last[operand] = max(last[operand], self._moments[index])
        change = np.zeros((2, len(last) + 1))
        for index, begun in self._moments.items():
            if index not in self.passed_kernels:
                change[:, begun] += self.kernels[index].instruction.size
                change[:, last[index] + 1] -= self.kernels[index].instruction.size
        fixed, per_sample = np.cumsum(change, axis=1)
        return fixed, per_sample

    @cached_property
    def _scratches(self) -> list[tuple[int, Scratch]]:
        """What kernels work in, and when."""
        made = ((moment, self.kernels[index].instruction) for index, moment in self._moments.items())
        return [(moment, n.scratch) for moment, n in made if n.scratch is not None]


@dataclass(eq=False)
class _Item:
    """A kernel in its place; ``moved``: nobody reads an earlier one of the same any more."""

    members: tuple[int, ...]
    reads: frozenset[int]
    scratch_bytes: float
    may_repeat: bool
    placed: bool = False
    moved: bool = False


class _Recomputation:
    """State while what is alive is counted: as if no result were ever written over another."""

    def __init__(self, step: OrderedStep, batch_size: int, limit_bytes: float) -> None:
        self.step = step
        self.batch_size = batch_size
        self.limit_bytes = limit_bytes
        self.kernels = dict(step.kernels)
        self.free = max(self.kernels, default=0) + 1
        self.sizes = {i: k.instruction.size.at(batch_size) for i, k in step.kernels.items()}
        self.passed = step.passed_kernels
        self.sizes.update(dict.fromkeys(self.passed, 0.0))
        self.readers: dict[int, set[_Item]] = {i: set() for i in self.kernels}
        self.waiting: dict[int, int] = {}
        self.maker: dict[int, _Item] = {}
        self.sequence = [self._item(group) for group in step.groups()]
        for index, readers in self.readers.items():
            self.waiting[index] = len(readers)
        self.alive_bytes = 0.0
        self.holding: dict[_Item, None] = {}
        self.dropped: set[_Item] = set()

    def run(self) -> OrderedStep:
        """Go through the step, whose rest grows while it is gone through."""
        longest = GROWN_AT_MOST * len(self.sequence)
        position = 0
        while position < len(self.sequence):
            item = self.sequence[position]
            self._begin(item)
            while self.alive_bytes > self.limit_bytes and (best := self._best(item)) is not None:
                self._repeat(best, position)
            self._end(item)
            position += 1
            if len(self.sequence) > longest:
                return self.step
        if len(self.kernels) == len(self.step.kernels):
            return self.step
        left = [item for item in self.sequence if item not in self.dropped]
        order = [member for item in left for member in item.members]
        together = tuple(item.members for item in left if len(item.members) > 1)
        return OrderedStep({i: self.kernels[i] for i in order}, order, together, self.step.module)

    def _item(self, members: tuple[int, ...]) -> _Item:
        """A kernel of that many results."""
        made = [self.kernels[member].instruction for member in members]
        reads = frozenset(o for member in members for o in self.kernels[member].operands if o not in members)
        scratch_bytes = sum(n.scratch.at(self.batch_size) for n in made if n.scratch is not None)
        item = _Item(members, reads, scratch_bytes, len(made) > 1 or made[0].opcode not in NEVER_AGAIN)
        self.maker.update(dict.fromkeys(members, item))
        for operand in reads:
            self.readers[operand].add(item)
        return item

    def _begin(self, item: _Item) -> None:
        item.placed = True
        made_bytes = sum(self.sizes[member] for member in item.members)
        self.alive_bytes += made_bytes + item.scratch_bytes
        large = made_bytes > TRIFLE * self.limit_bytes
        if large and item.may_repeat and not self.passed.intersection(item.members):
            self.holding[item] = None

    def _end(self, item: _Item) -> None:
        """What nobody waits for any more is gone."""
        self.alive_bytes -= item.scratch_bytes
        for operand in item.reads:
            self.waiting[operand] -= 1
            self._let_go(operand)
        for member in item.members:
            self._let_go(member)

    def _let_go(self, value: int) -> None:
        if self.waiting[value]:
            return
        self.alive_bytes -= self.sizes[value]
        maker = self.maker[value]
        if not any(self.waiting[member] for member in maker.members):
            self.holding.pop(maker, None)

    def _best(self, running: _Item) -> _Item | None:
        """The result whose absence helps most now; first of all one that nobody has read, which only comes later."""
        best, best_cost = None, None
        for item in self.holding:
            if item is running or running.reads.intersection(item.members):
                continue
            saved = sum(self.sizes[member] for member in item.members if self.waiting[member])
            saved -= sum(self.sizes[operand] for operand in item.reads if not self.waiting[operand])
            if saved <= 0:
                continue
            cost = 0 if self._is_unread(item) else self.limit_bytes // saved
            if best_cost is None or cost < best_cost:
                best, best_cost = item, cost
        return best

    def _is_unread(self, item: _Item) -> bool:
        """Has nothing that ran so far read it; several results are taken apart at once, which reads them."""
        return len(item.members) == 1 and not any(reader.placed for reader in self.readers[item.members[0]])

    def _repeat(self, item: _Item, position: int) -> None:
        """Let everybody who has not run yet read a second one, made as late as what it reads may stay."""
        again = self._copied(item)
        for operand in again.reads:
            if not self.waiting[operand]:
                self.alive_bytes += self.sizes[operand]
            self.waiting[operand] += 1
        moved = self._is_unread(item)
        for old, new in zip(item.members, again.members, strict=True):
            late = {reader for reader in self.readers[old] if not reader.placed}
            for reader in late:
                self._read(reader, new, instead_of=old)
            self.readers[old] -= late
            self.readers[new] |= late
            self.waiting[old], self.waiting[new] = 0, len(late)
            self.alive_bytes -= self.sizes[old]
        self.holding.pop(item)
        if moved:
            self.dropped.add(item)
            again.moved, again.may_repeat = True, not item.moved
        later = {reader for value in (*again.members, *again.reads) for reader in self.readers[value]} - {again}
        place = next(i for i in range(position + 1, len(self.sequence)) if self.sequence[i] in later)
        self.sequence.insert(place, again)

    def _copied(self, item: _Item) -> _Item:
        """The same kernel once more."""
        members = tuple(range(self.free, self.free + len(item.members)))
        self.free += len(members)
        renamed = dict(zip(item.members, members, strict=True))
        for old, new in renamed.items():
            self.kernels[new] = _reading(self.kernels[old], renamed)
            self.sizes[new] = self.sizes[old]
            self.readers[new] = set()
        return self._item(members)

    def _read(self, reader: _Item, new: int, *, instead_of: int) -> None:
        """Rename what a kernel reads."""
        for member in reader.members:
            self.kernels[member] = _reading(self.kernels[member], {instead_of: new})
        reader.reads = (reader.reads - {instead_of}) | {new}


def _reading(kernel: Kernel, renamed: dict[int, int]) -> Kernel:
    """A kernel that reads other results."""
    if renamed.keys().isdisjoint(kernel.operands):
        return kernel
    written = kernel.instruction.in_place
    made = kernel.instruction
    if written is not None and written in renamed:
        made = replace(made, in_place=renamed[written])
    operands = {renamed.get(o, o): aligned for o, aligned in kernel.operands.items()}
    return Kernel(made, operands, kernel.fused)
