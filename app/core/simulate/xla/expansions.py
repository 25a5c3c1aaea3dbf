"""Operations that become several of XLA's instructions, each with the file of XLA or tf2xla that says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import Step
from app.core.types.stepgraph import Line

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering

IMAGE_DIMENSIONS = 4
VIDEO_DIMENSIONS = 5
BILINEAR_PLACES = 3 * 3
"""``h_span_size`` and ``w_span_size`` of tf2xla/kernels/image_resize_ops.cc."""

Handler = Callable[["Lowering", Step, list[int], list[Line]], Sequence[int]]
"""(state, operation, values read, sizes of the results) → values of the results."""


def _convolution(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """One call; what TensorFlow's graph optimizer had fused is done after it."""
    result = made.add("call", [made.image(reads[0]), reads[1]], sizes[0])
    return [made.add("map", [result, *reads[2:]], sizes[0])] if len(reads) > 2 else [result]


def _input_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A convolution; on the host with the filter reversed and transposed (tf2xla/kernels/conv_op_helpers.cc)."""
    weight, gradient = reads[-2], made.image(reads[-1])
    if made.on_host:
        weight = made.shared("reversed", "copy", [weight], made.node(weight).size)
    return [made.add("call", [weight, gradient], sizes[0])]


def _filter_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """On the host a convolution over both operands with batch and channels exchanged, its result transposed back.

    Of a depthwise filter it is computed for every pair of channels, transposed, all but the diagonal masked
    away, and summed (tf2xla/kernels/conv_op_helpers.cc; xla/service/cpu/conv_canonicalization.cc).
    """
    image, gradient = made.image(reads[0]), made.image(reads[-1])
    if not made.on_host:
        return [made.add("call", [image, gradient], sizes[0])]
    operands = [
        made.shared("channels first", "copy", [image], made.node(image).size),
        made.shared("channels last", "copy", [gradient], made.node(gradient).size),
    ]
    if "Depthwise" not in step.kind:
        return [made.add("copy", [made.add("call", operands, sizes[0])], sizes[0])]
    every_pair = sizes[0].times(_channels(made, step, sizes[0]))
    masked = made.add("copy", [made.add("call", operands, every_pair)], every_pair)
    return [made.add("reduce", [masked], sizes[0])]


def _channels(made: Lowering, step: Step, size: Line) -> int:
    """Channels of the depthwise filter whose gradient this is."""
    for variable in made.graph.variables:
        of_layer = variable.layer == step.layer and len(variable.shape) == 4
        if of_layer and variable.elements * made.computed_bytes == size.fixed:
            return variable.shape[2]
    return 1


def _product(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A dot; of more than two dimensions with a weight it is flattened first.

    The gradient of a weight from one sample is an outer product, which is element-wise.
    """
    size = sizes[0]
    of_weight = step.phase == "backward" and not size.per_sample
    if of_weight:
        size = _of_one_turn(made, step, size)
    if step.kind == "MatMul" or not any(made.is_weight(r) for r in reads[:2]):
        result = made.add("multiply" if of_weight and made.batch_size == 1 else "call", reads[:2], size)
        return [made.add("map", [result, *reads[2:]], size)] if len(reads) > 2 else [result]
    flat = [r if made.is_weight(r) else made.shared("view", "bitcast", [r], made.node(r).size) for r in reads[:2]]
    return [made.add("bitcast", [made.add("call", flat, size)], size)]


def _of_one_turn(made: Lowering, step: Step, size: Line) -> Line:
    """The size of a weight's gradient in one turn of a loop.

    The reader counts several turns' (`app.worker.tracing.graph_reader`), because TensorFlow's executor lets them
    wait; XLA's loop adds each up at once.
    """
    if size.fixed in made.gradient_sizes:
        return size
    parts = [v.elements * made.computed_bytes for v in made.graph.variables if v.layer == step.layer]
    return Line(max((n for n in parts if n and size.fixed % n == 0), default=size.fixed))


