"""Kernels that XLA makes one on a card although each of their results is wanted.

Readers of one value that go over as many elements become one kernel, and so does a kernel with one of its readers, if
the compiler thinks that this saves time: a comparison that only the gradient reads may so be made together with the
activation, long before.  From the last kernel to the first, readers before makers
(xla/service/gpu/transforms/multi_output_fusion.cc).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.simulate.xla.card_costs import LAUNCH_S, CardSpeed, Cost, columns_at_once
from app.core.simulate.xla.card_regions import CardKernels
from app.core.simulate.xla.fusion import Kernel, written_over
from app.core.simulate.xla.results import users_of
from app.core.simulate.xla.waiting import Waiting
from app.core.types.units import FLOAT_BYTES

LOOPS = frozenset("map costly multiply spread gather slice concatenate window windows".split())
"""Kernels that go over their result one element by one."""
JOINING = LOOPS | {"reduce", "copy"}


@dataclass(slots=True)
class _Joined:
    """Kernels that are one, or a single one.

    Args:
        members: In their order.
        cost: Of all.
        elements: That it goes over; a sum goes over what it reads.
        made_bytes: What it writes.
        fused: Is it more than one instruction, as a sibling has to be to take in another; so is each sum, whose first
            value is a constant that it takes in (``FuseConstants`` in priority_fusion.cc).
        opcode: Of the first.
        channels: Of an image that it goes over; 0 if nobody knows.
        summed: Elements of each of its sums; None if it has none.
        updates: Does it make new values of variables.
    """

    members: list[int]
    cost: Cost
    elements: float
    made_bytes: float
    fused: bool
    opcode: str
    channels: int
    summed: float | None
    updates: bool

    @property
    def several(self) -> bool:
        """Has it several results."""
        return len(self.members) > 1


def joined_kernels(
    made: CardKernels, others: Iterable[Sequence[int]] = (), *, speed: CardSpeed, batch_size: int
) -> list[list[int]]:
    """The kernels that become one, in their order.

    Args:
        made: The kernels of a step.
        others: Kernels that are one already.
        speed: Of the card.
        batch_size: Sizes are compared for this batch.
    """
    return _Joining(made, others, speed, batch_size).run()


class _Joining:
    """State while joining."""

    def __init__(self, made: CardKernels, others: Iterable[Sequence[int]], speed: CardSpeed, batch_size: int) -> None:
        self.kernels = kernels = made.kernels
        self.speed, self.by_column = speed, made.by_column
        self.added_up, self.elsewhere = made.added_up, made.elsewhere
        self.sizes = {i: k.instruction.size.at(batch_size) for i, k in kernels.items()}
        self.users = users_of(kernels)
        self.waiting = Waiting(kernels)
        self.place = {index: place for place, index in enumerate(kernels)}
        own = made.costs.keys() - written_over(kernels) - made.by_parts
        self.one = {i: self._single(i, made.costs[i]) for i in made.costs if i in own and _may_join(kernels[i])}
        """Each kernel that may join others, or what it has become a part of."""
        self.closed: list[list[int]] = []
        """Kernels that are one already and take in no others."""
        for group in others:
            self.waiting.join(group)
            if not self.one.keys() >= set(group):
                self.closed.append([*group])
                self.one = {index: one for index, one in self.one.items() if index not in group}
                continue
            first, *more = (self.one[member] for member in group)
            for other in more:
                self._make_one(first, other, _side_by_side(first.cost, other.cost))

    def run(self) -> list[list[int]]:
        for producer in reversed(list(self.kernels)):
            self._join_readers(producer)
            if producer in self.one and not self.one[producer].several and not self.one[producer].updates:
                self._join_a_reader(producer)
        made = [one.members for index, one in self.one.items() if one.several and one.members[0] == index]
        return [*self.closed, *made]

    def _single(self, index: int, cost: Cost) -> _Joined:
        kernel = self.kernels[index]
        made = kernel.instruction
        over, summed = index, None
        if made.opcode == "reduce":
            summed = self._elements(index)
            over = max(kernel.operands, key=self._elements, default=index)
        elements = self.added_up.get(index, self._elements(over))
        fused = kernel.fused or made.opcode == "reduce"
        channels = self.kernels[over].instruction.channels
        opcode = "map" if made.opcode == "bitcast" else made.opcode
        return _Joined([index], cost, elements, self.sizes[index], fused, opcode, channels, summed, made.renews)

    def _elements(self, index: int) -> float:
        return self.sizes[index] / self.kernels[index].instruction.item_bytes

    def _first(self, index: int) -> int:
        """By what the kernel is known that an instruction is part of."""
        return self.one[index].members[0] if index in self.one else index

    def _readers(self, producer: int) -> list[_Joined]:
        """What may be joined of those that read a result, kernels of several results first.

        Before them the updates of what is a variable; those that read anything else in common are one already.
        """
        own, given = self.one.get(producer), self.kernels[producer].instruction.opcode == "parameter"
        found = {self._first(u): self.one[u] for u in self.users[producer] if u in self.one}
        others = (one for one in found.values() if one is not own and (given or not one.updates))
        return sorted(others, key=lambda one: (not one.updates, not one.several, not one.fused))

    def _join_readers(self, parent: int) -> None:
        """Make the readers of a value one, as far as they go together."""
        if self._elements(parent) <= 1:
            return
        readers = self._readers(parent)
        while len(readers) > 1:
            first, *rest = readers
            readers = []
            for other in rest:
                may = (first.fused or first.several) and self._alike(first, other)
                # all members of a kernel wait for the same
                if may and not self.waiting.connected(first.members[0], other.members[0]):
                    self._join(first, other, _side_by_side(first.cost, other.cost))
                else:
                    readers.append(other)

    def _join_a_reader(self, producer: int) -> None:
        """Make a kernel one with the first of its readers with which that saves time."""
        made = self.one[producer]
        if made.opcode not in LOOPS:
            return
        single = len({self._first(user) for user in self.users[producer]}) == 1
        for reader in self._readers(producer):
            if (single and not reader.several) or not self._alike(made, reader):
                continue
            together = self._together(producer, made.cost, reader)
            if self._through_others(producer, reader) or not self._saves(made, reader, together):
                continue
            self._join(reader, made, together)
            return

    def _alike(self, one: _Joined, other: _Joined) -> bool:
        """Do they go over as many elements.

        A transpose does not go with a sum, nor a sum over rows with one over columns, nor a reduce-window that has
        several results itself with anything but one of the same shape.
        """
        if None not in (one.summed, other.summed) and one.summed != other.summed:
            return False
        kinds = {one.opcode, other.opcode}
        if kinds == {"copy", "reduce"} or ("windows" in kinds and (len(kinds) > 1 or one.channels != other.channels)):
            return False
        return one.elements == other.elements

    def _through_others(self, producer: int, reader: _Joined) -> bool:
        """Does the reader wait for the maker by way of others."""
        operands = {o for member in reader.members for o in self.kernels[member].operands} - {producer}
        return any(self.waiting.waits(operand, producer) for operand in operands.difference(reader.members))

    def _together(self, producer: int, made: Cost, reader: _Joined) -> Cost:
        """What one kernel does that makes a result as often as its reader reads it.

        Of what the maker reads elsewhere there is no common reading (``GetCommonUtilization``).
        """
        cost = reader.cost
        times = cost.reads[producer] / self.sizes[producer]
        reads = dict(cost.reads)
        del reads[producer]
        again = self.elsewhere.get(producer, frozenset())
        for operand, read in made.reads.items():
            known = reads.get(operand, 0.0)
            reads[operand] = known + times * read if operand in again else max(known, times * read)
        blocks = cost.blocks
        if reader.opcode == "reduce" and self.by_column:  # a thread adds up as many columns as it reads at once
            apart, together = (columns_at_once(reader.summed or 0.0, self._narrowest(r)) for r in (cost.reads, reads))
            blocks = max(1.0, math.ceil(blocks * apart / together))
        return Cost(cost.cycles + times * made.cycles, reads, blocks)

    def _narrowest(self, operands: Iterable[int]) -> int:
        """Bytes of a number of the operand that has the smallest ones."""
        return min((self.kernels[o].instruction.item_bytes for o in operands if self.sizes.get(o)), default=FLOAT_BYTES)

    def _saves(self, made: _Joined, reader: _Joined, together: Cost) -> bool:
        """Is one kernel as fast as two, as the compiler tells time."""
        apart = self._time_s(made.cost, made.made_bytes) + self._time_s(reader.cost, reader.made_bytes) + LAUNCH_S
        return self._time_s(together, made.made_bytes + reader.made_bytes) <= apart

    def _time_s(self, cost: Cost, made_bytes: float) -> float:
        """Seconds of a kernel, its launch left out."""
        read_s = self.speed.read_s([(self.sizes[o], read) for o, read in cost.reads.items()], cost.blocks)
        return self.speed.kernel_s(cost.cycles, cost.blocks, read_s, made_bytes)

    def _join(self, one: _Joined, other: _Joined, cost: Cost) -> None:
        """Make two one, and whoever waits for one of them wait for both."""
        self._make_one(one, other, cost)
        self.waiting.join(one.members)

    def _make_one(self, one: _Joined, other: _Joined, cost: Cost) -> None:
        """The first is both from now on."""
        one.members = sorted((*one.members, *other.members), key=self.place.__getitem__)
        one.cost, one.made_bytes, one.fused = cost, one.made_bytes + other.made_bytes, True
        one.summed = other.summed if one.summed is None else one.summed
        self.one.update(dict.fromkeys(one.members, one))


def _may_join(kernel: Kernel) -> bool:
    """May it become one with another."""
    made = kernel.instruction
    joins = made.opcode in JOINING or (made.opcode == "bitcast" and kernel.fused)
    return joins and made.in_place is None and not made.alone


def _side_by_side(one: Cost, other: Cost) -> Cost:
    """What two kernels do together that read some of the same."""
    reads = dict(one.reads)
    for operand, read in other.reads.items():
        reads[operand] = reads.get(operand, 0.0) + read
    return Cost(one.cycles + other.cycles, reads, one.blocks)
