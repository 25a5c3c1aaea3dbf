"""Convolutions and their gradients as XLA's instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.core.simulate.program import INPUT_GRADIENTS, Op
from app.core.simulate.xla.filter_gradients import weights_shape
from app.core.types.stepgraph import PerBatch

if TYPE_CHECKING:
    from app.core.simulate.xla.lowering import Lowering


def convolution(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """One call; what TensorFlow's graph optimizer had fused is done after it."""
    image = lowering.layouts.padded(op, lowering.image(reads[0]), sizes[0])
    filters = lowering.layouts.filters(reads[1], viewed=op.kind.startswith("Depthwise"))
    result = lowering.add_convolution([image, filters], sizes[0], _filters(lowering, op))
    return [lowering.add("map", [result, *reads[2:]], sizes[0])] if len(reads) > 2 else [result]


def _filters(lowering: Lowering, op: Op) -> int:
    """Channels of what a convolution makes; 0 if nobody knows."""
    channels, filters = _weights_shape(lowering, op, op.reads[1])[-2:]
    return filters * (channels if "Depthwise" in op.kind else 1)


def _weights_shape(lowering: Lowering, op: Op, weights: int) -> tuple[int, ...]:
    """The shape of a convolution's weights; zeros if nobody knows."""
    bytes_ = lowering.program.buffers[weights].size.fixed
    return weights_shape(lowering.graph, op.layer, bytes_, lowering.computed_bytes) or (0, 0)


def input_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """A convolution; on the host with the filter reversed and transposed (tf2xla/kernels/conv_op_helpers.cc)."""
    weight, gradient = reads[-2], lowering.image(reads[-1])
    shape = _weights_shape(lowering, op, op.reads[-2])
    channels = shape[-2]
    if lowering.on_host:
        weight = lowering.shared("reversed", "copy", [weight], lowering.instruction(weight).size)
    read = lowering.instruction(gradient).size
    padding = lowering.layouts.uneven_padding(op, sizes[0], read)
    if padding is not None and (wide := lowering.layouts.swapped(op, sizes[0], read)):
        operands = [
            lowering.shared(tag, "slice", [value], lowering.instruction(value).size.times(times))
            for tag, value, times in (("padded", weight, wide.filters), ("dilated", gradient, wide.gradient))
        ]
        return [lowering.add_convolution(operands, sizes[0], channels)]
    pointwise = not lowering.on_host and _is_pointwise(shape, sizes[0], read)
    if not lowering.on_host and op.kind.startswith("Depthwise"):
        gradient, filters = lowering.layouts.reversed(op, weight, gradient, sizes[0], shape)
    else:
        filters = lowering.layouts.as_it_is(weight) if pointwise else lowering.layouts.filters(weight)
    if padding is None:
        return [lowering.add_convolution([gradient, filters], sizes[0], channels)]
    padded = lowering.add_convolution([gradient, filters], sizes[0].times(padding.difference), channels)
    return [lowering.add("slice", [padded], sizes[0])]


def is_pointwise_gradient(lowering: Lowering, op: Op) -> bool:
    """Is an operation the gradient of the image of single points."""
    if op.kind not in INPUT_GRADIENTS:
        return False
    image, gradient = (lowering.program.buffers[buffer].size for buffer in (op.writes[0], op.reads[-1]))
    return _is_pointwise(_weights_shape(lowering, op, op.reads[-2]), image, gradient)


def _is_pointwise(shape: tuple[int, ...], image: PerBatch, gradient: PerBatch) -> bool:
    """Is it a product for every place: then the weights as they are do for the gradient's way back, on a card.

    Source: ``MatchBackwardInput`` in xla/service/gpu/transforms/conv_rewriter.cc.
    """
    return set(shape[:-2]) == {1} and image.per_sample * shape[-1] == gradient.per_sample * shape[-2]


def filter_gradient(lowering: Lowering, op: Op, reads: list[int], sizes: list[PerBatch]) -> Sequence[int]:
    """On the host a convolution over both operands with batch and channels exchanged, its result transposed back.

    Of a depthwise filter it is computed for every pair of channels, transposed, all but the diagonal masked
    away, and summed (tf2xla/kernels/conv_op_helpers.cc; xla/service/cpu/conv_canonicalization.cc).
    """
    image, gradient = lowering.image(reads[0]), lowering.image(reads[-1])
    if not lowering.on_host:
        plain = op.writes[0] in lowering.plain_gradients
        image = lowering.layouts.padded(op, image, lowering.instruction(gradient).size, backward=not plain)
        if plain:
            lowering.layouts.has_plain_gradient(op, sizes[0])
        operands = [lowering.layouts.samples_last(value) if plain else value for value in (image, gradient)]
        return [lowering.add_convolution(operands, sizes[0])]
    operands = [
        lowering.shared("channels first", "copy", [image], lowering.instruction(image).size),
        lowering.shared("channels last", "copy", [gradient], lowering.instruction(gradient).size),
    ]
    if "Depthwise" not in op.kind:
        return [lowering.add("copy", [lowering.add("call", operands, sizes[0])], sizes[0])]
    every_pair = sizes[0].times(_channels(lowering, op, sizes[0]))
    masked = lowering.add("copy", [lowering.add("call", operands, every_pair)], every_pair)
    return [lowering.add("reduce", [masked], sizes[0])]


def _channels(lowering: Lowering, op: Op, size: PerBatch) -> int:
    """Channels of the depthwise filter whose gradient this is."""
    for variable in lowering.graph.variables:
        of_layer = variable.layer == op.layer and len(variable.shape) == 4
        if of_layer and variable.elements * lowering.computed_bytes == size.fixed:
            return variable.shape[2]
    return 1
