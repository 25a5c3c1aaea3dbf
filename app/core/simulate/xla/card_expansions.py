"""Operations that become other instructions for a card than for a processor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import Op
from app.core.simulate.xla.error_function import erfc
from app.core.simulate.xla.expansions import IMAGE_DIMENSIONS, VIDEO_DIMENSIONS, Handler
from app.core.simulate.xla.hlo import ANY_SIZE, Opcode, Scratch
from app.core.types.stepgraph import PerBatch

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

INDEX_BYTES = 4


def _relu(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The larger one of the input and zero."""
    result = lowering.shared("Relu", "map", [reads[0], *_zeros(lowering, sizes[0], reads[0])], sizes[0])
    lowering.relu_input[result] = reads[0]
    return [result]


def _relu_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The gradient where what went into the ReLU is above zero, and zero elsewhere.

    That max(x, 0) > 0 is x > 0 is found by simplifying (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc,
    ``HandleCompare``); numbers of type bfloat16 are widened in between, which hides it.
    """
    gradient, given = reads[0], lowering.relu_input.get(reads[1], reads[1])
    zeros = _zeros(lowering, sizes[0], given)
    mask = lowering.mask("positive", [given, *zeros], sizes[0])
    return [lowering.add("map", [gradient, mask, *zeros], sizes[0])]


def _slope_by_mask(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The gradient or another one, as a comparison of the activation says (tf2xla/kernels/relu_op.cc)."""
    gradient, activation = reads[:2]
    return [lowering.add("map", [gradient, lowering.mask(op.kind, [activation], sizes[0])], sizes[0])]


def _zeros(lowering: Lowering, size: PerBatch, like: int) -> Sequence[int]:
    """Zeros that a ReLU compares with: those that others of that size are scattered into (``HloCSE``).

    Where convolutions want the channels before the places, a scatter has zeros of its own in another layout, unless
    the image has as many channels as lines: either way it is an array of the same dimensions.
    """
    return [lowering.zeros(size, like)] if lowering.channels_last or _looks_alike(lowering, size, like) else []


def _looks_alike(lowering: Lowering, size: PerBatch, like: int) -> bool:
    """Is an array of images as long in every dimension, whether their channels come first or last."""
    image = lowering.instruction(like)
    return size.per_sample == math.pow(image.channels, lowering.spatial_rank + 1) * image.item_bytes


def _max_pool_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Each window's winner is found by its indices (xla/service/select_and_scatter_expander.cc).

    One reduce-window tells its index in every dimension, 32 bits each, and makes what it compares itself
    (gpu_fusible.cc, ``IsUniversallyLoopFusible``); the indices are joined, the gradient is scattered over zeros.  It is
    read first where channels come before places, as the compiler's last words have it.
    """
    gradient = reads[-1]
    size = lowering.instruction(gradient).size
    dimensions = VIDEO_DIMENSIONS if "3D" in op.kind else IMAGE_DIMENSIONS
    indices = size.times(dimensions * INDEX_BYTES / lowering.computed_bytes)
    windows = lowering.add("windows", [lowering.image(reads[0])], indices)
    lowering.instruction(windows).item_bytes = dimensions * INDEX_BYTES
    lowering.instruction(windows).scratch = Scratch(size, ANY_SIZE)  # the winners themselves, which nobody reads
    joined = lowering.add("call", [windows], indices)
    lowering.instruction(joined).reads = dimensions
    laid_out = lowering.add("call", [gradient], size)
    written = [joined, laid_out] if lowering.channels_last else [laid_out, joined]
    return [lowering.scatter(written, sizes[0], like=reads[0])]


def _resize(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A kernel gathers the places that a pixel is made of, weighs and sums them itself.

    The product with the weights has become a sum (``DotStrengthReduction``).
    """
    return [lowering.add("gather", reads[:1], sizes[0])]


def _resize_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The gradient is laid out anew, and a scatter weighs it for each place that it goes to.

    Where the channels come before the places it is written so; else the scatter reads it as it is.
    """
    opcode: Opcode = "copy" if lowering.channels_last else "call"
    gradient = lowering.add(opcode, reads[:1], lowering.instruction(reads[0]).size)
    return [lowering.scatter([gradient], sizes[0])]


def _shifted_exponential(lowering: Lowering, logits: int, row: PerBatch) -> tuple[int, int, int]:
    """(logits less the largest of a row, their exponentials, the sum of those) (tf2xla/kernels/softmax_op.cc).

    ``row`` is the size of a number for each row.
    """
    size = lowering.instruction(logits).size
    shifted = lowering.add("map", [logits, lowering.add("reduce", [logits], row)], size, kind="Sub")
    exponential = lowering.add("costly", [shifted], size)
    if logits in lowering.batch_major:
        lowering.batch_major.update((shifted, exponential))
    return shifted, exponential, lowering.add("reduce", [exponential], row)


def _softmax(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Exponentials divided by their sum."""
    _, exponential, total = _shifted_exponential(lowering, reads[0], lowering.rows.get(op.writes[0], PerBatch()))
    result = lowering.add("costly", [exponential, total], sizes[0], kind="Div")
    if reads[0] in lowering.batch_major:
        lowering.batch_major.add(result)
    return [result]


