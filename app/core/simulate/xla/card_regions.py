"""A step on a card in regions, across whose borders XLA fuses nothing.

A result that its readers cannot all take in stays in memory, whatever becomes of the rest.  So a step falls into
regions, and those that are alike -- the updates of weights of one shape, the blocks of a network -- are thought through
once (`app.core.simulate.xla.card_fusion`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from app.core.simulate.xla.card_costs import CardSpeed, Cost
from app.core.simulate.xla.card_fusion import FREE, ONE_FOR_ONE, TAKEN_IN, TAKING_IN, Value, fused_region
from app.core.simulate.xla.fusion import ALIGNED, Kernel, without_views, written_over
from app.core.simulate.xla.hlo import ELEMENTWISE, Module
from app.core.simulate.xla.results import users_of


class CardKernels(NamedTuple):
    """The kernels of a step by the index of their last instruction, in topological order, and what those do.

    What libraries do is not known.  ``by_column`` says whether sums over the outer dimensions keep what lies innermost.
    ``elsewhere`` is what each kernel reads in other places than those it writes, such as the parts of what it joins, or
    looks at in another shape, such as rows that were convolved as images; those of ``by_parts`` write such parts one
    after the other.
    ``added_up`` are the elements that each sum goes over, whatever it takes in: padding that it cuts off is none.
    """

    kernels: dict[int, Kernel]
    costs: dict[int, Cost]
    by_column: bool = True
    elsewhere: Mapping[int, frozenset[int]] = MappingProxyType({})
    by_parts: frozenset[int] = frozenset()
    added_up: Mapping[int, float] = MappingProxyType({})


def fuse_for_card(module: Module, *, batch_size: int, speed: CardSpeed) -> CardKernels:
    """The kernels that are left.

    Args:
        module: The instructions.
        batch_size: Sizes are compared for this batch.
        speed: Of the card.
    """
    sizes = [instruction.size.at(batch_size) for instruction in module.instructions]
    kernels = _unfused(module, sizes)
    may_go = _those_that_may_go(module, kernels)
    left: dict[int, Kernel] = {}
    costs: dict[int, Cost] = {}
    added_up: dict[int, float] = {}
    elsewhere: dict[int, frozenset[int]] = {}
    by_parts: set[int] = set()
    looked_at = _looked_at(module)
    for members in _regions(kernels, may_go):
        if len(members) == 1 and kernels[members[0]].instruction.opcode not in TAKING_IN:
            left[members[0]] = kernels[members[0]]
            continue
        places, region = _region(module, kernels, members, may_go, sizes)
        for place, operands, fused, cost, given, parts in fused_region(region, speed, by_column=module.channels_last):
            index = places[place]
            if parts:
                by_parts.add(index)
            if given is not None:
                added_up[index] = given
            elsewhere[index] = frozenset(places[o] for o, _, one in operands if not one or places[o] in looked_at)
            read = {places[o]: (free, cost.reads[o]) for o, free, _ in operands if not _is_constant(module, places[o])}
            left[index] = Kernel(kernels[index].instruction, {o: free for o, (free, _) in read.items()}, fused)
            costs[index] = replace(cost, reads={o: size for o, (_, size) in read.items()})
    written = without_views({index: left[index] for index in kernels if index in left})
    known = {index: cost for index, cost in costs.items() if index in written}
    return CardKernels(written, known, module.channels_last, elsewhere, frozenset(by_parts), added_up)


def _looked_at(module: Module) -> frozenset[int]:
    """What kernels look at in another shape; products look at what others read as it is."""
    views = {i for i, n in enumerate(module.instructions) if n.opcode == "bitcast" and not n.renews}
    sources = map(module.viewed, views - module.flattened)
    return frozenset(source for source in sources if source >= module.resident)


def _unfused(module: Module, sizes: list[float]) -> dict[int, Kernel]:
    """A kernel for each instruction that is wanted."""
    wanted = module.wanted()
    kernels = {
        i: Kernel(n, {o: n.opcode in ALIGNED and sizes[i] == sizes[o] for o in n.operands})
        for i, n in enumerate(module.instructions)
        if i in wanted
    }
    return without_views(kernels, _taken_in_beside(module, kernels))


def _taken_in_beside(module: Module, kernels: dict[int, Kernel]) -> frozenset[int]:
    """Views in which a product reads a result that others can take in: with a view between, so can what it reads.

    A softmax in several heads, whose product sees all heads as one batch, is made anew by its gradient and written for
    the two products (``loop_divide_fusion`` beside what the gradient reads, in the compiler's own words).
    """
    users = users_of(kernels)

    def is_one(view: int) -> bool:
        (source,) = kernels[view].operands
        made = kernels[source].instruction
        others = any(kernels[user].instruction.opcode != "bitcast" for user in users[source])
        return others and made.opcode in TAKEN_IN - {"bitcast"} and not made.alone

    return frozenset(view for view in module.flattened if view in kernels and is_one(view))


def _those_that_may_go(module: Module, kernels: dict[int, Kernel]) -> set[int]:
    """Results that all their readers can take in."""
    users = users_of(kernels)
    stay = written_over(kernels) | set(map(module.viewed, module.roots))
    takes = {i for i, kernel in kernels.items() if kernel.instruction.opcode in TAKING_IN}
    return {
        index
        for index, kernel in kernels.items()
        if index >= module.resident
        and index not in stay
        and kernel.instruction.opcode in TAKEN_IN
        and users[index]
        and takes.issuperset(users[index])
    }


def _regions(kernels: dict[int, Kernel], may_go: set[int]) -> list[list[int]]:
    """Kernels that hang together by results that may go, each region in order."""
    leader = {index: index for index in kernels}

    def led_by(index: int) -> int:
        while leader[index] != index:
            leader[index] = index = leader[leader[index]]
        return index

    for index, kernel in kernels.items():
        for operand in kernel.operands:
            if operand in may_go:
                leader[led_by(operand)] = led_by(index)
    found: dict[int, list[int]] = defaultdict(list)
    for index in kernels:
        found[led_by(index)].append(index)
    return list(found.values())


def _region(
    module: Module, kernels: dict[int, Kernel], members: list[int], may_go: set[int], sizes: list[float]
) -> tuple[list[int], tuple[Value, ...]]:
    """The members and before them what they read from elsewhere: their indices, and what is known of each.

    Constants are among it: they are taken in when all else has been, and until then an element-wise instruction reads
    one for each of its elements (``CalculateProducerPriority``).
    """
    own = set(members)
    scalars = {i: _constants(module, i) for i in members}
    outside = dict.fromkeys(o for i in members for o in (*kernels[i].operands, *scalars[i]) if o not in own)
    places = [*outside, *members]
    place_of = {index: place for place, index in enumerate(places)}
    values = [Value("parameter", sizes[i], module.instructions[i].item_bytes) for i in outside]
    for index in members:
        kernel = kernels[index]
        known = kernel.instruction
        operands = tuple((place_of[o], _how(module, sizes, index, o, free)) for o, free in kernel.operands.items())
        operands += tuple((place_of[o], 0) for o in scalars[index])
        once = len(known.operands) == 1
        about = known.opcode, sizes[index], known.item_bytes, known.cycles
        values.append(Value(*about, operands, index in may_go, once, known.reads, known.rows))
    return places, tuple(values)


def _how(module: Module, sizes: list[float], index: int, operand: int, free: bool) -> int:
    """How an instruction reads an operand: a mask or a number of another width is read one for one as well.

    Not so what is looked at in another shape: whoever takes in two that do reads it twice
    (``CommonElementwiseUtilization`` in xla/service/gpu/model/gpu_hlo_cost_analysis.cc).
    """
    reader, read = module.instructions[index], module.instructions[operand]
    as_many = sizes[index] * read.item_bytes == sizes[operand] * reader.item_bytes
    as_many = as_many and module.reread.isdisjoint(reader.operands)
    return (FREE if free else 0) | (ONE_FOR_ONE if reader.opcode in ALIGNED and as_many else 0)


def _constants(module: Module, index: int) -> tuple[int, ...]:
    """The constants that an instruction computes with."""
    made = module.instructions[index]
    if made.opcode not in ELEMENTWISE and made.opcode != "spread":
        return ()
    return tuple(o for o in made.operands if _is_constant(module, o))


def _is_constant(module: Module, index: int) -> bool:
    return module.instructions[index].opcode == "constant"
