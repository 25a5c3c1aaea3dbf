"""In which order XLA runs the kernels of a step on the host, and which weights it has to copy first.

On the host whatever is ready runs, breadth first: ``xla_cpu_enable_concurrency_optimized_scheduler`` is on
by default (``CpuCompiler::CreateHloSchedule``).  What a card does is in `app.core.simulate.xla.orders`.  Source:
xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from app.core.simulate.xla.fusion import Kernel, ancestors
from app.core.simulate.xla.hlo import Instruction
from app.core.simulate.xla.orders import Kernels
from app.core.simulate.xla.results import users_of


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
        made[copy] = _copy_of(kernels, weight)
    for index, kernel in kernels.items():
        if index >= resident:
            operands = {copies.get(o, o): aligned for o, aligned in kernel.operands.items()}
            made[index] = Kernel(kernel.instruction, operands, kernel.fused)
    return made


def with_ordered_copies(
    kernels: Kernels, order: list[int], together: Iterable[tuple[int, ...]] = ()
) -> tuple[Kernels, list[int]]:
    """Where the order is known: copies of the weights that are read after their new value is written, just before.

    Source: ``RunPostSchedulingCopyInsertion`` in xla/service/gpu/gpu_compiler.cc.

    Args:
        kernels: All that run.
        order: In this order.
        together: Those that are one kernel, side by side in the order.
    """
    moments = {index: moment for moment, index in enumerate(order)}
    for group in together:
        moments.update(dict.fromkeys(group, moments[group[-1]]))
    writers = {k.instruction.updates: i for i, k in kernels.items() if k.instruction.updates is not None}
    made, new_order, readers = dict(kernels), list(order), users_of(kernels)
    free = max(kernels, default=0) + 1
    for weight, writer in writers.items():
        late = [i for i in readers[weight] if moments[i] > moments[writer]]
        if not late:
            continue
        made[free] = _copy_of(kernels, weight)
        for index in late:
            kernel = made[index]
            operands = {free if o == weight else o: aligned for o, aligned in kernel.operands.items()}
            made[index] = Kernel(kernel.instruction, operands, kernel.fused)
        new_order.insert(new_order.index(writer), free)
        free += 1
    return made, new_order


def _copy_of(kernels: Kernels, weight: int) -> Kernel:
    """A kernel that copies a weight."""
    instruction = kernels[weight].instruction
    return Kernel(Instruction("copy", (weight,), instruction.size, "activations", instruction.layer), {weight: False})


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
