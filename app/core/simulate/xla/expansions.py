"""Operations that become several of XLA's instructions, each with the file of XLA or tf2xla that says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import Op
from app.core.simulate.xla.convolutions import convolution, filter_gradient, input_gradient
from app.core.types.stepgraph import PerBatch

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

IMAGE_DIMENSIONS = 4
VIDEO_DIMENSIONS = 5
BILINEAR_PLACES = 3 * 3
"""``h_span_size`` and ``w_span_size`` of tf2xla/kernels/image_resize_ops.cc."""

SERIES_READS = 17
"""Paths on which the series of an error function come to what they are computed of.  Each reads it, as the time is told
of a kernel that has taken them in (seen beside ``priority_fusion_dump.txt``)."""

Handler = Callable[["Lowering", Op, list[int], list[PerBatch]], Sequence[int]]
"""(state, operation, values read, sizes of the results) → values of the results."""


def _product(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A dot; of more than two dimensions with a weight it is flattened first.

    The gradient of a weight from one sample is an outer product, which is element-wise.
    """
    size = sizes[0]
    of_weight = op.phase == "backward" and not size.per_sample
    if of_weight:
        size = _of_one_iteration(lowering, op, size)
    if op.kind == "MatMul" or not any(lowering.is_weight(r) for r in reads[:2]):
        if of_weight and lowering.batch_size == 1:
            result = lowering.add("multiply", reads[:2], size)
        else:
            result = lowering.add_product(reads[:2], size)
        return [lowering.add("map", [result, *reads[2:]], size)] if len(reads) > 2 else [result]
    flat = [r if lowering.is_weight(r) else lowering.flattened(r) for r in reads[:2]]
    return [lowering.add("bitcast", [lowering.add_product(flat, size)], size)]


def _of_one_iteration(lowering: Lowering, op: Op, size: PerBatch) -> PerBatch:
    """The size of a weight's gradient in one iteration of a loop.

    The reader counts several iterations' (`app.worker.tracing.graph_reader`), because TensorFlow's executor lets them
    wait; XLA's loop adds each up at once.
    """
    if size.fixed in lowering.gradient_sizes:
        return size
    parts = [v.elements * lowering.computed_bytes for v in lowering.graph.variables if v.layer == op.layer]
    return PerBatch(max((n for n in parts if n and size.fixed % n == 0), default=size.fixed))