def _log_softmax(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Shifted logits less the logarithm of the sum."""
    row = lowering.rows.get(op.writes[0], PerBatch())
    shifted, _, total = _shifted_exponential(lowering, reads[0], row)
    logarithm = lowering.add("costly", [total], row, kind="Log")
    return [lowering.add("map", [shifted, logarithm], sizes[0], kind="Sub")]


def _cross_entropy(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Loss of each sample and gradient of the logits.

    Of labels that are numbers a row of zeros and ones is made, which is not a number where no class has that label.
    """
    logits, labels = reads[0], reads[1]
    size = lowering.instruction(logits).size
    shifted, exponential, total = _shifted_exponential(lowering, logits, sizes[0])
    logarithm = lowering.add("costly", [total], sizes[0], kind="Log")
    if op.kind.startswith("Sparse"):
        labels = lowering.add("map", [labels], size, kind="OneHot", item_bytes=lowering.instruction(logits).item_bytes)
    below = lowering.add("map", [shifted, logarithm], size, kind="Sub")
    loss = lowering.add("reduce", [lowering.add("multiply", [labels, below], size, kind="MulNoNan")], sizes[0])
    share = lowering.add("costly", [exponential, total], size, kind="Div")
    return [loss, lowering.add("map", [share, labels], sizes[-1], kind="Sub")]


def _triton_softmax(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Rows that XLA's Triton kernels normalise in one go, along with what is done before and after.

    In 16 bits a cast comes after; without one the result is read as it is written.  It is written over nothing, since a
    number of a row hangs on all of them.  Source: xla/service/gpu/transforms/softmax_rewriter_triton.cc.
    """
    result = lowering.add("costly", reads[:1], sizes[0])
    written = lowering.instruction(result)
    written.alone, written.rows = lowering.graph.precision == "float32", True
    if reads[0] in lowering.batch_major:
        lowering.batch_major.add(result)
    return [result]


def _triton_cross_entropy(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The exponentials are written by a Triton kernel, which cannot take in the clipped logarithms that it reads."""
    logits, labels = reads[0], reads[1]
    exponential = lowering.add("call", [logits], lowering.instruction(logits).size)
    total = lowering.add("reduce", [exponential], PerBatch())
    share = lowering.add("costly", [exponential, total], lowering.instruction(logits).size)
    terms = lowering.add("multiply", [logits, total, labels], lowering.instruction(logits).size)
    loss = lowering.add("reduce", [terms], sizes[0])
    for written in (total, loss):
        lowering.instruction(written).alone = True
    return [loss, lowering.add("map", [share, labels], sizes[-1])]


def _random(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Random bits go on in the kernel that joins them (`app.core.simulate.xla.lowering.Lowering.random`)."""
    made = lowering.add("map", (), sizes[0])
    lowering.random.add(made)
    return [made]


def _sigmoid(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """1 / (1 + exp(-x)): what is dear of it is the exponential (xla/service/logistic_expander.cc)."""
    negative = lowering.shared("Neg", "map", reads[:1], sizes[0])
    exponential = lowering.shared("Exp", "costly", [negative], sizes[0])
    return [lowering.shared("Reciprocal", "costly", [exponential], sizes[0])]


def _mean(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A sum, times one over the number of its summands, which is a row of its own (tf2xla/kernels/reduction_ops.cc).

    Means of as many numbers share that row.
    """
    (total,) = lowering.plain(op.kind, reads, sizes)
    given, made = (lowering.instruction(value) for value in (reads[0], total))
    summands = given.size.at(lowering.batch_size) * made.item_bytes
    one = lowering.shared("one", "constant", (), PerBatch())
    share = lowering.shared(f"one over {summands:.0f}", "spread", [one], sizes[0], made.item_bytes)
    return [lowering.add("multiply", [total, share], sizes[0], kind="Mul", item_bytes=made.item_bytes)]


def _squared_difference(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A difference, which the gradient reads as well, times itself (tf2xla/kernels/binary_ops.cc).

    In whichever order they stand, the gradient takes the mean off the values.
    """
    values, mean = sorted(reads[:2], key=lambda value: -lowering.instruction(value).size.at(lowering.batch_size))
    difference = lowering.shared("Sub", "map", [values, mean], sizes[0])
    return [lowering.add("multiply", [difference], sizes[0])]


CARD_HANDLERS: dict[str, tuple[int, Handler]] = {
    kind: (operands, handler)
    for operands, handler, kinds in (
        (1, _relu, "Relu"),
        (1, _sigmoid, "Sigmoid"),
        (1, _mean, "Mean"),
        (1, erfc, "Erfc"),
        (2, _squared_difference, "SquaredDifference"),
        (1, _softmax, "Softmax"),
        (1, _log_softmax, "LogSoftmax"),
        (2, _cross_entropy, "SparseSoftmaxCrossEntropyWithLogits SoftmaxCrossEntropyWithLogits"),
        (2, _relu_gradient, "ReluGrad"),
        (2, _slope_by_mask, "Relu6Grad LeakyReluGrad"),
        (1, _resize, "ResizeBilinear ResizeNearestNeighbor"),
        (1, _resize_gradient, "ResizeBilinearGrad ResizeNearestNeighborGrad"),
        (2, _max_pool_gradient, "MaxPoolGrad MaxPool3DGrad"),
        (0, _random, "StatelessRandomUniformV2 StatelessRandomNormalV2 StatelessTruncatedNormalV2"),
    )
    for kind in kinds.split()
}
"""By kind: how many values it must read for its handler to make sense, and the handler."""

TRITON_HANDLERS: dict[str, tuple[int, Handler]] = {
    "Softmax": (1, _triton_softmax),
    "SparseSoftmaxCrossEntropyWithLogits": (2, _triton_cross_entropy),
    "SoftmaxCrossEntropyWithLogits": (2, _triton_cross_entropy),
}
"""Where XLA writes kernels by Triton."""


def card_handler(kind: str, *, by_triton: bool) -> tuple[int, Handler] | None:
    """What a card's compiler makes of an operation, if that is not what a processor's does."""
    return (TRITON_HANDLERS.get(kind) if by_triton else None) or CARD_HANDLERS.get(kind)
