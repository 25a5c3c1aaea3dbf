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
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from app.core.simulate.xla.card_costs import LAUNCH_S, CardSpeed, Cost, blocks_of_columns, blocks_of_map
from app.core.simulate.xla.hlo import ELEMENTWISE, Opcode
from app.core.types.units import FLOAT_BYTES

TAKEN_IN = frozenset("map costly multiply bitcast copy slice spread gather concatenate mask window".split())
TAKING_IN = TAKEN_IN | {"reduce", "windows", "scatter"}
PART_BY_PART = ELEMENTWISE | {"concatenate"}
"""What goes over as many places as what it takes in has parts."""
FEW_PARTS = 4
"""So many arrays at most are joined one after the other, by a kernel of its own kind (``UseConcatenateFusion`` in
xla/service/gpu/hlo_fusion_analysis.cc)."""
READ_IN_PART = frozenset({"slice", "gather"})
"""Of what these read, they read as much as their result holds."""
REGIONS_KEPT = 4096
FREE, ONE_FOR_ONE = 1, 2
"""Of an operand: it may be written over; its elements are read one for one."""
TICKS_PER_S = 4e9
"""The compiler compares times in quarters of a nanosecond (``absl::Duration``)."""


class Value(NamedTuple):
    """A result in a region: what decides whether it is written.

    Args:
        opcode: Of its instruction.
        bytes: What it takes.
        item_bytes: What an element of it takes.
        cycles: To compute an element.
        operands: What is read, by place in the region, and how (`FREE`, `ONE_FOR_ONE`); none of what comes from
            elsewhere.
        may_go: May it be taken in.
        once: Has its instruction one operand only.
        reads: How often an element of its first operand is read for one that is made.
        rows: Does Triton write it, row by row.
    """

    opcode: Opcode
    bytes: float
    item_bytes: int
    cycles: float = 0.0
    operands: tuple[tuple[int, int], ...] = ()
    may_go: bool = False
    once: bool = False
    reads: int = 1
    rows: bool = False


class Left(NamedTuple):
    """A kernel that is left of a region: the place of its last instruction, what it reads, what it does.

    Args:
        place: Of its last instruction.
        operands: What it reads, by place: may it be written over, and is it read one for one.
        fused: Did it take in any other.
        cost: By place.
        given: Elements that it adds up, whatever it took in; None of what is no sum.
        by_parts: Does it write one after the other the parts of what it joins.
    """

    place: int
    operands: tuple[tuple[int, bool, bool], ...]
    fused: bool
    cost: Cost
    given: float | None
    by_parts: bool


@lru_cache(maxsize=REGIONS_KEPT)
def fused_region(region: tuple[Value, ...], speed: CardSpeed, *, by_column: bool) -> tuple[Left, ...]:
    """The kernels that are left of a region, in order.

    Args:
        region: What its kernels read from elsewhere, and then their results.
        speed: Of the card.
        by_column: Do sums over the outer dimensions keep what lies innermost.
    """
    return _Fusion(region, speed, by_column).run()


