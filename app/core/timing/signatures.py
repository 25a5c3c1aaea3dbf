"""What an operation is to a clock: its family, its dimensions and its work, each affine in the batch.

Two operations of one family whose dimensions are near each other take nearly the same time for each unit of work;
`app.core.timing.op_times` looks there for what was timed on this machine.  The same function describes operations of a
traced step and those that the worker times alone, so that both speak of the same thing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.simulate import program
from app.core.types.stepgraph import PerBatch

DIMENSIONS = 5
"""Of a signature; those that a family has no use for are 1."""

CONVOLUTIONS = {
    "Conv2D": "convolution",
    "_FusedConv2D": "convolution",
    "Conv3D": "convolution 3-D",
    "Conv2DBackpropInput": "convolution, input gradient",
    "Conv3DBackpropInputV2": "convolution 3-D, input gradient",
    "Conv2DBackpropFilter": "convolution, filter gradient",
    "Conv3DBackpropFilterV2": "convolution 3-D, filter gradient",
    "DepthwiseConv2dNative": "depthwise",
    "DepthwiseConv2dNativeBackpropInput": "depthwise, input gradient",
    "DepthwiseConv2dNativeBackpropFilter": "depthwise, filter gradient",
}
PRODUCTS = program.PRODUCTS | {"Einsum"}
PAIRWISE = frozenset(
    "Add AddV2 Sub Mul RealDiv Div DivNoNan Maximum Minimum SquaredDifference Pow FloorDiv Greater GreaterEqual Less "
    "LessEqual Equal NotEqual LogicalAnd LogicalOr".split()
)
"""Kinds that spread a smaller operand over the larger one, for which Eigen has kernels of their own
(core/kernels/cwise_ops_common.h, ``BinaryOp::Compute``)."""

LIST_ELEMENTS = frozenset("TensorListPushBack TensorListPopBack TensorListSetItem TensorListGetItem".split())
"""Kinds that pass an element of a list on without copying it (core/kernels/list_kernels.h); the list's own size, which
stands beside it, says nothing."""

ONE_AND_A_HALF = 1.5
"""Between one product and two, as they are counted from sizes."""

_SCALAR_BYTES = 16
_FLOAT_BYTES = 4


def vector_side(family: str) -> int | None:
    """The dimension of a family along which its kernel computes so many numbers at once as a vector holds, by number.

    oneDNN's convolutions go through the channels that they make in whole vectors, the last one filled up
    (src/cpu/x64/jit_brgemm_conv.cpp); None for families of which that is not known to matter.
    """
    if not family.startswith("convolution"):
        return None
    return 1 if family.endswith("input gradient") else 2


@dataclass(frozen=True)
class Signature:
    """One operation to a clock.

    ``work`` counts floating-point operations for convolutions and products, bytes read and written for the rest, of one
    run; ``trip_count`` is how often a loop runs it.
    """

    family: str
    dimensions: tuple[PerBatch, ...]
    work: PerBatch
    trip_count: float = 1.0


@dataclass(frozen=True)
class OpContext:
    """What an operation's kind and sizes do not tell.

    Args:
        kernel: Shape of a convolution's filter, the last two dimensions channels in and out.
        backward: It belongs to the backward pass.
        reads_weight: One of its operands is a weight.
        item_bytes: Of one floating-point number.
        looped: It may stand in a loop.
    """

    kernel: Sequence[int] | None = None
    backward: bool = False
    reads_weight: bool = False
    item_bytes: int = _FLOAT_BYTES
    looped: bool = False


FORWARD = OpContext()


def signature_of(
    kind: str, inputs: Sequence[PerBatch], outputs: Sequence[PerBatch], flops: PerBatch, context: OpContext = FORWARD
) -> Signature:
    """Describe an operation.

    Args:
        kind: TensorFlow's name.
        inputs: Bytes of each input that has a size.
        outputs: Bytes of each output.
        flops: Floating-point operations, all iterations of a loop together.
        context: Where the operation stands.
    """
    item_bytes, looped = context.item_bytes, context.looped
    if kind in CONVOLUTIONS and context.kernel is not None:
        return _convolution(kind, inputs, outputs, flops, context.kernel, item_bytes)
    if kind in PRODUCTS and len(inputs) >= 2 and outputs:
        return _product(kind, inputs, outputs[0], flops, context)
    if kind in LIST_ELEMENTS:
        sizes = [size for size in (*inputs, *outputs) if _typical(size) > _SCALAR_BYTES]
        element = min(sizes, key=_typical, default=PerBatch())
        return Signature(
            "list element", (PerBatch(1),), PerBatch(1), _trip_count(flops, [element], item_bytes) if looped else 1.0
        )
    total = sum((*inputs, *outputs), PerBatch())
    trip_count = _trip_count(flops, (*inputs, *outputs), item_bytes) if looped else 1.0
    result = sum(outputs, PerBatch())
    if kind in PAIRWISE:
        return Signature(kind + _spreading(inputs), (total, PerBatch(1)), total, trip_count)
    return Signature(kind, (total, result), total, trip_count)


def _convolution(
    kind: str,
    inputs: Sequence[PerBatch],
    outputs: Sequence[PerBatch],
    flops: PerBatch,
    kernel: Sequence[int],
    item_bytes: int,
) -> Signature:
    """Positions of the result, channels in and out, size of the window, and positions of the image per result."""
    depthwise = kind.startswith("Depthwise")
    window, channels_in, channels_out = math.prod(kernel[:-2]), kernel[-2], kernel[-1]
    per_position = 2.0 * window * channels_in * channels_out
    positions = flops.times(1 / per_position)
    image = outputs[0] if "BackpropInput" in kind else max(inputs, key=_typical, default=PerBatch(1))
    if "BackpropFilter" in kind or kind in ("Conv2D", "_FusedConv2D", "Conv3D", "DepthwiseConv2dNative"):
        image = inputs[0]
    stride = _typical(image) / item_bytes / channels_in / max(1.0, _typical(positions))
    made = channels_in if depthwise else channels_out
    fixed = (
        PerBatch(channels_in),
        PerBatch(made),
        PerBatch(window),
        PerBatch(2.0 ** round(math.log2(max(1.0, stride)))),
    )
    return Signature(CONVOLUTIONS[kind], (positions, *fixed), flops)


def _product(kind: str, inputs: Sequence[PerBatch], result: PerBatch, flops: PerBatch, context: OpContext) -> Signature:
    """The sides of a product of matrices, and how many products there are.

    With a, b and c elements in the operands and the result of ``n`` products of m x k by k x n, the sides follow
    from the work: k = work / 2c, and so on.
    """
    first, second = (_typical(size) / context.item_bytes for size in inputs[:2])
    made = _typical(result) / context.item_bytes
    work = _typical(flops)
    trip_count = 1.0
    if context.looped and kind in ("MatMul", "_FusedMatMul"):
        trip_count = max(1.0, work / (2 * math.sqrt(first * second * made))) if first * second * made else 1.0
    each = work / trip_count / 2
    inner = max(1.0, each / made) if made else 1.0
    rows = max(1.0, each / second) if second else 1.0
    columns = max(1.0, each / first) if first else 1.0
    count = max(1.0, made / (rows * columns))
    family = {"Einsum": "einsum", "MatMul": "product", "_FusedMatMul": "product"}.get(kind, "products")
    weighs = context.reads_weight
    if family == "products" and count < ONE_AND_A_HALF:  # one weight for every matrix of a batch: they are one matrix
        family, weighs = "product", True
    if context.backward:
        family += ", transposed weight" if weighs else ", transposed"
    sides = zip((rows, inner, columns, count), _growth(result, inputs), strict=True)
    dimensions = tuple(_dimension(value, grown) for value, grown in sides)
    return Signature(family, dimensions, flops.times(1 / trip_count), trip_count)


def _growth(result: PerBatch, inputs: Sequence[PerBatch]) -> tuple[bool, bool, bool, bool]:
    """Which of rows, inner side, columns and count grow with the batch."""
    first, second, made = (size.per_sample > 0 for size in (*inputs[:2], result))
    if first and second and made:
        return False, False, False, True
    return first and made, first and second, second and made, False


def _spreading(inputs: Sequence[PerBatch]) -> str:
    """How the operands of a pairwise kind fit each other."""
    if len(inputs) < 2:
        return ""
    small, large = sorted((_typical(inputs[0]), _typical(inputs[1])))
    if small == large:
        return ""
    return ", with a number" if small <= _SCALAR_BYTES else ", spread"


def _trip_count(flops: PerBatch, sizes: Sequence[PerBatch], item_bytes: int) -> float:
    """How often a loop runs an operation of one per element; other than in a loop the figure stays below 8."""
    largest = max((_typical(size) for size in sizes), default=0.0)
    ratio = _typical(flops) * item_bytes / largest if largest else 1.0
    return ratio if ratio > 8.5 else 1.0


def _typical(amount: PerBatch) -> float:
    """A value at a typical batch, to tell larger from smaller."""
    return amount.at(32)


def _dimension(value_at_typical: float, grows: bool) -> PerBatch:
    """A dimension from its value at the typical batch."""
    return PerBatch(0, value_at_typical / 32) if grows else PerBatch(value_at_typical)
