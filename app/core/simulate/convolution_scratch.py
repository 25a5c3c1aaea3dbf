"""Scratch memory that cuDNN asks for beside the operands of a step's convolutions.

TensorFlow takes the first kernel that cuDNN proposes, or with its autotuner the fastest, and allocates what that one
wants; of those that it tries it leaves out what finds no room (core/kernels/conv_ops_gpu.cc,
third_party/xla/xla/stream_executor/cuda/cuda_dnn.cc).  So such scratch belongs to the peak, but not to what a training
needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.simulate.eigen_kernels import Buffers
from app.core.simulate.scratch_table import ScratchTable
from app.core.types.stepgraph import Operation, PerBatch, StepGraph
from app.core.types.units import FLOAT_BYTES, HALF_BYTES


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
        asked = operation.convolution
        scratch = table.asked(asked, item_bytes_of(graph, operation), batch_size) if asked else None
        if scratch is not None:
            told[index], most[index] = scratch.told, scratch.most

    def wished(sizes: dict[int, PerBatch]) -> Buffers:
        return frozenset((index, size) for index, size in sizes.items() if size.at(batch_size) > 0)

    return Wishes(wished(told), wished(most))


def item_bytes_of(graph: StepGraph, operation: Operation) -> int:
    """Bytes of a number that an operation computes with.

    A step in 16 bits has operations in float32, too, such as a last layer that is told to be: those whose result has
    room for as many numbers of 4 bytes.
    """
    asked = operation.convolution
    if asked is None or graph.precision == "float32":
        return FLOAT_BYTES
    result = operation.outputs[0] if asked.direction == "forward" else operation.inputs[-1]
    numbers = math.prod(asked.result) * asked.filters * asked.images_at(1)
    return FLOAT_BYTES if graph.sizes[result].at(1) >= FLOAT_BYTES * numbers else HALF_BYTES
