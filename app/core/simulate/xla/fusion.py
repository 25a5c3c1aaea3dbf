"""Which instructions XLA makes into one kernel (xla/service/instruction_fusion.cc, cpu/cpu_instruction_fusion.cc).

Consumers are visited from the last to the first and take in what they read, as long as that is cheap to
repeat or nobody else reads it.  What is taken in by all its readers is never written to memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.simulate.xla.hlo import ELEMENTWISE, Instruction, Module
from app.core.types.units import FLOAT_BYTES

PRODUCERS = frozenset("map costly multiply bitcast copy slice spread gather reduce".split())
"""``CanBeLoopFused``; a concatenation is written out."""
CONSUMERS = frozenset("map costly multiply bitcast copy slice spread gather reduce concatenate".split())
EXPENSIVE = frozenset("costly gather reduce".split())
SHRINKING = frozenset("reduce slice gather".split())
ALIGNED = ELEMENTWISE | {"bitcast"}
"""Instructions whose result element depends on the same element of each operand of the same size."""

LIBRARY_REDUCE_ELEMENTS = 32 * 1024
"""From here on a sum goes to a library and takes nothing in (``IsReduceOpOffloadedToYnn``, ynn_support.cc)."""
LIBRARY_REFUSES = frozenset("multiply bitcast slice concatenate spread".split())
TREE_WINDOW = 32
"""A longer dimension is summed in windows of this size first, by a reduce-window, which takes nothing in
either (``TreeReductionRewriter``)."""
MOST_CONCATENATED = 8


@dataclass(slots=True)
class Kernel:
    """A fused instruction.  ``aligned`` are the operands that it may write over when nobody else needs them."""

    instruction: Instruction
    operands: dict[int, bool]
    fused: bool = False


def fuse_instructions(module: Module, *, batch_size: int, spatial_rank: int = 2) -> dict[int, Kernel]:
    """The kernels that a processor's backend leaves, by the index of their last instruction, in topological order.

    Args:
        module: The instructions.
        batch_size: Sizes are compared for this batch.
        spatial_rank: Dimensions of an image besides batch and channels; sums are split by their length.
    """
    return _Fusion(module, batch_size, spatial_rank).run()


class _Fusion:
    """State while fusing."""

    def __init__(self, module: Module, batch_size: int, spatial_rank: int) -> None:
        self.instructions = module.instructions
        self.roots = module.roots
        self.resident = module.resident
        self.batch_size = batch_size
        self.spatial_rank = spatial_rank
        self.elements = [instruction.elements(batch_size) for instruction in self.instructions]
        wanted = module.wanted()
        self.kernels = {
            i: Kernel(n, {o: self._is_aligned(i, o) for o in n.operands})
            for i, n in enumerate(self.instructions)
            if i in wanted
        }
        self.users: dict[int, dict[int, None]] = {i: {} for i in self.kernels}
        for index, kernel in self.kernels.items():
            for operand in kernel.operands:
                self.users[operand][index] = None
        self.opaque = {i for i in self.kernels if self._is_opaque(i)}
        self.ancestors = ancestors({i: tuple(k.operands) for i, k in self.kernels.items()})
        self.paths: dict[tuple[int, int], bool] = {}
        self.unfusible: set[int] = set()

    def run(self) -> dict[int, Kernel]:
        for index in reversed(self.kernels):
            if self._reads_much(index) and not self._fits_everywhere(index):
                self.unfusible.add(index)
        for index in reversed(list(self.kernels)):
            if index in self.kernels and index not in self.opaque:
                self._take_in(index)
        return without_views(self.kernels)

    def _is_aligned(self, consumer: int, operand: int) -> bool:
        return self.instructions[consumer].opcode in ALIGNED and self.elements[consumer] == self.elements[operand]

    def _is_opaque(self, index: int) -> bool:
        """Is it never a part of a larger kernel."""
        instruction = self.instructions[index]
        if instruction.opcode != "reduce" or not instruction.operands:
            return instruction.opcode not in CONSUMERS
        source = instruction.operands[0]
        large = self.elements[source] >= LIBRARY_REDUCE_ELEMENTS
        if self.instructions[source].opcode not in LIBRARY_REFUSES and large:
            return True
        return self._longest_summed(source, index) > TREE_WINDOW

    def _longest_summed(self, source: int, result: int) -> float:
        """About the longest dimension that is summed; shapes are not known."""
        given, made = self.instructions[source].size, self.instructions[result].size
        if not given.per_sample:
            return given.fixed / max(made.fixed, FLOAT_BYTES)
        if made.per_sample:
            return float((given.per_sample / made.per_sample) ** (1 / self.spatial_rank))
        if made.fixed:
            places = given.per_sample / made.fixed
            return max(float(self.batch_size), float(places ** (1 / self.spatial_rank)))
        return TREE_WINDOW + 1 if self.elements[source] >= LIBRARY_REDUCE_ELEMENTS else 0

    def _reads_much(self, index: int) -> bool:
        """Would repeating it read more than it saves (``EffectivelyAtMostUnary``, total sizes)."""
        instruction = self.instructions[index]
        large = [
            o
            for o in instruction.operands
            if self.instructions[o].opcode not in ("spread", "constant") and self.elements[o] >= self.elements[index]
        ]
        return len(large) > 1 and sum(self.elements[o] for o in instruction.operands) > self.elements[index]

    def _fits_everywhere(self, producer: int) -> bool:
        """Can it be taken in by all its readers, along all paths to them."""
        if producer in self.roots:
            return False
        return all(self._fits_on_all_paths(producer, consumer) for consumer in self.users[producer])

    def _fits_on_all_paths(self, producer: int, consumer: int) -> bool:
        """``CanFuseOnAllPaths``."""
        if producer == consumer:
            return True
        if consumer in self.opaque:
            return False
        known = self.paths.get((producer, consumer))
        if known is not None:
            return known
        on_paths = [o for o in self.kernels[consumer].operands if o == producer or self.ancestors[o] >> producer & 1]
        result = all(o not in self.unfusible and self._may_fuse(o, consumer) for o in on_paths)
        result = result and all(self._fits_on_all_paths(producer, o) for o in on_paths)
        self.paths[producer, consumer] = result
        return result

    def _may_fuse(self, producer: int, consumer: int) -> bool:
        """``CpuInstructionFusion::ShouldFuse`` for one edge."""
        opcode = self.instructions[producer].opcode
        if opcode not in PRODUCERS or producer in self.opaque or consumer in self.opaque:
            return False
        target = self.instructions[consumer]
        if target.opcode == "concatenate" and len(target.operands) > MOST_CONCATENATED:
            return False
        if opcode in EXPENSIVE:
            users = len(self.users[producer]) + (producer in self.roots)
            repeats = target.opcode not in SHRINKING and self.elements[producer] < self.elements[consumer]
            return users == 1 and not repeats
        return True

    def _take_in(self, consumer: int) -> None:
        """Fuse operands, the last computed first, until none is left that may be."""
        kernel = self.kernels[consumer]
        while True:
            found = next(
                (
                    o
                    for o in sorted(kernel.operands, reverse=True)
                    if o not in self.unfusible and self._may_fuse(o, consumer)
                ),
                None,
            )
            if found is None:
                return
            aligned = kernel.operands.pop(found)
            for operand, inner in self.kernels[found].operands.items():
                kernel.operands[operand] = kernel.operands.get(operand, True) and aligned and inner
                self.users[operand][consumer] = None
            kernel.fused = kernel.fused or self.instructions[found].opcode != "bitcast"
            self.users[found].pop(consumer, None)
            self._drop_if_dead(found)

    def _drop_if_dead(self, index: int) -> None:
        """Forget an instruction that nobody reads any more."""
        stack = [index]
        while stack:
            dead = stack.pop()
            if self.users[dead] or dead in self.roots or dead < self.resident or dead not in self.kernels:
                continue
            for operand in self.kernels.pop(dead).operands:
                self.users[operand].pop(dead, None)
                stack.append(operand)


def without_views(kernels: dict[int, Kernel], but: frozenset[int] = frozenset()) -> dict[int, Kernel]:
    """Drop instructions that only look at memory differently, but for some, and constants."""
    same: dict[int, int] = {}
    kept: dict[int, Kernel] = {}
    for index, kernel in kernels.items():
        operands: dict[int, bool] = {}
        for operand, aligned in kernel.operands.items():
            real = same.get(operand, operand)
            if real not in kernels or kernels[real].instruction.opcode != "constant":
                operands[real] = operands.get(real, True) and aligned
        kernel.operands = operands
        view = kernel.instruction.opcode == "bitcast" and not kernel.fused and len(operands) == 1
        if view and index not in but and not kernel.instruction.renews:
            same[index] = next(iter(operands))
        elif kernel.instruction.opcode != "constant":
            kept[index] = kernel
    return kept


def written_over(kernels: dict[int, Kernel]) -> set[int]:
    """Results whose buffers others take over."""
    return {k.instruction.in_place for k in kernels.values() if k.instruction.in_place is not None}


def ancestors(operands: dict[int, tuple[int, ...]]) -> dict[int, int]:
    """For each instruction the set of those it depends on, as bits."""
    found: dict[int, int] = {}
    for index, reads in operands.items():
        bits = 0
        for read in reads:
            bits |= found[read] | (1 << read)
        found[index] = bits
    return found
