"""Kernels with several results: a weight and its slots, a gradient and its sums.

Updates that read the same gradient become one kernel, and so do others that go over the same
(`app.core.simulate.xla.multi_output`) and equal zeros that scatters write over (copy_fusion.cc).  An order of kernels
has all their results side by side, and chooses by what all of them take together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from app.core.simulate.xla.card_costs import CardSpeed
from app.core.simulate.xla.card_regions import CardKernels
from app.core.simulate.xla.fusion import Kernel, ancestors, written_over
from app.core.simulate.xla.hlo import ANY_SIZE, Scratch
from app.core.simulate.xla.multi_output import joined_kernels
from app.core.simulate.xla.orders import post_order
from app.core.simulate.xla.results import Result, Results, users_of
from app.core.simulate.xla.schedule import with_copies
from app.core.types.stepgraph import PerBatch

Kernels = dict[int, Kernel]


def merged(made: CardKernels, resident: int, *, speed: CardSpeed, batch_size: int) -> dict[int, tuple[int, ...]]:
    """The kernels that are one, in their order, by the last of them.

    Args:
        made: The kernels of a step.
        resident: The first that is computed.
        speed: Of the card.
        batch_size: Sizes are compared for this batch.
    """
    updates = _updates(made.kernels, resident)
    joined = joined_kernels(made, updates, speed=speed, batch_size=batch_size)
    taken = {member for group in joined for member in group}
    groups = [*joined, *(group for group in _zeros(made.kernels, resident) if taken.isdisjoint(group))]
    return {group[-1]: tuple(group) for group in groups}


def _updates(kernels: Kernels, resident: int) -> list[list[int]]:
    """Updates that read the same gradient.

    One joins others unless something between them waits for one and is waited for by the other.
    """
    before = ancestors({i: tuple(k.operands) for i, k in kernels.items()})
    joined: dict[int, int] = {}
    reader_of: dict[int, int] = {}
    groups: list[list[int]] = []
    for index, kernel in kernels.items():
        if index < resident or not _updates_anew(kernel):
            continue
        read = [o for o in kernel.operands if o >= resident]
        near = [joined[o] for o in read if o in joined] + [reader_of[o] for o in read if o in reader_of]
        number = next((n for n in near if _may_join(index, kernel, groups[n], before)), None)
        if number is None:
            number = len(groups)
            groups.append([])
        groups[number].append(index)
        joined[index] = number
        elements = _elements(kernel)
        reader_of.update(dict.fromkeys((o for o in read if _elements(kernels[o]) == elements), number))
    return [group for group in groups if len(group) > 1]


def _updates_anew(kernel: Kernel) -> bool:
    """Does it compute a variable's new value; a copy of one does not."""
    return kernel.instruction.renews and kernel.instruction.opcode != "call"


def _zeros(kernels: Kernels, resident: int) -> list[list[int]]:
    """Equal zeros that scatters write over, and zeros with the copies of them that scatters write over."""
    overwritten = written_over(kernels)
    groups: dict[object, list[int]] = {}
    for index, kernel in kernels.items():
        if index < resident or index not in overwritten:
            continue
        read = [o for o in kernel.operands if o >= resident]
        if kernel.instruction.opcode == "spread" and not read:
            groups.setdefault((kernel.instruction.size, kernel.instruction.channels), []).append(index)
        elif len(read) == 1 and kernels[read[0]].instruction.opcode == "spread":
            groups.setdefault(read[0], [read[0]]).append(index)
    return [group for group in groups.values() if len(group) > 1]


def _elements(kernel: Kernel) -> float:
    """Of a result that has as many for every batch."""
    return kernel.instruction.size.fixed / kernel.instruction.item_bytes


def _may_join(index: int, kernel: Kernel, group: list[int], before: dict[int, int]) -> bool:
    """Does nothing outside a group stand between it and a kernel."""
    members = sum(1 << one for one in group)
    outside = [o for o in kernel.operands if not members >> o & 1]
    return not any(before[o] & members for o in outside)


def contracted(kernels: Kernels, groups: dict[int, tuple[int, ...]]) -> Kernels:
    """Each group as one kernel whose result is all of theirs."""
    leader = {member: last for last, group in groups.items() for member in group}
    found: Kernels = {}
    overwritten = written_over(kernels)
    for index, kernel in kernels.items():
        if leader.get(index, index) != index:
            continue
        group = groups.get(index, (index,))
        operands: dict[int, bool] = {}
        for member in group:
            operands |= {leader.get(o, o): a for o, a in kernels[member].operands.items() if o not in group}
        size = sum((kernels[member].instruction.size for member in group), PerBatch())
        made = replace(kernel.instruction, size=size)
        if len(group) > 1 and kernel.instruction.opcode == "spread" and overwritten.issuperset(group):
            made.scratch = Scratch(kernel.instruction.size, ANY_SIZE)  # the zeros of which these are copies
        found[index] = Kernel(made, operands, kernel.fused)
    return {i: found[i] for i in post_order(list(found), {i: list(k.operands) for i, k in found.items()})}


def results_of(kernels: Kernels, groups: dict[int, tuple[int, ...]]) -> Results:
    """Each of the results of kernels that are one, and the kernels that read it."""
    leader = {member: last for last, group in groups.items() for member in group}
    users = users_of(kernels)

    def result(member: int) -> Result:
        readers = {leader.get(user, user) for user in users[member]}
        made = kernels[member].instruction
        return Result(made.size, tuple(readers - {leader[member]}), made.updates is not None)

    return {last: tuple(map(result, group)) for last, group in groups.items()}


class Seen(NamedTuple):
    """What the scheduler sees: kernels, copies of weights among them, the weights that are renewed, several results."""

    kernels: Kernels
    renewed: frozenset[int]
    results: Results


def seen_by_xla(kernels: Kernels, groups: dict[int, tuple[int, ...]], resident: int) -> Seen:
    """What the scheduler sees of kernels, some of which are one."""
    updates = (kernel.instruction.updates for kernel in kernels.values())
    whole = with_copies(kernels, resident)
    renewed = frozenset(weight for weight in updates if weight is not None)
    return Seen(contracted(whole, groups), renewed, results_of(whole, groups))


def expanded(order: list[int], groups: dict[int, tuple[int, ...]]) -> list[int]:
    """An order of contracted kernels as one of all of them."""
    return [member for index in order for member in groups.get(index, (index,))]
