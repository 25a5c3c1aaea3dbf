"""The orders in which XLA may run the kernels of a step on a card, of which it takes the one that needs least.

Source: ``DefaultMemoryScheduler`` in xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.hlo import Instruction
from app.core.simulate.xla.list_scheduler import list_order
from app.core.simulate.xla.results import Results, users_of

Kernels = dict[int, Kernel]


def frugal_orders(
    kernels: Kernels, batch_size: int, renewed: Collection[int] = (), results: Results | None = None
) -> list[list[int]]:
    """The orders that ``DefaultMemoryScheduler`` tries, the one that it takes first.

    It takes the one that needs least, and of equals the list's.

    Args:
        kernels: All that run.
        batch_size: Sizes are compared for this batch.
        renewed: The weights that get a new value.
        results: Of kernels with several results, each of them.
    """
    orders = [order(kernels, batch_size, results or {}) for order in ORDERS]
    peaks = [order_peak_bytes(kernels, order, batch_size, renewed, results) for order in orders]
    return [orders[i] for i in sorted(range(len(orders)), key=peaks.__getitem__)]


def made_bytes(instruction: Instruction, batch_size: int) -> float:
    """What running an instruction takes: its result and its scratch."""
    scratch = instruction.scratch.at(batch_size) if instruction.scratch is not None else 0.0
    return instruction.size.at(batch_size) + scratch


def _depth_first(kernels: Kernels, batch_size: int, results: Results) -> list[int]:
    """Operands with much shared and much memory behind them first (``DFSMemoryScheduler``).

    Both are summed over paths, of which there are many, and a result that is one of several is an instruction of its
    own on each of them.  The sums are cut off, of the memory at what was seen so far, so that in large steps the
    operand that comes last in post-order goes first.
    """
    users = users_of(kernels)
    limit = len(kernels) + sum(map(len, results.values()))
    behind: dict[int, _Behind] = {}
    parts: dict[int, dict[int, list[_Behind]]] = {}
    """Of kernels with several results, what is behind those that a reader takes."""
    seen = 0.0

    def read(operand: int, reader: int) -> list[_Behind]:
        return parts.get(operand, {}).get(reader) or [behind[operand]]

    for index in _post_order(kernels):
        kernel = kernels[index]
        if kernel.instruction.opcode == "parameter":
            behind[index] = _Behind(0, 0.0)
            continue
        size = made_bytes(kernel.instruction, batch_size)
        seen += size
        known = [part for o in kernel.operands for part in read(o, index)]
        known += (_taken_out(kernel) - 1) * known[:1]
        readers = len(results.get(index, ())) or sum(_taken_out(kernels[user]) for user in users[index])
        shared = max(0, readers - 1) + sum(part.shared for part in known)
        own = behind[index] = _Behind(min(shared, limit), min(size + sum(part.memory for part in known), seen))
        for result in results.get(index, ()):
            count = len(result.readers) + result.stays
            part = _Behind(min(own.shared + max(0, count - 1), limit), own.memory)
            for reader in result.readers:
                parts.setdefault(index, {}).setdefault(reader, []).append(part)

    def first(reader: int, operand: int) -> tuple[float, float, int]:
        most = max(read(operand, reader))
        return -most.shared, -most.memory, operand

    wanted = {i: sorted(k.operands, key=partial(first, i)) for i, k in kernels.items()}
    roots = sorted(_results(kernels, users), key=lambda root: (-behind[root].shared, -behind[root].memory, root))
    return post_order([*_with_unread_results(kernels), *roots], wanted)


def _taken_out(kernel: Kernel) -> int:
    """How many results of its first operand a kernel reads that is not told as several, as indices are."""
    return kernel.instruction.reads if kernel.instruction.opcode == "call" else 1


class _Behind(NamedTuple):
    """What an instruction has behind it: how much of it others share, and its memory."""

    shared: int
    memory: float


def _with_unread_results(kernels: Kernels) -> list[int]:
    """Kernels that leave a result nobody reads, from which a depth-first walk begins (``CollectUnreachableRoots``).

    Where zeros are there only to be copied for scatters, copies and zeros are made by one kernel, and nothing takes the
    zeros away before the kernels are ordered (xla/service/gpu/transforms/copy_fusion.cc).
    """
    return [i for i, k in kernels.items() if k.instruction.opcode == "spread" and k.instruction.scratch is not None]


def _post_order(kernels: Kernels, _batch_size: int = 0, _several: Results | None = None) -> list[int]:
    """Operands before their readers, from left to right (``PostOrderScheduler``)."""
    results = _results(kernels, users_of(kernels))
    return post_order(results, {i: list(k.operands) for i, k in kernels.items()})


def _results(kernels: Kernels, users: dict[int, list[int]]) -> list[int]:
    """What the step is run for: whatever nobody reads, and new weights in the order of the weights."""
    found = [i for i, k in kernels.items() if not users[i] or k.instruction.updates is not None]

    def place(index: int) -> tuple[bool, int]:
        updates = kernels[index].instruction.updates
        return updates is not None, index if updates is None else updates

    return sorted(found, key=place)


ORDERS = (list_order, _depth_first, _post_order)
"""The orders that `frugal_orders` compares."""


def post_order(results: list[int], wanted: dict[int, list[int]]) -> list[int]:
    """Post-order from the results, operands in the given order."""
    order: dict[int, None] = {}
    for root in results:
        stack = [(root, False)]
        while stack:
            index, ready = stack.pop()
            if ready:
                order.setdefault(index)
            elif index not in order:
                stack.append((index, True))
                stack += [(o, False) for o in reversed(wanted[index]) if o not in order]
    return list(order)


def order_peak_bytes(
    kernels: Kernels, order: list[int], batch_size: int, renewed: Collection[int] = (), results: Results | None = None
) -> float:
    """What an order needs at most, as the scheduler counts.

    An old weight is there until it is read last, its new value from then on to the end, and what has no new value all
    the time; of several results each until it is read last.  Source: ``HeapSimulator::MinimumMemoryForComputation``,
    to which no result takes over an argument.
    """
    moments = {index: moment for moment, index in enumerate(order)}
    last = dict(moments)
    for moment, index in enumerate(order):
        last.update(dict.fromkeys(kernels[index].operands, moment))
    given = [i for i in order if kernels[i].instruction.opcode == "parameter"]
    alive = peak = sum(kernels[i].instruction.size.at(batch_size) for i in given)
    ending: dict[int, float] = {}
    for index in set(given).intersection(renewed):
        ending[last[index]] = ending.get(last[index], 0.0) + kernels[index].instruction.size.at(batch_size)
    several = results or {}
    for moment, index in enumerate(order):
        instruction = kernels[index].instruction
        if instruction.opcode != "parameter":
            peak = max(peak, alive + made_bytes(instruction, batch_size))
            alive += instruction.size.at(batch_size)
            for size, readers, stays in several.get(index, ()):
                end = max((moments[r] for r in readers), default=moment)
                ending[end] = ending.get(end, 0.0) + (0.0 if stays else size.at(batch_size))
            if index not in several and instruction.updates is None:
                ending[last[index]] = ending.get(last[index], 0.0) + instruction.size.at(batch_size)
        alive -= ending.pop(moment, 0.0)
    return peak
