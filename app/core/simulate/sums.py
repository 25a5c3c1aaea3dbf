"""Sums that Grappler rewrites where memory is short: each term is added when it is there, and given back.

``SchedulingPass`` of core/grappler/optimizers/memory_optimizer.cc looks at every sum of more than two tensors.  If a
step needs, as far as shapes tell it, more than `SHORT_ABOVE` of the device's memory, and a term is alive at the worst
moment, the sum becomes a temporary variable that starts as zeros and to which each term is added.  A processor counts
as a device of `HOST_BYTES` (core/common_runtime/threadpool_device_factory.cc), whatever the machine has.  A card's
memory is what its allocator may take; there the zeros stay from the first step on (`app.core.simulate.card_sums`).

It takes known shapes: a data set whose last batch is smaller has none, and its sums wait for their last term.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.core.simulate.execution import Execution
from app.core.simulate.program import Op, Program
from app.core.types.units import MIB

HOST_BYTES = 256 * MIB
SHORT_ABOVE = 0.8
FEWEST_TERMS = 3

_COUNTED = frozenset({"weights", "inputs", "constants"})
"""Residents that are tensors of the graph; an optimizer's slots are read one by one."""


def is_sum(kind: str, terms: Sequence[int]) -> bool:
    """Does an operation add more than two tensors."""
    return kind == "AddN" and len(terms) >= FEWEST_TERMS


def sums_of(program: Program) -> frozenset[int]:
    """Operations of a program that are sums of more than two tensors."""
    return frozenset(n for n, op in enumerate(program.ops) if is_sum(op.kind, op.reads))


def short_sums(sums: frozenset[int], execution: Execution, batch_size: int) -> frozenset[int]:
    """Which ``sums`` of a program would be rewritten at a batch size, in the pass's first round.

    What loops keep in lists is not counted: the shape of a list tells nothing.
    """
    if not sums:
        return frozenset()
    live = _counted_bytes(execution, batch_size)
    worst = int(live.argmax())
    if live[worst] <= SHORT_ABOVE * HOST_BYTES:
        return frozenset()
    taken = {chunk: moment for moment, chunk in enumerate(execution.events) if chunk >= 0}
    spans: dict[int, tuple[int, int]] = {}
    for moment, (event, number) in enumerate(zip(execution.events, execution.by, strict=True)):
        if event < 0 and number in sums and ~event in taken:
            first, _ = spans.get(number, (moment, moment))
            spans[number] = min(first, taken[~event]), moment
    return frozenset(number for number, (first, last) in spans.items() if first <= worst <= last)


def _counted_bytes(execution: Execution, batch_size: int) -> np.ndarray:
    """Bytes that the pass would count after every event."""
    sizes = [size.at(batch_size) for size in execution.sizes]
    resident = sum(sizes[chunk] for chunk in range(execution.resident) if execution.roles[chunk] in _COUNTED)
    counted = [0.0 if chunk in execution.lists else size for chunk, size in enumerate(sizes)]
    changes = [counted[event] if event >= 0 else -counted[~event] for event in execution.events]
    return resident + np.cumsum(changes)


def add_one_by_one(
    program: Program, terms: tuple[int, ...], total: int, made_by: list[int], sum_op: Op, zeros: int | None = None
) -> int:
    """Append a rewritten sum and return its last operation.

    Args:
        program: What is being built.
        terms: Buffers that are added.
        total: The sum's own buffer, which is there from the first term on.
        made_by: The operation that makes each term.
        sum_op: The sum as it was.
        zeros: What the sum begins with, where that is there before the step.
    """
    made: tuple[int, ...] = (total,)
    if zeros is None:
        zeros = program.add_buffer(program.buffers[total].size, "activations", sum_op.layer)
        made = (total, zeros)
    first = min(range(len(terms)), key=lambda number: made_by[number])

    def add(kind: str, reads: tuple[int, ...], writes: tuple[int, ...], *after: int) -> int:
        return program.add_op(Op(kind, reads, writes, after, layer=sum_op.layer, phase=sum_op.phase))

    begun = add("TemporaryVariable", (terms[first],), made, made_by[first])
    cleared = add("Assign", (zeros,), (), begun)
    added = [add("AssignAdd", (term,), (), cleared, maker) for term, maker in zip(terms, made_by, strict=True)]
    return add("DestroyTemporaryVariable", (), (), *added)