def _einsum(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A batched dot wants batch and heads first: queries, keys and values are copied, scores are so already.

    It sees both as one dimension (xla/service/dot_decomposer.cc), so that a view is between scores and a product.
    """
    major = [r in lowering.batch_major for r in reads[:2]]
    operands = [
        lowering.flattened(r)
        if is_major
        else lowering.shared(_layout(lowering, op, place, r), "copy", [r], lowering.instruction(r).size)
        for place, (r, is_major) in enumerate(zip(reads, major, strict=False))
    ]
    result = lowering.add_product(operands, sizes[0])
    if not any(major):
        lowering.batch_major.add(result)
    return [lowering.add("copy", [result], sizes[0])] if any(major) and not all(major) else [result]


def _layout(lowering: Lowering, op: Op, place: int, read: int) -> str:
    """Queries are laid out alike in both passes; keys and values are transposed for the backward pass."""
    if op.phase != "backward" and place == 0:
        lowering.queries.add(read)
    return "query" if read in lowering.queries else f"{op.phase} {place}"


def _softmax(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Shifted by the largest, exponential, divided by the sum (tf2xla/kernels/softmax_op.cc)."""
    exponential, total, _ = _exponential(lowering, reads[0])
    result = lowering.add("costly", [exponential, total], sizes[0])
    if reads[0] in lowering.batch_major:
        lowering.batch_major.add(result)
    return [result]


def _log_softmax(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The shifted input less the logarithm of the sum (tf2xla/kernels/softmax_op.cc)."""
    _, total, largest = _exponential(lowering, reads[0])
    return [lowering.add("map", [reads[0], largest, lowering.add("costly", [total], PerBatch())], sizes[0])]


def _cross_entropy(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Loss of each sample and gradient of the logits (tf2xla/kernels/softmax_op.cc)."""
    logits, labels = reads[0], reads[1]
    size = lowering.instruction(logits).size
    exponential, total, largest = _exponential(lowering, logits)
    terms = lowering.add("multiply", [logits, largest, lowering.add("costly", [total], PerBatch()), labels], size)
    share = lowering.add("costly", [exponential, total], size)
    return [lowering.add("reduce", [terms], sizes[0]), lowering.add("map", [share, labels], sizes[-1])]


def _exponential(lowering: Lowering, logits: int) -> tuple[int, int, int]:
    """(exponential, its sum, the largest) of each row."""
    largest = lowering.add("reduce", [logits], PerBatch())
    exponential = lowering.add("costly", [logits, largest], lowering.instruction(logits).size)
    if logits in lowering.batch_major:
        lowering.batch_major.add(exponential)
    return exponential, lowering.add("reduce", [exponential], PerBatch()), largest


def _normalise(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Mean and variance, then one chain over the image (xla/service/batchnorm_expander.cc)."""
    image, size = reads[0], lowering.instruction(reads[0]).size
    mean = lowering.add("reduce", [image], PerBatch())
    variance = lowering.add("reduce", [lowering.add("multiply", [image, mean], size)], PerBatch())
    result = lowering.add("map", [image, mean, variance, *reads[1:3]], sizes[0])
    return [result, *[mean, variance, mean, variance, mean][: len(sizes) - 1]]


def _normalise_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Two sums over gradient and image, then one chain (xla/service/batchnorm_expander.cc)."""
    gradient, image = reads[0], reads[1]
    first = lowering.add("reduce", [gradient], PerBatch())
    second = lowering.add(
        "reduce", [lowering.add("multiply", [gradient, image], lowering.instruction(image).size)], PerBatch()
    )
    result = lowering.add("map", [gradient, image, first, second], sizes[0])
    return [result, *[second, first, first, first][: len(sizes) - 1]]


def _pool(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A reduce-window; an average is divided by the number of places."""
    result = lowering.add("window", [lowering.image(reads[0])], sizes[0])
    return [result] if "Max" in op.kind else [lowering.add("costly", [result], sizes[0])]


def _max_pool_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Each window's winner is found by its indices (xla/service/select_and_scatter_expander.cc).

    One index array of the input's size for each dimension goes through a reduce-window with several
    results, the first of which nobody reads; the winners' indices are joined and the gradient is
    scattered over zeros.  Equal index arrays stay apart: ``HloCSE`` skips what has no operands.
    """
    image, gradient = lowering.image(reads[0]), reads[-1]
    size = lowering.instruction(gradient).size
    dimensions = VIDEO_DIMENSIONS if "3D" in op.kind else IMAGE_DIMENSIONS
    indices = [lowering.add("spread", (), sizes[0]) for _ in range(dimensions)]
    winners = [lowering.add("call", [image, *indices], size) for _ in range(dimensions)]
    lowering.module.roots.add(lowering.add("call", [image, *indices], size))
    joined = lowering.add("copy", winners, size.times(dimensions))
    return [lowering.scatter([joined, lowering.add("copy", [gradient], size)], sizes[0])]


def _average_pool_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The gradient, padded with zeros, is summed over windows (tf2xla/kernels/pooling_ops.cc)."""
    return [lowering.add("window", [lowering.add("slice", reads[-1:], sizes[0])], sizes[0])]


def _resize(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """All places that a pixel is made of are gathered and weighed by a product (tf2xla/kernels/image_resize_ops.cc)."""
    gathered = lowering.add("gather", reads[:1], sizes[0].times(_places(op)))
    result = lowering.add("call", [lowering.add("copy", [gathered], lowering.instruction(gathered).size)], sizes[0])
    return [lowering.add("copy", [result], sizes[0])]


def _resize_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The same backwards: a product for each place, in another layout, scattered (``GeneralCompileGrad``)."""
    size = lowering.instruction(reads[0]).size
    shares = lowering.add("call", [lowering.add("copy", reads[:1], size)], size.times(_places(op)))
    return [lowering.scatter([lowering.add("copy", [shares], lowering.instruction(shares).size)], sizes[0])]


def _places(op: Op) -> int:
    """Pixels of the image that one pixel of the larger one reads."""
    return BILINEAR_PLACES if "Bilinear" in op.kind else 1


def _random(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Random bits are joined from blocks and written to memory, as early as the counter is known; then scaled.

    Source: xla/hlo/builder/lib/prng.cc (Philox).
    """
    return [lowering.add("map", [lowering.add("call", (), sizes[0])], sizes[0])]


def _scatter(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Rows are added into zeros (tf2xla/lib/scatter.cc)."""
    return [lowering.scatter(reads, sizes[0])]


def _scatter_over(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Rows replace those of the first operand: in place if it was made for that; a card lays the result out anew."""
    target, *rows = reads
    taken = any(n.in_place == target for n in lowering.module.instructions)
    if taken or lowering.instruction(target).opcode != "spread":
        target = lowering.add("call", [target], sizes[0])
    made = lowering.add("scatter", [target, *rows], sizes[0], in_place=target)
    return [made if lowering.on_host else lowering.add("call", [made], sizes[0])]


def _elu(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A cheap choice between the input and an expensive function of it (tf2xla/kernels/elu_op.cc)."""
    return [lowering.add("map", [reads[0], lowering.add("costly", reads[:1], sizes[0])], sizes[0])]


def _slope(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """The slope, from the activation alone, times the gradient (tf2xla/kernels/relu_op.cc, elu_op.cc)."""
    activation, gradient = reads[:2] if op.kind == "TanhGrad" else reads[1::-1]
    return [lowering.add("map", [gradient, lowering.add("map", [activation], sizes[0])], sizes[0])]


def square_of(lowering: Lowering, value: int, size: PerBatch, item_bytes: int | None = None) -> int:
    """x^2, which all that wants it shares."""
    return lowering.shared("Square", "map", [value], size, item_bytes)


def negative_exponential(lowering: Lowering, value: int, size: PerBatch, item_bytes: int | None = None) -> int:
    """exp(-x), which all that wants it shares."""
    return lowering.shared(
        "Exp", "costly", [lowering.shared("Neg", "map", [value], size, item_bytes)], size, item_bytes
    )


def _erf(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A choice between two series, one of them with exp(-x^2), which the gradient wants, too.

    Source: xla/hlo/builder/lib/math.cc.
    """
    exponential = negative_exponential(lowering, square_of(lowering, reads[0], sizes[0]), sizes[0])
    made = lowering.shared(op.kind, "costly", [reads[0], exponential], sizes[0])
    lowering.instruction(made).reads = SERIES_READS
    return [made]


def _transpose(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """Another layout."""
    return [lowering.add("copy", reads[:1], sizes[0])]


def _list_start(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """An array for all iterations; it is made when something is written to it, and its size known."""
    results = [lowering.add("constant", (), PerBatch()) for _ in sizes]
    lowering.array_starts.update(results)
    return results


def _list_write(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """An update in place; a weight that an iteration reads is kept once for each, too.

    Every list is an array of its own from the start of the step, filled with zeros
    (tf2xla/kernels/tensor_list_utils.cc).
    """
    array, item = reads[0], reads[-1]
    size, single = sizes[0], lowering.program.buffers[op.reads[-1]].size
    whole, part = size.fixed + size.per_sample, single.fixed + single.per_sample
    if whole and part:
        lowering.trip_count = whole / part
    elif lowering.trip_count is not None:
        size = single.times(lowering.trip_count)
    if array in lowering.array_starts:
        array = lowering.add("call", (), size)
    result = lowering.add("call", [array, item], size, in_place=array)
    lowering.arrays.update((array, result))
    return [result]


def _loop_end(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """What one iteration hands to the next is wanted; an array, if somebody reads it, is read after the last."""
    states = [
        r for r in reads if r not in lowering.arrays and lowering.instruction(r).opcode not in ("parameter", "constant")
    ]
    lowering.module.roots.update(states)
    done = {}
    for array in dict.fromkeys(r for r in reads if r in lowering.arrays):
        instruction = lowering.instruction(array)
        done[array] = lowering.add("call", [array, *states], instruction.size, in_place=array)
    lowering.end_loop(done)
    return []


HANDLERS: dict[str, tuple[int, Handler]] = {
    kind: (operands, handler)
    for operands, handler, kinds in (
        (2, convolution, "Conv2D Conv3D DepthwiseConv2dNative _FusedConv2D _FusedDepthwiseConv2dNative"),
        (2, input_gradient, "Conv2DBackpropInput Conv3DBackpropInputV2 DepthwiseConv2dNativeBackpropInput"),
        (2, filter_gradient, "Conv2DBackpropFilter Conv3DBackpropFilterV2 DepthwiseConv2dNativeBackpropFilter"),
        (2, _product, "MatMul _FusedMatMul BatchMatMul BatchMatMulV2 BatchMatMulV3"),
        (1, _einsum, "Einsum"),
        (1, _softmax, "Softmax"),
        (1, _log_softmax, "LogSoftmax"),
        (2, _cross_entropy, "SparseSoftmaxCrossEntropyWithLogits SoftmaxCrossEntropyWithLogits"),
        (1, _normalise, "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3"),
        (2, _normalise_gradient, "FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3"),
        (1, _pool, "MaxPool MaxPool3D AvgPool AvgPool3D"),
        (2, _max_pool_gradient, "MaxPoolGrad MaxPool3DGrad"),
        (1, _average_pool_gradient, "AvgPoolGrad AvgPool3DGrad"),
        (1, _resize, "ResizeBilinear ResizeNearestNeighbor"),
        (1, _resize_gradient, "ResizeBilinearGrad ResizeNearestNeighborGrad"),
        (0, _random, "StatelessRandomUniformV2 StatelessRandomNormalV2 StatelessTruncatedNormalV2"),
        (1, _scatter, "UnsortedSegmentSum"),
        (2, _scatter_over, "TensorScatterUpdate"),
        (1, _elu, "Elu Selu"),
        (2, _slope, "ReluGrad Relu6Grad LeakyReluGrad EluGrad SeluGrad TanhGrad"),
        (1, _erf, "Erf Erfc"),
        (1, _transpose, "Transpose TensorListFromTensor"),
        (0, _list_start, "EmptyTensorList TensorListReserve"),
        (2, _list_write, "TensorListPushBack TensorListSetItem"),
        (0, _loop_end, "LoopEnd"),
    )
    for kind in kinds.split()
}
"""By kind: how many values it must read for its handler to make sense, and the handler."""
