"""In which order XLA runs the kernels of a step, and which weights it has to copy first.

On the host whatever is ready runs, breadth first: ``xla_cpu_enable_concurrency_optimized_scheduler`` is on
by default (``CpuCompiler::CreateHloSchedule``).  On a card the best of three orders is taken
(``DefaultMemoryScheduler``).  Source: xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
"""

from __future__ import annotations

import heapq
from collections import deque

from app.core.simulate.xla.fusion import Kernel, ancestors
from app.core.simulate.xla.hlo import Instruction

Kernels = dict[int, Kernel]


def with_copies(kernels: Kernels, resident: int) -> Kernels:
    """Add copies of the weights that are read after their new value may have been written.

    A new value takes the old one's memory, so every read has to come before it; unless the new value
    depends on all readers, they read a copy (xla/service/copy_insertion.cc).
    """
    before = ancestors({i: tuple(k.operands) for i, k in kernels.items()})
    readers: dict[int, list[int]] = {}
    for index, kernel in kernels.items():
        for operand in kernel.operands:
            if operand < resident:
                readers.setdefault(operand, []).append(index)
    copies: dict[int, int] = {}
    free = max(kernels, default=0) + 1
    for index, kernel in kernels.items():
        weight = kernel.instruction.updates
        if weight is not None and any(r != index and not before[index] >> r & 1 for r in readers.get(weight, ())):
            copies[weight] = free + len(copies)
    made = {i: k for i, k in kernels.items() if i < resident}
    for weight, copy in copies.items():
        instruction = kernels[weight].instruction
        made[copy] = Kernel(
            Instruction("copy", (weight,), instruction.size, "activations", instruction.layer), {weight: False}
        )
    for index, kernel in kernels.items():
        if index >= resident:
            operands = {copies.get(o, o): aligned for o, aligned in kernel.operands.items()}
            made[index] = Kernel(kernel.instruction, operands, kernel.fused)
    return made


def breadth_first(kernels: Kernels) -> list[int]:
    """First ready, first run (``BFScheduler``)."""
    waiting = {i: len(k.operands) for i, k in kernels.items()}
    users = users_of(kernels)
    ready = deque(i for i, n in waiting.items() if n == 0)
    order = []
    while ready:
        index = ready.popleft()
        order.append(index)
        for user in users[index]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return order


def memory_frugal_orders(kernels: Kernels, batch_size: int) -> tuple[list[int], ...]:
    """The orders among which ``DefaultMemoryScheduler`` chooses the one that needs least."""
    return _list_order(kernels, batch_size), _depth_first(kernels, batch_size), _post_order(kernels)


def users_of(kernels: Kernels) -> dict[int, list[int]]:
    """Who reads each kernel's result."""
    users: dict[int, list[int]] = {i: [] for i in kernels}
    for index, kernel in kernels.items():
        for operand in kernel.operands:
            users[operand].append(index)
    return users


def _list_order(kernels: Kernels, batch_size: int) -> list[int]:
    """Always what frees most (``ListScheduler``); priorities are renewed when a value has one reader left."""
    sizes = {i: k.instruction.size.at(batch_size) for i, k in kernels.items()}
    users, unread = users_of(kernels), {}
    for index, kernel in kernels.items():
        unread[index] = len(users[index]) + (kernel.instruction.updates is not None)
    waiting = {i: len(k.operands) for i, k in kernels.items()}

    def priority(index: int) -> float:
        freed = sum(
            sizes[o] for o in kernels[index].operands if unread[o] == 1 and kernels[o].instruction.opcode != "parameter"
        )
        return sizes[index] - freed

    ready = [(priority(i), -len(users[i]), i) for i, n in waiting.items() if n == 0]
    heapq.heapify(ready)
    order: list[int] = []
    done: set[int] = set()
    while ready:
        _, _, index = heapq.heappop(ready)
        if index in done:
            continue
        done.add(index)
        order.append(index)
        for operand in kernels[index].operands:
            unread[operand] -= 1
            if unread[operand] == 1:
                for user in users[operand]:
                    if waiting[user] == 0 and user not in done:
                        heapq.heappush(ready, (priority(user), -len(users[user]), user))
        for user in users[index]:
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(ready, (priority(user), -len(users[user]), user))
    return order


def _depth_first(kernels: Kernels, batch_size: int) -> list[int]:
    """Operands with much shared and much memory behind them first (``DFSMemoryScheduler``)."""
    users = users_of(kernels)
    extra: dict[int, int] = {}
    total: dict[int, float] = {}
    every = sum(k.instruction.size.at(batch_size) for k in kernels.values())
    for index, kernel in kernels.items():
        if kernel.instruction.opcode == "parameter":
            extra[index], total[index] = 0, 0.0
            continue
        shared = max(0, len(users[index]) - 1) + sum(extra[o] for o in kernel.operands)
        behind = kernel.instruction.size.at(batch_size) + sum(total[o] for o in kernel.operands)
        extra[index], total[index] = min(shared, len(kernels)), min(behind, every)
    wanted = {i: sorted(k.operands, key=lambda o: (-extra[o], -total[o], o)) for i, k in kernels.items()}
    return _visit(kernels, users, wanted)


def _post_order(kernels: Kernels) -> list[int]:
    """Operands before their readers, from left to right (``PostOrderScheduler``)."""
    return _visit(kernels, users_of(kernels), {i: list(k.operands) for i, k in kernels.items()})


def _visit(kernels: Kernels, users: dict[int, list[int]], wanted: dict[int, list[int]]) -> list[int]:
    """Post-order from the results, operands in the given order."""
    order: dict[int, None] = {}
    for root in (i for i in kernels if not users[i]):
        stack = [(root, False)]
        while stack:
            index, ready = stack.pop()
            if ready:
                order.setdefault(index)
            elif index not in order:
                stack.append((index, True))
                stack += [(o, False) for o in reversed(wanted[index]) if o not in order]
    return list(order)