class _Fusion:
    """State while fusing a region."""

    def __init__(self, region: tuple[Value, ...], speed: CardSpeed, by_column: bool) -> None:
        self.region = region
        self.speed = speed
        self.by_column = by_column
        self.operands = {i: dict(value.operands) for i, value in enumerate(region) if value.opcode != "parameter"}
        """Of each kernel what it reads, and how."""
        self.users: list[dict[int, None]] = [{} for _ in region]
        for index, operands in self.operands.items():
            for operand in operands:
                self.users[operand][index] = None
        self.given = {i: self._given(i) for i in self.operands if region[i].opcode == "reduce"}
        """Elements that a sum adds up, whatever it takes in."""
        self.costs = {i: self._cost(i) for i in self.operands}
        self.blocks = [blocks_of_map(value.bytes / value.item_bytes) for value in region]
        """Of a kernel that computes as many elements as it writes."""
        self.fused: set[int] = set()
        self.by_rows = {i for i, value in enumerate(region) if value.rows}
        """What Triton writes, row by row, and whatever takes that in."""
        self.parts = {i: len(value.operands) for i, value in enumerate(region) if value.opcode == "concatenate"}
        """Of what joins arrays how many, and of what is made of that element by element."""
        self.times: dict[int, float] = {}
        """Seconds of each kernel as it stands, as far as somebody has asked."""
        self.reading: dict[int, float] = {}
        """Of these the seconds that it reads."""
        self.together: list[dict[int, float]] = [{} for _ in region]
        """Of each result the seconds of a reader that makes it itself, as far as somebody has asked."""
        self.saved: dict[int, int] = {}
        """Ticks that taking in each result would save; a place in the queue that says otherwise is stale."""
        self.queue: list[tuple[int, int]] = []

    def run(self) -> tuple[Left, ...]:
        for index in self.operands:
            self._rank(index)
        while self.queue:
            saved, last = heapq.heappop(self.queue)
            if self.saved.get(-last) == -saved:
                self._take_in(-last)
        return tuple(self._left(index) for index in self.operands)

    def _left(self, index: int) -> Left:
        """A kernel that has taken in what it takes in; one that goes over whole rows overwrites nothing it reads."""
        anywhere = 0 if index in self.by_rows else FREE
        reads = self.operands[index].items()
        operands = tuple((operand, bool(how & anywhere), bool(how & ONE_FOR_ONE)) for operand, how in reads)
        fused = index in self.fused
        by_parts = fused and 1 < self.parts.get(index, 1) <= FEW_PARTS
        return Left(index, operands, fused, self._whole_cost(index), self.given.get(index), by_parts)

    def _rank(self, producer: int) -> None:
        """Give a result its place in the queue, if it may be taken in and that saves anything; of equals the last."""
        if not self.region[producer].may_go:
            return
        self.saved.pop(producer, None)
        saved = round(self._saved_s(producer) * TICKS_PER_S)
        if saved >= 0:
            self.saved[producer] = saved
            heapq.heappush(self.queue, (-saved, -producer))

    def _cost(self, index: int) -> Cost:
        """Of an instruction alone; a sum computes for what it reads, anything else for its result."""
        made = self.region[index]
        largest = max((self.region[o].bytes for o in self.operands[index]), default=0.0)
        computed = largest if made.opcode == "reduce" else made.bytes
        reads = {o: self._read_bytes(made, self.region[o].bytes) for o in self.operands[index]}
        if made.reads > 1:
            first = next(iter(reads))
            reads[first] *= made.reads
        return Cost(made.cycles * computed / made.item_bytes, reads)

    def _given(self, index: int) -> float:
        """Elements of the largest operand."""
        return max((self.region[o].bytes / self.region[o].item_bytes for o in self.operands[index]), default=1.0)

    def _read_bytes(self, reader: Value, whole: float) -> float:
        """What an instruction reads of an operand that takes so much."""
        if reader.opcode in READ_IN_PART:
            return min(whole, reader.bytes)
        return reader.bytes if reader.opcode == "spread" or not whole else whole

    def _saved_s(self, producer: int) -> float:
        """Seconds that are saved if all readers take the result in.

        Of a mask, what they save more than it does itself by taking in one of the four last rounds that make its bits,
        each a launch and an array as large as the mask: who takes these in is too dear to be taken in.
        """
        apart = LAUNCH_S + self._time_s(producer)
        if self.region[producer].opcode == "mask":
            apart -= LAUNCH_S + self.region[producer].bytes / self.speed.memory_bytes_per_s
        together, known, times = 0.0, self.together[producer], self.times
        for user in self.users[producer]:  # hundreds read what a step has once, again and again
            apart += times[user] if user in times else self._time_s(user)
            if user not in known:
                known[user] = self._together_s(producer, user)
            together += known[user]
        return apart - together

    def _together_s(self, producer: int, user: int) -> float:
        """Seconds of a reader that makes the result itself.

        A reader of many operands, as of a dense block, is told by what changes.
        """
        if self.region[user].opcode == "reduce":  # whose blocks depend on what it reads
            return self._kernel_s(user, self._together(producer, user))
        made, cost, blocks = self.costs[producer], self.costs[user], self.blocks[user]
        times = self._times_read(producer, user)
        read_s = self._reads_s(user) - self._operand_s(producer, cost.reads[producer], blocks)
        for operand in made.reads:
            read_s -= self._operand_s(operand, cost.reads.get(operand, 0.0), blocks)
            read_s += self._operand_s(operand, self._read_by_both(producer, user, operand), blocks)
        return self.speed.kernel_s(cost.cycles + times * made.cycles, blocks, read_s, self._written(user))

    def _together(self, producer: int, user: int) -> Cost:
        """A reader that makes the result itself, as often as it reads it."""
        made, cost = self.costs[producer], self.costs[user]
        reads = {operand: read for operand, read in cost.reads.items() if operand != producer}
        for operand in made.reads:
            reads[operand] = self._read_by_both(producer, user, operand)
        return Cost(cost.cycles + self._times_read(producer, user) * made.cycles, reads)

    def _times_read(self, producer: int, user: int) -> float:
        """How often a reader wants an element of a result."""
        size = self.region[producer].bytes
        return self.costs[user].reads[producer] / size if size else 0.0

    def _read_by_both(self, producer: int, user: int, operand: int) -> float:
        """Bytes of an operand of the maker that are read where a reader makes the result itself."""
        own = self.costs[user].reads.get(operand, 0.0)
        more = self._times_read(producer, user) * self.costs[producer].reads[operand]
        aligned = self.operands[user][producer] & self.operands[producer][operand] & ONE_FOR_ONE
        return max(own, more) if aligned else own + more

    def _time_s(self, index: int) -> float:
        """Seconds of a kernel as it stands."""
        if self._looks_on(index):
            return 0.0
        if index not in self.times:
            self.times[index] = self._kernel_s(index, self.costs[index]) + self._read_twice_s(index)
        return self.times[index]

    def _looks_on(self, index: int) -> bool:
        """Is it a view of what somebody else writes, which takes no time and, to the compiler, writes nothing."""
        return self.region[index].opcode == "bitcast" and index not in self.fused

    def _written(self, index: int) -> float:
        """Bytes that a kernel writes."""
        return 0.0 if self._looks_on(index) else self.region[index].bytes

    def _read_twice_s(self, index: int) -> float:
        """Seconds more of x times x alone, which is counted as reading x twice."""
        made = self.region[index]
        if index in self.fused or made.opcode != "multiply" or not made.once:
            return 0.0
        return self._read_s(self.costs[index], self.blocks[index])

    def _whole_cost(self, index: int) -> Cost:
        """Of a kernel that is left, and its blocks."""
        return replace(self.costs[index], blocks=self._blocks(index, self.costs[index]))

    def _blocks(self, index: int, cost: Cost) -> float:
        """Blocks of a kernel."""
        made = self.region[index]
        return self._blocks_of_sum(index, cost) if made.opcode == "reduce" and cost.reads else self.blocks[index]

    def _kernel_s(self, index: int, cost: Cost) -> float:
        """Seconds of a kernel, its launch left out."""
        blocks = self._blocks(index, cost)
        return self.speed.kernel_s(cost.cycles, blocks, self._read_s(cost, blocks), self._written(index))

    def _reads_s(self, index: int) -> float:
        """Seconds that a kernel as it stands reads."""
        if index not in self.reading:
            self.reading[index] = self._read_s(self.costs[index], self.blocks[index])
        return self.reading[index]

    def _read_s(self, cost: Cost, blocks: float) -> float:
        """Seconds that a kernel of so many blocks reads."""
        return self.speed.read_s([(self.region[o].bytes, read) for o, read in cost.reads.items()], blocks)

    def _operand_s(self, operand: int, read: float, blocks: float) -> float:
        """Seconds that it reads so much of one operand."""
        return self.speed.operand_s(self.region[operand].bytes, read, blocks)

    def _blocks_of_sum(self, index: int, cost: Cost) -> float:
        """Few for a sum over the outer dimensions, which keeps what lies innermost."""
        made, given = self.region[index], self.given[index]
        if not self.by_column:
            return blocks_of_map(given)
        narrowest = min((self.region[o].item_bytes for o in cost.reads if self.region[o].bytes), default=FLOAT_BYTES)
        return blocks_of_columns(given, made.bytes / made.item_bytes, narrowest)

    def _take_in(self, producer: int) -> None:
        """Make a result a part of all its readers."""
        users = self.users[producer]
        for user in users:
            self.costs[user] = self._together(producer, user)
            self._forget(user)
        inner = self.operands.pop(producer)
        self.saved.pop(producer)
        for operand in inner:
            self.users[operand].pop(producer)
        for user in users:
            taking = self.operands[user]
            aligned = taking.pop(producer)
            for operand, how in inner.items():
                taking[operand] = taking.get(operand, FREE | ONE_FOR_ONE) & aligned & how
                self.users[operand][user] = None
            self.fused.add(user)
        if producer in self.by_rows:
            self.by_rows.update(users)
        if producer in self.parts:
            for user in (user for user in users if self.region[user].opcode in PART_BY_PART):
                self.parts[user] = self.parts.get(user, 1) + self.parts[producer] - 1
        for near in {*inner, *users, *(o for u in users for o in self.operands[u])}:
            self._rank(near)

    def _forget(self, changed: int) -> None:
        """Forget how long a kernel takes that does more from now on, alone and with what it reads or is read by."""
        self.times.pop(changed, None)
        self.reading.pop(changed, None)
        self.together[changed].clear()
        for operand in self.operands[changed]:
            self.together[operand].pop(changed, None)
