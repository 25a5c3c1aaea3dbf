"""Which tensors of a step TensorFlow computes once and keeps: those that follow from constants alone.

A step is traced for one batch of a fixed size, so the gradient of a mean over all outputs, say, is the same
number everywhere, known before the step runs.  When the step's executor is made, such a tensor is computed and put
into the graph as a constant, which then lives as long as the step does.  The operations that led to it stay:
without a user they are tied to the graph's end, and run in every step all the same.

Source: core/common_runtime/constant_folding.cc (``IsConstantFoldable``, ``ReplaceTensorWithConstant``).  In traces
of an autoencoder trained on squared errors (TensorFlow 2.21) the constant is called ``truediv/_0__cf__0``.
"""

from __future__ import annotations

from app.core.types.stepgraph import Operation, StepGraph
from app.core.types.units import MIB

MAX_CONSTANT_BYTES = 10 * MIB
"""``kMaxConstantSize`` in constant_folding.cc: a larger tensor stays a computation."""

SMALL_CONSTANT_BYTES = 64 * 1024
"""Whether smaller ones are kept or computed makes no difference that anybody could see."""

_NEVER = ("Random", "StatelessRandom", "TensorList", "EmptyTensorList", "Loop", "Optional", "Placeholder", "Assign")
"""How kinds begin that are stateful, give no plain tensor, or end a loop, which is a frame of its own."""

_FILLED = frozenset({"Fill", "ZerosLike", "OnesLike"})
"""With these begin the gradients of a loop's weights and lists, which are filled anew in every step (traces of
recurrent networks)."""


def foldable(graph: StepGraph) -> tuple[int, ...]:
    """Tensors that follow from constants alone and are read by operations that do not, whatever their size."""
    constant: set[int] = set()
    computed: set[int] = set()
    read: dict[int, None] = {}
    for operation in graph.operations:
        if operation.kind == "Const":
            constant.update(operation.outputs)
        elif _follows(operation, constant):
            constant.update(operation.outputs)
            computed.update(operation.outputs)
        else:
            read.update(dict.fromkeys(tensor for tensor in operation.inputs if tensor in computed))
    return tuple(read)


def folded(graph: StepGraph, candidates: tuple[int, ...], batch_size: int) -> frozenset[int]:
    """Which of the ``candidates`` are kept as constants at a batch size."""
    sizes = ((tensor, graph.sizes[tensor].at(batch_size)) for tensor in candidates)
    return frozenset(tensor for tensor, size in sizes if SMALL_CONSTANT_BYTES <= size <= MAX_CONSTANT_BYTES)


def _follows(operation: Operation, constant: set[int]) -> bool:
    """Can the operation be computed beforehand."""
    if operation.variable is not None or operation.kind.startswith(_NEVER) or operation.kind in _FILLED:
        return False
    return bool(operation.inputs) and constant.issuperset(operation.inputs)
