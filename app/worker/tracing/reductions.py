"""The copy that a sum, a mean or a maximum makes of what it reads before it begins.

TensorFlow adds up rows, columns, or both ends of three dimensions.  What is summed over every other of four, such as
places and channels of groups, or the gradient of what was repeated along samples and along columns, is first written
with the summed dimensions last (core/kernels/reduction_ops_common.h, ``shuffled``), on a processor as on a card.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import pairwise
from typing import Any

from app.worker.tracing.loops import constant_array
from app.worker.tracing.op_costs import Shape

REDUCTIONS = frozenset("Sum Mean Max Min Prod".split())
TURNS = 3
"""So often summed and kept dimensions change places, one after the other, where a copy is made."""


def reduction_copy(op: Any, shape: Shape | None, item_bytes: int) -> tuple[int, ...]:
    """Bytes of the copy, if the operation makes one; nothing where its axes are computed.

    Args:
        op: An operation of a traced graph.
        shape: Of what it reads.
        item_bytes: A number of it.
    """
    axes = constant_array(op.inputs[1]) if op.type in REDUCTIONS else None
    if axes is None or shape is None:
        return ()
    turned = is_turned(shape, [axis % len(shape) for axis in axes.reshape(-1).tolist()])
    return (math.prod(shape) * item_bytes,) if turned else ()


def is_turned(shape: Shape, axes: Collection[int]) -> bool:
    """Is what is reduced over these axes written in another order first; a side of one counts for nothing."""
    reduced = [place in axes for place, side in enumerate(shape) if side != 1]
    return sum(one != next_ for one, next_ in pairwise(reduced)) >= TURNS
