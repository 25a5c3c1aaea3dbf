"""Floating-point operations and scratch memory of one TensorFlow operation, from its shapes.

A multiply-add counts as two operations.  Convolutions and products are counted exactly; every other
operation counts one per element of its largest tensor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.core.simulate.program import FILTER_GRADIENTS, PRODUCTS

Shape = tuple[int, ...]

FREE_KINDS = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient ReadVariableOp Const NoOp Placeholder "
    "Shape ShapeN VariableShape BroadcastGradientArgs Size Rank EnsureShape Snapshot".split()
)
"""Kinds that compute nothing: views, shapes and constants."""

CONV_INPUTS = {"Conv2DBackpropInput", "Conv3DBackpropInputV2", "DepthwiseConv2dNativeBackpropInput"}
_CONVS = {"Conv2D", "Conv3D", "DepthwiseConv2dNative", "_FusedConv2D", "_FusedDepthwiseConv2dNative"}

TYPICAL_BATCH = 32
"""Decides which of two sizes is the larger one, where only one of them grows with the batch."""

WINOGRAD_TILE = 4
"""cuDNN's non-fused Winograd algorithm works on output tiles of 4x4 for 3x3 filters (Lavin & Gray 2015)."""


def flops(kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None]) -> float:
    """Operations of one run; 0 for views, and for shapes that are not known."""
    if kind in FREE_KINDS:
        return 0.0
    if kind in PRODUCTS and len(inputs) >= 2 and inputs[0] and outputs and outputs[0]:
        transposed = _flag(attributes, "transpose_a") or _flag(attributes, "adj_x")
        inner = inputs[0][-2] if transposed else inputs[0][-1]
        return 2.0 * math.prod(outputs[0]) * inner
    if kind == "Einsum" and all(s is not None for s in inputs):
        return _einsum_flops(attributes["equation"].s.decode(), [s for s in inputs if s is not None])
    geometry = conv_geometry(kind, inputs, outputs)
    if geometry is not None:
        _image, kernel, result, depthwise = geometry
        per_output = math.prod(kernel[:-2]) * (1 if depthwise else kernel[-2])
        return 2.0 * math.prod(result) * per_output
    sizes = [math.prod(s) for s in (*inputs, *outputs) if s is not None]
    return float(max(sizes, default=0))


def conv_geometry(
    kind: str, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None]
) -> tuple[Shape, Shape, Shape, bool] | None:
    """(image, kernel, result, depthwise) of a convolution or one of its two gradients, else None.

    All in channels-last order; ``image`` is the forward pass's input and ``result`` its output.
    """
    depthwise = "Depthwise" in kind
    if kind in _CONVS and inputs[0] and inputs[1] and outputs[0]:
        return inputs[0], inputs[1], outputs[0], depthwise
    if kind in CONV_INPUTS and outputs[0] and inputs[1] and inputs[2]:
        return outputs[0], inputs[1], inputs[2], depthwise
    if kind in FILTER_GRADIENTS and inputs[0] and outputs[0] and inputs[2]:
        return inputs[0], outputs[0], inputs[2], depthwise
    return None


def wanted_workspace(
    kind: str, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None], item_bytes: int
) -> float:
    """Scratch memory that cuDNN's fastest algorithm for a 3x3 convolution asks for, in bytes.

    The non-fused Winograd algorithm transforms every 6x6 input tile and every output tile of all
    channels at once: ``tiles * 36 * (channels in + channels out)`` values.  It is a wish: TensorFlow
    asks, warns when refused, and takes another algorithm (case S1).
    """
    geometry = conv_geometry(kind, inputs, outputs)
    if geometry is None:
        return 0.0
    image, kernel, result, depthwise = geometry
    target = image if kind in CONV_INPUTS else result
    if depthwise or len(kernel) != 4 or kernel[:2] != (3, 3) or image[1] > 2 * result[1] - 2:
        return 0.0
    tiles = target[0] * math.ceil(target[1] / WINOGRAD_TILE) * math.ceil(target[2] / WINOGRAD_TILE)
    return float(tiles * (WINOGRAD_TILE + 2) ** 2 * (kernel[2] + kernel[3]) * item_bytes)


