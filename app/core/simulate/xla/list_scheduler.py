"""The order in which a kernel always comes next whose run frees most (``ListScheduler``).

Results count one by one.  A kernel that has several, or a library's that was given room to work in, gives them as a
tuple: whoever reads one of them reads an instruction that takes it out, and each of those has hold of the whole tuple
until it has run.

Source: xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.results import Results, users_of

NOT_COUNTED = frozenset({"parameter", "constant"})
"""What is there in any order."""


def list_order(kernels: dict[int, Kernel], batch_size: int, results: Results) -> list[int]:
    """The kernels as the scheduler orders them.

    Args:
        kernels: All that run.
        batch_size: Sizes are compared for this batch.
        results: Of kernels with several results, each of them.
    """
    scheduler = _Scheduler(len(kernels))
    scheduler.build(kernels, batch_size, results)
    names = list(kernels)
    return [names[place] for place in scheduler.run() if place < len(names)]


class _Priority(NamedTuple):
    """Of an instruction: the least goes first.  Scalars are computed as soon as they can be."""

    taken_bytes: float
    users: float
    turn: int
    """Of equals whoever was ready last."""


class _Scheduler:
    """Instructions and what they define; the kernels first, then those that take results out of tuples."""

    def __init__(self, kernels: int) -> None:
        self.defined = [0.0] * kernels
        self.scalar = [False] * kernels
        self.users: list[list[int]] = [[] for _ in range(kernels)]
        self.held = [0] * kernels
        """Readers besides the instructions: the step's results are wanted in the end."""
        self.reads: list[list[int]] = [[] for _ in range(kernels)]
        """Buffers, by instruction."""
        self.waiting = [0] * kernels
        self.sizes: list[float] = []
        self.unread: list[int] = []

    def build(self, kernels: dict[int, Kernel], batch_size: int, results: Results) -> None:
        """All instructions of a step."""
        place = {index: number for number, index in enumerate(kernels)}
        readers = users_of(kernels)
        for index, kernel in kernels.items():
            made, own = kernel.instruction, place[index]
            if made.opcode in NOT_COUNTED:
                self.scalar[own] = made.size.at(batch_size) <= made.item_bytes
                self._link(own, [place[reader] for reader in readers[index]])
                continue
            parts = [(r.size.at(batch_size), [place[x] for x in r.readers], r.stays) for r in results.get(index, ())]
            parts = parts or [(made.size.at(batch_size), [place[x] for x in readers[index]], made.updates is not None)]
            buffers = [self._buffer(size) for size, _, _ in parts]
            if made.scratch is not None:
                buffers.append(self._buffer(made.scratch.at(batch_size)))
            self.defined[own] = sum(self.sizes[buffer] for buffer in buffers)
            for (size, users, stays), buffer in zip(parts, buffers, strict=False):
                taker = own if len(buffers) == 1 else self._take_out(own, buffers)
                self.scalar[taker] = size <= made.item_bytes
                self.held[taker] = stays
                self.unread[buffer] += stays
                self._link(taker, users)
                for user in users:
                    self.reads[user].append(buffer)
                    self.unread[buffer] += 1

    def run(self) -> list[int]:
        """The instructions in their order."""
        ready: list[tuple[_Priority, int]] = []
        known: dict[int, _Priority] = {}
        turn = itertools.count()

        def put(place: int) -> None:
            priority = self._priority(place, -next(turn))
            if place not in known or priority[:2] != known[place][:2]:
                known[place] = priority
                heapq.heappush(ready, (priority, place))

        operands: list[list[int]] = [[] for _ in self.users]
        for place, users in enumerate(self.users):
            for user in users:
                operands[user].append(place)
        for place, missing in enumerate(self.waiting):
            if missing == 0:
                put(place)
        order: list[int] = []
        done = [False] * len(self.users)
        while ready:
            priority, place = heapq.heappop(ready)
            if done[place] or known[place] != priority:
                continue
            done[place] = True
            order.append(place)
            for buffer in self.reads[place]:
                self.unread[buffer] -= 1
            for user in self.users[place]:
                self.waiting[user] -= 1
                if self.waiting[user] == 0:
                    put(user)
            if any(self.unread[buffer] == 1 for buffer in self.reads[place]):
                for operand in operands[place]:
                    for user in self.users[operand]:
                        if user in known and not done[user]:
                            put(user)
        return order

    def _buffer(self, size: float) -> int:
        self.sizes.append(size)
        self.unread.append(0)
        return len(self.sizes) - 1

    def _take_out(self, kernel: int, buffers: Sequence[int]) -> int:
        """An instruction that takes one result out of a kernel's tuple."""
        own = len(self.users)
        self.defined.append(0.0)
        self.scalar.append(False)
        self.users.append([])
        self.held.append(0)
        self.reads.append(list(buffers))
        self.waiting.append(0)
        for buffer in buffers:
            self.unread[buffer] += 1
        self._link(kernel, [own])
        return own

    def _link(self, place: int, users: Sequence[int]) -> None:
        self.users[place] += users
        for user in users:
            self.waiting[user] += 1

    def _priority(self, place: int, turn: int) -> _Priority:
        if self.scalar[place]:
            return _Priority(-inf, -inf, turn)
        freed = sum(self.sizes[buffer] for buffer in self.reads[place] if self.unread[buffer] == 1)
        return _Priority(self.defined[place] - freed, -len(self.users[place]) - self.held[place], turn)
