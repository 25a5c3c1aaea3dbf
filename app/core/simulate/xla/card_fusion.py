"""Which instructions XLA makes into one kernel on a card (xla/service/gpu/transforms/priority_fusion.cc).

A result that all its readers can take in is taken in by all of them, or by none.  The one that saves most time goes
first.  Time is told by what goes through memory, which is what element-wise kernels wait for::

    apart     the maker's reads  +  its result written  +  its result read by each reader
    together  the maker's reads once more by each reader that does not read the same anyway

A sum is never taken in: a kernel with a sum in its midst has no emitter (``CanFuse``).  What only looks at memory
differently counts as what it looks at.
"""

from __future__ import annotations

import heapq

from app.core.simulate.xla.fusion import ALIGNED, Kernel, without_views
from app.core.simulate.xla.hlo import Instruction, Module

TAKEN_IN = frozenset("map costly multiply bitcast copy slice spread gather concatenate window".split())
TAKING_IN = TAKEN_IN | {"reduce", "windows"}
READ_IN_PART = frozenset({"slice", "gather"})
"""Of what these read, they read as much as their result holds."""


def fuse_for_card(module: Module, *, batch_size: int) -> dict[int, Kernel]:
    """The kernels that are left, by the index of their last instruction, in topological order.

    Args:
        module: The instructions.
        batch_size: Sizes are compared for this batch.
    """
    return _Fusion(module, batch_size).run()


class _Fusion:
    """State while fusing."""

    def __init__(self, module: Module, batch_size: int) -> None:
        self.instructions = module.instructions
        self.roots = {self._looked_at(root) for root in module.roots}
        self.resident = module.resident
        self.bytes = [instruction.size.at(batch_size) for instruction in module.instructions]
        wanted = module.wanted()
        self.kernels = without_views(
            {
                i: Kernel(n, {o: self._is_aligned(n, i, o) for o in n.operands})
                for i, n in enumerate(self.instructions)
                if i in wanted
            }
        )
        self.users: dict[int, dict[int, None]] = {i: {} for i in self.kernels}
        for index, kernel in self.kernels.items():
            for operand in kernel.operands:
                self.users[operand][index] = None
        self.saved: dict[int, float] = {}
        """What taking in each result would save, in bytes; a place in the queue that says otherwise is stale."""
        self.queue: list[tuple[float, int]] = []

    def run(self) -> dict[int, Kernel]:
        for index in self.kernels:
            self._rank(index)
        while self.queue:
            saved, producer = heapq.heappop(self.queue)
            if self.saved.get(producer) == -saved:
                self._take_in(producer)
        self._keep_what_is_summed()
        return self.kernels

    def _keep_what_is_summed(self) -> None:
        """A kernel that a sum reads becomes one kernel with it, and then writes over nothing.

        Source: xla/service/gpu/transforms/multi_output_fusion.cc; ``FusionCanShareBufferHint`` in
        xla/service/gpu/alias_info.cc.
        """
        for index, kernel in self.kernels.items():
            if any(self.instructions[user].opcode == "reduce" for user in self.users[index]):
                kernel.operands = dict.fromkeys(kernel.operands, False)

    def _looked_at(self, index: int) -> int:
        """What a view is a view of; anything else is itself."""
        while self.instructions[index].opcode == "bitcast" and self.instructions[index].updates is None:
            index = self.instructions[index].operands[0]
        return index

    def _is_aligned(self, instruction: Instruction, index: int, operand: int) -> bool:
        return instruction.opcode in ALIGNED and self.bytes[index] == self.bytes[operand]

    def _rank(self, producer: int) -> None:
        """Give a result its place in the queue, if it may be taken in and that saves anything."""
        self.saved.pop(producer, None)
        users = self.users[producer]
        if producer in self.roots or producer < self.resident or not users:
            return
        if self.instructions[producer].opcode not in TAKEN_IN:
            return
        if any(self.instructions[u].opcode not in TAKING_IN for u in users):
            return
        saved = self._saved_bytes(producer)
        if saved >= 0:
            self.saved[producer] = saved
            heapq.heappush(self.queue, (-saved, producer))

    def _saved_bytes(self, producer: int) -> float:
        reads = self.kernels[producer].operands
        apart = sum(self._read_bytes(producer, o) for o in reads) + self.bytes[producer]
        together = 0.0
        for user in self.users[producer]:
            apart += self._read_bytes(user, producer)
            own = self.kernels[user].operands
            share = self._read_bytes(user, producer) / max(1.0, self.bytes[producer])
            together += sum(share * self._read_bytes(producer, o) for o in reads if o not in own)
        return apart - together

    def _read_bytes(self, reader: int, operand: int) -> float:
        """What a kernel reads of one of its operands."""
        whole = self.bytes[operand]
        return min(whole, self.bytes[reader]) if self.instructions[reader].opcode in READ_IN_PART else whole

    def _take_in(self, producer: int) -> None:
        """Make a result a part of all its readers."""
        kernel = self.kernels.pop(producer)
        self.saved.pop(producer)
        users = self.users.pop(producer)
        for operand in kernel.operands:
            self.users[operand].pop(producer)
        for user in users:
            taking = self.kernels[user]
            aligned = taking.operands.pop(producer)
            for operand, inner in kernel.operands.items():
                taking.operands[operand] = taking.operands.get(operand, True) and aligned and inner
                self.users[operand][user] = None
            taking.fused = True
        for near in {*kernel.operands, *users, *(o for u in users for o in self.kernels[u].operands)}:
            self._rank(near)