def scratch(
    kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None], item_bytes: int
) -> tuple[int, ...]:
    """Pieces of scratch memory that a kernel cannot do without, in bytes; each grows with the batch or not."""
    shapes = [s for s in (*inputs, *outputs) if s is not None]
    if kind == "Einsum" and len(inputs) == 2 and len(shapes) == 3:
        return einsum_copies(attributes["equation"].s.decode(), shapes, item_bytes)
    return grouped_scratch(kind, inputs, outputs, item_bytes)


def einsum_copies(equation: str, shapes: Sequence[Shape], item_bytes: int) -> tuple[int, ...]:
    """Transposed copies that an ``Einsum`` of two tensors makes of its operands and of its result.

    Each is brought into the order of a batched product: shared dimensions, free ones, contracted ones, those
    of one sort as they appear in the equation; free and contracted ones may swap places
    (core/kernels/linalg/einsum_op_impl.h, ``ReduceOperand`` and ``ShouldSwapFreeAndContract``).
    """
    left, _, result = equation.partition("->")
    first, _, second = left.partition(",")
    ranks = {label: rank for rank, label in enumerate(dict.fromkeys((first + second + result).replace(".", "")))}

    def sort(label: str) -> int:
        """0 for shared by all three, 1 free, 2 contracted, 3 summed over."""
        return (0 if label in first and label in second else 1) + (0 if label in result else 2)

    def copied(labels: str) -> bool:
        own = [label for label in labels if label != "."]
        order = [(sort(label), ranks[label]) for label in own]
        swapped = [({1: 2, 2: 1}.get(kind, kind), rank) for kind, rank in order]
        return order != sorted(order) and swapped != sorted(swapped)

    shared = sorted((label for label in ranks if sort(label) == 0), key=ranks.__getitem__)
    free = [label for labels in (first, second) for label in labels if label != "." and sort(label) == 1]
    turned = [label for label in result if label != "."] != shared + sorted(free, key=ranks.__getitem__)
    wanted = (copied(first), copied(second), turned)
    return tuple(math.prod(shape) * item_bytes for shape, copy in zip(shapes, wanted, strict=True) if copy)


def grouped_scratch(
    kind: str, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None], item_bytes: int
) -> tuple[int, ...]:
    """Scratch memory of a grouped convolution and its gradients on the host, in bytes.

    On the processor Keras compiles a grouped convolution with XLA, and with it its gradients
    (keras/src/backend/tensorflow/nn.py, ``_conv_xla``).  The input's gradient transposes the kernel.  The
    filter's gradient is computed as if there were no groups where each has one channel (a dense kernel, and
    one more or the transposed result: 231,211,008 bytes for 7x7 and 768 groups), else from a transposed
    result (1,085,440 bytes for 64 to 128 channels in 8 groups; allocator traces, TensorFlow 2.21).
    """
    geometry = conv_geometry(kind, inputs, outputs)
    if geometry is None:
        return ()
    image, kernel, result, depthwise = geometry
    if depthwise or image[-1] == kernel[-2]:
        return ()
    own = math.prod(kernel) * item_bytes
    if kind in CONV_INPUTS:
        return (own,)
    if kind not in FILTER_GRADIENTS:
        return ()
    turned = math.prod(result) * item_bytes
    if kernel[-2] > 1:
        return own, turned
    dense = own * image[-1]
    return dense, max(dense, turned, key=lambda size: size if size == dense else size * TYPICAL_BATCH // result[0])


def _einsum_flops(equation: str, inputs: Sequence[Shape]) -> float:
    """Two per point of the joint index space; an ellipsis counts as its broadcast dimensions."""
    left = equation.split("->")[0].split(",")
    sizes: dict[str, int] = {}
    extra = 1
    for labels, shape in zip(left, inputs, strict=True):
        named = labels.replace("...", "")
        missing = len(shape) - len(named)
        if "..." in labels:
            head = labels.index("...")
            extra = max(extra, math.prod(shape[head : head + missing]))
            shape = shape[:head] + shape[head + missing :]
        sizes.update(zip(named, shape, strict=True))
    return 2.0 * extra * math.prod(sizes.values())


def _flag(attributes: Any, name: str) -> bool:
    """A boolean attribute, False if absent."""
    return bool(attributes[name].b) if name in attributes else False