def _einsum(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A batched dot wants batch and heads first: queries, keys and values are copied, scores are so already.

    Source: xla/service/dot_decomposer.cc.
    """
    major = [r in made.batch_major for r in reads[:2]]
    operands = [
        r if is_major else made.shared(_layout(made, step, place, r), "copy", [r], made.node(r).size)
        for place, (r, is_major) in enumerate(zip(reads, major, strict=False))
    ]
    result = made.add("call", operands, sizes[0])
    if not any(major):
        made.batch_major.add(result)
    return [made.add("copy", [result], sizes[0])] if any(major) and not all(major) else [result]


def _layout(made: Lowering, step: Step, place: int, read: int) -> str:
    """Queries are laid out alike in both passes; keys and values are transposed for the backward pass."""
    if step.phase != "backward" and place == 0:
        made.queries.add(read)
    return "query" if read in made.queries else f"{step.phase} {place}"


def _softmax(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Shifted by the largest, exponential, divided by the sum (tf2xla/kernels/softmax_op.cc)."""
    exponential, total, _ = _exponential(made, reads[0])
    result = made.add("costly", [exponential, total], sizes[0])
    if reads[0] in made.batch_major:
        made.batch_major.add(result)
    return [result]


def _log_softmax(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """The shifted input less the logarithm of the sum (tf2xla/kernels/softmax_op.cc)."""
    _, total, largest = _exponential(made, reads[0])
    return [made.add("map", [reads[0], largest, made.add("costly", [total], Line())], sizes[0])]


def _cross_entropy(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Loss of each sample and gradient of the logits (tf2xla/kernels/softmax_op.cc)."""
    logits, labels = reads[0], reads[1]
    size = made.node(logits).size
    exponential, total, largest = _exponential(made, logits)
    terms = made.add("multiply", [logits, largest, made.add("costly", [total], Line()), labels], size)
    share = made.add("costly", [exponential, total], size)
    return [made.add("reduce", [terms], sizes[0]), made.add("map", [share, labels], sizes[-1])]


def _exponential(made: Lowering, logits: int) -> tuple[int, int, int]:
    """(exponential, its sum, the largest) of each row."""
    largest = made.add("reduce", [logits], Line())
    exponential = made.add("costly", [logits, largest], made.node(logits).size)
    if logits in made.batch_major:
        made.batch_major.add(exponential)
    return exponential, made.add("reduce", [exponential], Line()), largest


def _normalise(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Mean and variance, then one chain over the image (xla/service/batchnorm_expander.cc)."""
    image, size = reads[0], made.node(reads[0]).size
    mean = made.add("reduce", [image], Line())
    variance = made.add("reduce", [made.add("multiply", [image, mean], size)], Line())
    result = made.add("map", [image, mean, variance, *reads[1:3]], sizes[0])
    return [result, *[mean, variance, mean, variance, mean][: len(sizes) - 1]]


def _normalise_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Two sums over gradient and image, then one chain (xla/service/batchnorm_expander.cc)."""
    gradient, image = reads[0], reads[1]
    first = made.add("reduce", [gradient], Line())
    second = made.add("reduce", [made.add("multiply", [gradient, image], made.node(image).size)], Line())
    result = made.add("map", [gradient, image, first, second], sizes[0])
    return [result, *[second, first, first, first][: len(sizes) - 1]]


def _pool(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A reduce-window; an average is divided by the number of places."""
    result = made.add("call", [made.image(reads[0])], sizes[0])
    return [result] if "Max" in step.kind else [made.add("costly", [result], sizes[0])]


def _max_pool_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Each window's winner is found by its indices (xla/service/select_and_scatter_expander.cc).

    One index array of the input's size for each dimension goes through a reduce-window with several
    results, the first of which nobody reads; the winners' indices are joined and the gradient is
    scattered over zeros.  Equal index arrays stay apart: ``HloCSE`` skips what has no operands.  A card's
    reduce-window makes the indices itself (gpu_fusible.cc, ``IsUniversallyLoopFusible``).
    """
    image, gradient = made.image(reads[0]), reads[-1]
    size = made.node(gradient).size
    dimensions = VIDEO_DIMENSIONS if "3D" in step.kind else IMAGE_DIMENSIONS
    indices = [made.add("spread", (), sizes[0]) for _ in range(dimensions if made.on_host else 0)]
    winners = [made.add("call", [image, *indices], size) for _ in range(dimensions)]
    made.module.roots.add(made.add("call", [image, *indices], size))
    joined = made.add("copy", winners, size.times(dimensions))
    return [made.scatter([joined, made.add("copy", [gradient], size)], sizes[0])]


def _average_pool_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """The gradient, padded with zeros, is summed over windows (tf2xla/kernels/pooling_ops.cc)."""
    return [made.add("call", [made.add("slice", reads[-1:], sizes[0])], sizes[0])]


def _resize(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """All places that a pixel is made of are gathered and weighed by a product (tf2xla/kernels/image_resize_ops.cc)."""
    gathered = made.add("gather", reads[:1], sizes[0].times(_places(step)))
    result = made.add("call", [made.add("copy", [gathered], made.node(gathered).size)], sizes[0])
    return [made.add("copy", [result], sizes[0])]


def _resize_gradient(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """The same backwards: a product for each place, in another layout, scattered (``GeneralCompileGrad``)."""
    size = made.node(reads[0]).size
    shares = made.add("call", [made.add("copy", reads[:1], size)], size.times(_places(step)))
    return [made.scatter([made.add("copy", [shares], made.node(shares).size)], sizes[0])]


def _places(step: Step) -> int:
    """Pixels of the image that one pixel of the larger one reads."""
    return BILINEAR_PLACES if "Bilinear" in step.kind else 1


def _random(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Random bits are joined from blocks and written to memory, as early as the counter is known; then scaled.

    Source: xla/hlo/builder/lib/prng.cc (Philox).
    """
    return [made.add("map", [made.add("call", (), sizes[0])], sizes[0])]


def _scatter(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Rows are added into zeros (tf2xla/lib/scatter.cc)."""
    return [made.scatter(reads, sizes[0])]


def _elu(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A cheap choice between the input and an expensive function of it (tf2xla/kernels/elu_op.cc)."""
    return [made.add("map", [reads[0], made.add("costly", reads[:1], sizes[0])], sizes[0])]


def _slope(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """The slope, from the activation alone, times the gradient (tf2xla/kernels/relu_op.cc, elu_op.cc)."""
    activation, gradient = reads[:2] if step.kind == "TanhGrad" else reads[1::-1]
    return [made.add("map", [gradient, made.add("map", [activation], sizes[0])], sizes[0])]


def _erf(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """A choice between two series, one of them with exp(-x^2), which the gradient wants, too.

    Source: xla/hlo/builder/lib/math.cc.
    """
    negative = made.shared("Neg", "map", [made.shared("Square", "map", reads[:1], sizes[0])], sizes[0])
    exponential = made.shared("Exp", "costly", [negative], sizes[0])
    return [made.shared(step.kind, "costly", [reads[0], exponential], sizes[0])]


def _transpose(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """Another layout."""
    return [made.add("copy", reads[:1], sizes[0])]


def _list_start(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """An array for all turns; it is made when something is written to it, and its size known."""
    results = [made.add("constant", (), Line()) for _ in sizes]
    made.array_starts.update(results)
    return results


def _list_write(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """An update in place; a weight that a turn reads is kept once for each turn, too.

    Every list is an array of its own from the start of the step, filled with zeros
    (tf2xla/kernels/tensor_list_utils.cc).
    """
    array, item = reads[0], reads[-1]
    size, single = sizes[0], made.program.buffers[step.reads[-1]].size
    whole, part = size.fixed + size.per_sample, single.fixed + single.per_sample
    if whole and part:
        made.turns = whole / part
    elif made.turns is not None:
        size = single.times(made.turns)
    if array in made.array_starts:
        array = made.add("call", (), size)
    result = made.add("call", [array, item], size, in_place=array)
    made.arrays.update((array, result))
    return [result]


def _loop_end(made: Lowering, step: Step, reads: list[int], sizes: list[Line]) -> Sequence[int]:
    """What one turn hands to the next is wanted; an array, if somebody reads it, is read after the last turn."""
    states = [r for r in reads if r not in made.arrays and made.node(r).opcode not in ("parameter", "constant")]
    made.module.roots.update(states)
    done = {}
    for array in dict.fromkeys(r for r in reads if r in made.arrays):
        node = made.node(array)
        done[array] = made.add("call", [array, *states], node.size, in_place=array)
    made.end_loop(done)
    return []


HANDLERS: dict[str, tuple[int, Handler]] = {
    kind: (operands, handler)
    for operands, handler, kinds in (
        (2, _convolution, "Conv2D Conv3D DepthwiseConv2dNative _FusedConv2D _FusedDepthwiseConv2dNative"),
        (2, _input_gradient, "Conv2DBackpropInput Conv3DBackpropInputV2 DepthwiseConv2dNativeBackpropInput"),
        (2, _filter_gradient, "Conv2DBackpropFilter Conv3DBackpropFilterV2 DepthwiseConv2dNativeBackpropFilter"),
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
