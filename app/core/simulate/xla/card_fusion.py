"""Which instructions XLA makes into one kernel on a card (xla/service/gpu/transforms/priority_fusion.cc).

A result that all its readers can take in is taken in by all of them, or by none.  The one that saves most time goes
first, as the compiler tells time (`app.core.simulate.xla.card_costs`)::

    apart     the maker  +  each reader  +  a launch for each
    together  each reader, which computes and reads besides its own what the maker does,
              as often as it wants an element of the result  +  a launch for each

A sum is never taken in: a kernel with a sum in its midst has no emitter (``CanFuse``).  What only looks at memory
differently counts as what it looks at.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from app.core.simulate.xla.card_costs import LAUNCH_S, CardSpeed, blocks_of_columns, blocks_of_map
from app.core.simulate.xla.fusion import ALIGNED, Kernel, without_views
from app.core.simulate.xla.hlo import FLOAT_BYTES, Instruction, Module

TAKEN_IN = frozenset("map costly multiply bitcast copy slice spread gather concatenate window".split())
TAKING_IN = TAKEN_IN | {"reduce", "windows"}
READ_IN_PART = frozenset({"slice", "gather"})
"""Of what these read, they read as much as their result holds."""


def fuse_for_card(module: Module, *, batch_size: int, speed: CardSpeed) -> dict[int, Kernel]:
    """The kernels that are left, by the index of their last instruction, in topological order.

    Args:
        module: The instructions.
        batch_size: Sizes are compared for this batch.
        speed: Of the card.
    """
    return _Fusion(module, batch_size, speed).run()


@dataclass(frozen=True, slots=True)
class _Cost:
    """What a kernel does: cycles, and of each operand the bytes that it reads, again and again where it must."""

    cycles: float
    reads: dict[int, float]


class _Fusion:
    """State while fusing."""

    def __init__(self, module: Module, batch_size: int, speed: CardSpeed) -> None:
        self.speed = speed
        self.by_column = module.channels_last
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
        self.costs = {i: self._cost(i, kernel) for i, kernel in self.kernels.items()}
        self.times: dict[int, float] = {}
        """Seconds of each kernel as it stands, as far as somebody has asked."""
        self.saved: dict[int, float] = {}
        """Seconds that taking in each result would save; a place in the queue that says otherwise is stale."""
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
        saved = self._saved_s(producer)
        if saved >= 0:
            self.saved[producer] = saved
            heapq.heappush(self.queue, (-saved, producer))

    def _cost(self, index: int, kernel: Kernel) -> _Cost:
        """Of an instruction alone; a sum computes for what it reads, anything else for its result."""
        instruction = kernel.instruction
        computed = max((self.bytes[o] for o in kernel.operands), default=0.0)
        computed = computed if instruction.opcode == "reduce" else self.bytes[index]
        reads = {o: self._read_bytes(index, o) for o in kernel.operands}
        return _Cost(instruction.cycles * computed / instruction.item_bytes, reads)

    def _read_bytes(self, reader: int, operand: int) -> float:
        """What an instruction reads of one of its operands."""
        whole, made, opcode = self.bytes[operand], self.bytes[reader], self.instructions[reader].opcode
        if opcode in READ_IN_PART:
            return min(whole, made)
        return made if opcode == "spread" else whole

    def _saved_s(self, producer: int) -> float:
        """Seconds that are saved if all readers take the result in."""
        apart = LAUNCH_S + self._time_s(producer)
        together = 0.0
        for user in self.users[producer]:
            apart += self._time_s(user)
            together += self._kernel_s(user, self._together(producer, user))
        return apart - together

    def _together(self, producer: int, user: int) -> _Cost:
        """A reader that makes the result itself, as often as it reads it."""
        made, cost = self.costs[producer], self.costs[user]
        times = cost.reads[producer] / self.bytes[producer] if self.bytes[producer] else 0.0
        aligned = self.kernels[user].operands[producer]
        reads = {o: read for o, read in cost.reads.items() if o != producer}
        for operand, read in made.reads.items():
            same = aligned and self.kernels[producer].operands[operand]
            own = reads.get(operand, 0.0)
            reads[operand] = max(own, times * read) if same else own + times * read
        return _Cost(cost.cycles + times * made.cycles, reads)

    def _time_s(self, index: int) -> float:
        """Seconds of a kernel as it stands."""
        if index not in self.times:
            self.times[index] = self._kernel_s(index, self.costs[index]) + self._read_twice_s(index)
        return self.times[index]

    def _read_twice_s(self, index: int) -> float:
        """Seconds more of x times x alone, which is counted as reading x twice."""
        kernel = self.kernels[index]
        if kernel.fused or kernel.instruction.opcode != "multiply" or len(kernel.instruction.operands) > 1:
            return 0.0
        blocks = blocks_of_map(self.bytes[index] / kernel.instruction.item_bytes)
        return sum(self.speed.read_s(self.bytes[o], read, blocks) for o, read in self.costs[index].reads.items())

    def _kernel_s(self, index: int, cost: _Cost) -> float:
        """Seconds of a kernel, its launch left out."""
        blocks = self._blocks(index, cost)
        memory = sum(self.speed.read_s(self.bytes[o], read, blocks) for o, read in cost.reads.items())
        memory += self.bytes[index] / self.speed.memory_bytes_per_s
        return self.speed.kernel_s(self.speed.compute_s(cost.cycles, blocks), memory)

    def _blocks(self, index: int, cost: _Cost) -> float:
        """Blocks of a kernel: few of a sum over the outer dimensions, which keeps what lies innermost."""
        made = self.bytes[index] / self.instructions[index].item_bytes
        if self.instructions[index].opcode != "reduce" or not cost.reads:
            return blocks_of_map(made)
        given = max(read / self.instructions[o].item_bytes for o, read in cost.reads.items())
        if not self.by_column:
            return blocks_of_map(given)
        narrowest = min((self.instructions[o].item_bytes for o in cost.reads if self.bytes[o]), default=FLOAT_BYTES)
        return blocks_of_columns(given, made, narrowest)

    def _take_in(self, producer: int) -> None:
        """Make a result a part of all its readers."""
        users = self.users.pop(producer)
        for user in users:
            self.costs[user] = self._together(producer, user)
            self.times.pop(user, None)
        kernel = self.kernels.pop(producer)
        self.saved.pop(producer)
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
