"""How long XLA takes a kernel on a card to run, by which it decides what becomes one kernel.

It is no measurement and need not be true: what counts is that the same is told as XLA tells, since it fuses by it
(xla/service/gpu/model/gpu_performance_model.cc, gpu_performance_model_base.cc, gpu_hlo_cost_analysis.cc).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.core.simulate.xla.op_cycles import CHEAP_CYCLES, OTHERS
from app.core.types.machine import Gpu
from app.core.types.units import FLOAT_BYTES, MIB

LAUNCH_S = 1e-6
"""``kKernelLaunchOverhead``."""
OVERLAP = 0.95
"""The part of computing and memory that goes on side by side: ``kMemoryComputeParallelism``."""
L2_SPEEDUP, L1_SPEEDUP = 2.5, 2.5 * 8
"""What is read again comes from a cache that holds it (``kL2CacheSpeedup``, ``kL1CacheSpeedup``)."""
L1_BYTES = 2048
"""Of a multiprocessor (``kL1CacheSizePerSM``); so much of it is counted on."""
TRANSACTION_BYTES = 32
"""What a multiprocessor asks of memory in one clock at most (``AdjustBandwidth``)."""
MOST_THREADS = 128
"""Of a block of an element-wise kernel."""
BLOCK_ELEMENTS = 4 * MOST_THREADS
"""What such a block computes."""
WARP = 32
"""Threads that run as one.  Of a sum over the outer dimensions they add up columns side by side, each as many as
`columns_at_once` (xla/backends/gpu/codegen/emitters/reduction.cc)."""
LONGEST_COLUMN = 4096
"""A longer one is summed in two stages, each about the square root of it long (``TreeReductionRewriter``,
``ReductionDimensionRaceFreeBound``)."""

DIVERGING_CYCLES = 400
"""Of a concatenation whose pieces end within a warp; of any other `CONCATENATING_CYCLES`."""
CONCATENATING_CYCLES = 6
MASKING_CYCLES = DIVERGING_CYCLES + 5 * CHEAP_CYCLES
"""Of an element of a dropout's mask: four arrays of bits are put together, shifted, widened, scaled and compared
(xla/hlo/builder/lib/prng.cc)."""
UNORDERED_BYTES = 64
"""Are read at once of a number that has no neighbours (``dram_to_l2_transaction_size_bytes`` of a device)."""
TILED_SIDE, TILED_SIDE_OF_MANY, TILED_ELEMENTS = 16, 8, 64 * 128
"""``kMinDimensionToTransposeTiled``, ``kMinDimensionToTransposeTiled2`` and ``kMinTotalDimensionsToTransposeTiled``."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a kernel does.

    Args:
        cycles: To compute its result.
        reads: Of each operand the bytes that it reads, again and again where it must.
        blocks: Of it.
    """

    cycles: float
    reads: Mapping[int, float]
    blocks: float = 1.0


@dataclass(frozen=True)
class CardSpeed:
    """A card as the compiler's model sees it.

    Args:
        memory_bytes_per_s: Bandwidth of its memory.
        clock_hz: Highest clock of its multiprocessors.
        multiprocessors: How many it has.
        lanes: Multiplications of float32 that one of these begins in a clock.
        l2_bytes: Of its second cache.
        profile: What its operations cost (`app.core.simulate.xla.op_cycles`).
    """

    memory_bytes_per_s: float
    clock_hz: float
    multiprocessors: int
    lanes: int
    l2_bytes: int = 0
    profile: str = OTHERS

    @classmethod
    def of(cls, gpu: Gpu) -> CardSpeed | None:
        """Of a card; None if it does not say."""
        told = gpu.memory_bandwidth_bytes_per_s, gpu.fp32_flops_per_s, gpu.num_sms, gpu.cuda_cores
        if not all(told):
            return None
        bandwidth, flops, count, cores = (float(value or 0) for value in told)
        return cls(bandwidth, flops / (2 * cores), int(count), int(cores / count))

    def distance(self, other: CardSpeed) -> float:
        """How far another card's balance is from this one's: blocks that fill its memory, and work for each byte."""
        ours, theirs = self._balance(), other._balance()
        return sum(abs(math.log(one / two)) for one, two in zip(ours, theirs, strict=True))

    def _balance(self) -> tuple[float, float]:
        compute = self.clock_hz * self.multiprocessors * self.lanes
        return self.memory_bytes_per_s / self.clock_hz, compute / self.memory_bytes_per_s

    def compute_s(self, cycles: float, blocks: float) -> float:
        """Time of so many operations in a kernel of so many blocks."""
        lanes = min(MOST_THREADS, self.lanes) * min(blocks, self.multiprocessors)
        return cycles / (2 * self.clock_hz * lanes)

    def read_s(self, operands: Iterable[tuple[float, float]], blocks: float) -> float:
        """Time to read operands.

        Args:
            operands: Of each the bytes that it takes, and those that are read of it altogether.
            blocks: Of the kernel that reads.
        """
        return sum(self.operand_s(size, read, blocks) for size, read in operands)

    def operand_s(self, size: float, read: float, blocks: float) -> float:
        """Time to read one: once from memory, and then again from a cache, if one holds it."""
        most = blocks * self.clock_hz * TRANSACTION_BYTES
        memory = min(self.memory_bytes_per_s, most)
        if read <= size:
            return read / memory
        return size / memory + (read - size) / min(self.memory_bytes_per_s * self._cached(size), most)

    def _cached(self, size_bytes: float) -> float:
        """How much faster than from memory so much is read again."""
        if size_bytes >= self.l2_bytes:
            return 1.0
        return L1_SPEEDUP if size_bytes < L1_BYTES * self.multiprocessors else L2_SPEEDUP

    def turns_apart(self, weight_bytes: float, slots: int) -> bool:
        """Is an update in float32 written in another layout by kernels of its own.

        Where the kernel that computes it wrote it so, it would read all that it reads in the wrong order, of each
        number a whole transaction (``GetCoalescingWasteFactor`` in gpu_performance_model_base.cc).

        Args:
            weight_bytes: Of the weight.
            slots: How many numbers an optimizer keeps for each of a weight's.
        """
        read = max(2, 1 + slots)  # the weight and its gradient, or its new slots
        waste = UNORDERED_BYTES // FLOAT_BYTES
        more = (read - 1) * waste - (read + 1)  # what one kernel reads badly, less what two write and read
        return more * weight_bytes / self.memory_bytes_per_s > LAUNCH_S

    def kernel_s(self, cycles: float, blocks: float, read_s: float, made_bytes: float) -> float:
        """Time of a kernel, its launch left out: it computes, reads for so long, and writes so much."""
        compute_s, memory_s = self.compute_s(cycles, blocks), read_s + made_bytes / self.memory_bytes_per_s
        return compute_s + memory_s - OVERLAP * min(compute_s, memory_s)


P100 = CardSpeed(732e9, 1.48e9, 56, 64, 4 * MIB, "sm_60")
RTX_2060 = CardSpeed(336e9, 1.68e9, 30, 64, 3 * MIB, "sm_75")
T4 = CardSpeed(320e9, 1.59e9, 40, 64, 4 * MIB, "sm_75")
V100 = CardSpeed(900e9, 1.53e9, 80, 64, 6 * MIB, "sm_70")
RTX_3060 = CardSpeed(360e9, 1.78e9, 28, 128, 3 * MIB)
RTX_4060 = CardSpeed(272e9, 2.46e9, 24, 128, 24 * MIB)
RTX_4090 = CardSpeed(1008e9, 2.52e9, 128, 128, 72 * MIB)
A100 = CardSpeed(1555e9, 1.41e9, 108, 64, 40 * MIB, "sm_80")
RTX_5080 = CardSpeed(960e9, 2.62e9, 84, 128, 64 * MIB)
H100 = CardSpeed(3352e9, 1.98e9, 132, 128, 50 * MIB, "sm_90")
"""Cards that stand for those like them (NVIDIA's data sheets).  A step is compiled once for each, not once for each of
a hundred cards that somebody may compare."""


def is_tiled(rows: int, columns: int) -> bool:
    """Are so many rows and columns exchanged by tiles, by a kernel with which hardly any other becomes one.

    Source: ``GetDescriptionForTiledTransposeEmitter`` in xla/service/gpu/ir_emission_utils.cc.
    """
    least = min(rows, columns)
    return least >= TILED_SIDE or (least >= TILED_SIDE_OF_MANY and rows * columns >= TILED_ELEMENTS)


def blocks_of_map(elements: float) -> float:
    """Blocks of an element-wise kernel with so many results."""
    return max(1.0, math.ceil(elements / BLOCK_ELEMENTS))


def columns_at_once(columns: float, item_bytes: int) -> int:
    """Columns that a thread adds up, if all threads have work then (``GetVectorSizeForMlir`` in reduction_base.cc).

    Args:
        columns: Elements that come out.
        item_bytes: An element of the narrowest operand.
    """
    if columns % 2 or columns < 2 * WARP:
        return 1
    return 4 if item_bytes < FLOAT_BYTES and columns >= 4 * WARP and columns % 4 == 0 else 2


def blocks_of_columns(given: float, columns: float, item_bytes: int) -> float:
    """Blocks of a sum over the outer dimensions.

    Args:
        given: Elements that are summed.
        columns: Elements that come out.
        item_bytes: An element of the narrowest operand.
    """
    length = given / max(1.0, columns)
    stages = math.sqrt(length) if length > LONGEST_COLUMN else 1.0
    return max(1.0, math.ceil(columns / (WARP * columns_at_once(columns, item_bytes)))) * stages
