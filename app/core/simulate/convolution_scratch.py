"""Scratch memory that cuDNN asks for beside the operands of a step's convolutions.

TensorFlow takes the first kernel that cuDNN proposes, or with its autotuner the fastest, and allocates what that one
wants; of those that it tries it leaves out what finds no room (core/kernels/conv_ops_gpu.cc,
third_party/xla/xla/stream_executor/cuda/cuda_dnn.cc).  So such scratch belongs to the peak, but not to what a training
needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.simulate.eigen_kernels import Buffers
from app.core.simulate.scratch_table import ScratchTable
from app.core.types.stepgraph import PerBatch, StepGraph


@dataclass(frozen=True)
class Wishes:
    """Scratch by operation of a traced step, as it is told, and the most that it can be."""

    told: Buffers = frozenset()
    most: Buffers = frozenset()


def wishes_of(graph: StepGraph, table: ScratchTable | None, batch_size: int) -> Wishes:
    """What the convolutions of a step ask for at a batch size, as far as the table knows."""
    if table is None:
        return Wishes()
    told: dict[int, PerBatch] = {}
    most: dict[int, PerBatch] = {}
    for index, operation in enumerate(graph.operations):
        scratch = table.asked(operation.convolution, batch_size) if operation.convolution else None
        if scratch is not None:
            told[index], most[index] = scratch.told, scratch.most

    def wished(sizes: dict[int, PerBatch]) -> Buffers:
        return frozenset((index, size) for index, size in sizes.items() if size.at(batch_size) > 0)

    return Wishes(wished(told), wished(most))
