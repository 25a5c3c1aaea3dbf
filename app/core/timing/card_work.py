"""A graph's operations as arrays, for cards: what each kernel computes and moves, whatever the card is."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np

from app.core.timing.card_kernels import (
    channels_made,
    floors_of,
    is_recurrent,
    launches_of,
    number_bytes,
    traffic,
    work_of,
)
from app.core.timing.card_tiles import tiled
from app.core.timing.steptime import FREE, FUSIBLE, PRODUCT, kind_code
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import NOTHING, Operation, StepGraph

Number = TypeVar("Number")

FUSED_WINDOW = (3, 3)
"""Of convolutions that kernels of cuDNN filter by Winograd's way without writing tiles to memory."""


class Kernel(NamedTuple, Generic[Number]):
    """An operation's kernel, or as columns those of a graph; of two amounts the second is what a sample adds.

    Args:
        kind: By `app.core.timing.steptime.kind_code`.
        fusible: Can XLA make it a part of its reader.
        flops: Floating-point operations.
        flops_each: For each sample.
        moved: Bytes read and written.
        moved_each: For each sample.
        tiled: Floating-point operations by way of tiles (`app.core.timing.card_tiles`); 0 where there is no such way.
        tiled_each: For each sample.
        tiles: Bytes of these tiles.
        tiles_each: For each sample.
        blocks: Of the product of tiles, where they may be too few for a card; else 0.
        filtered: Can a kernel filter it by Winograd's way without tiles in memory.
        pointwise: Is it a product of matrices as it stands: a window of one place, but for the gradient of the filter.
        channels: That a convolution makes, 0 if nobody knows.
        floors: As many of a card's shortest kernels it takes at least.
        launches: How often it is started.
        number_bytes: Of a number, where a thread moves one at a time; else 0.
    """

    kind: Number
    fusible: Number
    flops: Number
    flops_each: Number
    moved: Number
    moved_each: Number
    tiled: Number
    tiled_each: Number
    tiles: Number
    tiles_each: Number
    blocks: Number
    filtered: Number
    pointwise: Number
    channels: Number
    floors: Number
    launches: Number
    number_bytes: Number


def work_of_graph(graph: StepGraph) -> tuple[Kernel[np.ndarray], np.ndarray]:
    """The kernels of a step as columns, but for the optimizer's, and how many there are of each.

    Those that are alike stand there once: a network repeats itself.
    """
    rows = [_kernel(graph, op) for op in graph.operations if op.kind not in FREE]
    table = np.array(rows, dtype=float).reshape(len(rows), len(Kernel._fields))
    alike, repeats = np.unique(table, axis=0, return_counts=True)
    return Kernel(*alike.T), repeats


def _kernel(graph: StepGraph, operation: Operation) -> Kernel[float]:
    """One operation's."""
    launches, way = launches_of(graph, operation), tiled(operation.convolution)
    moved = traffic(graph, operation).times(launches)
    return Kernel(
        PRODUCT if is_recurrent(operation) else kind_code(operation.kind),
        operation.kind in FUSIBLE,
        *work_of(graph, operation),
        *moved,
        *(NOTHING if way is None else way.flops.times(launches)),
        *(NOTHING if way is None else way.tile_bytes.times(launches)),
        0.0 if way is None else way.blocks,
        way is not None and _is_filtered(operation.convolution),
        _is_pointwise(operation.convolution),
        channels_made(graph, operation),
        floors_of(graph, operation),
        launches,
        number_bytes(graph, operation),
    )


def _is_filtered(asked: Convolution | None) -> bool:
    """Has cuDNN kernels for this that filter without tiles in memory; for gradients of filters it has none."""
    return asked is not None and asked.kernel == FUSED_WINDOW and asked.direction != "filter"


def _is_pointwise(asked: Convolution | None) -> bool:
    """Is it a product of places and channels as they lie."""
    return asked is not None and set(asked.kernel) == {1} and asked.groups == 1 and asked.direction != "filter"
