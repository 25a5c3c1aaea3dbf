"""Convolutions whose padding cuDNN cannot do, since it pads both ends alike.

XLA writes the padded image first, once for each convolution that reads it, and cuts the padding off a gradient
(xla/service/gpu/transforms/conv_padding_legalization.cc).  For the layer it writes all of the padding, for the gradient
of the filters what one end has more than the other: these are one image only where the other end has none.  "Same"
padding is uneven where kernel and stride say so; both are told by sizes and by the shape of the layer's weights.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from app.core.types.stepgraph import PerBatch, StepGraph

IMAGE_RANK = 3
"""A convolution's weights have at least a length, channels and filters."""


class Padding(NamedTuple):
    """How a convolution pads one end of its image more than the other.

    Args:
        less: Of the end that has less.
        whole: How many times as large the image is with all of its padding.
        difference: With what one end has more than the other.
    """

    less: int
    whole: float
    difference: float


def uneven_padding(
    graph: StepGraph, layer: int | None, image: PerBatch, result: PerBatch, item_bytes: int
) -> Padding | None:
    """The padding of a layer's convolution, where it pads one end of its image more than the other.

    Images are taken for square.

    Args:
        graph: Where the shapes of the weights stand.
        layer: The layer.
        image: Size of what is convolved.
        result: Size of what comes out.
        item_bytes: Of one element of both.

    Returns:
        None where both ends are padded alike, or not at all.
    """
    shape = max((v.shape for v in graph.variables if v.layer == layer), key=len, default=())
    if len(shape) < IMAGE_RANK or not image.per_sample or not result.per_sample:
        return None
    *kernel, channels, filters = shape
    if layer is not None and "Depthwise" in graph.layers[layer].kind:
        filters *= channels
    places = image.per_sample / (item_bytes * channels), result.per_sample / (item_bytes * filters)
    stride = round((places[0] / places[1]) ** (1 / len(kernel)))
    if stride < 1 or places[0] != places[1] * stride ** len(kernel):
        return None
    uneven = [side - stride for side in kernel if side > stride and (side - stride) % 2]
    if not uneven:
        return None
    length = places[0] ** (1 / len(kernel))
    whole = math.prod(1 + max(0, side - stride) / length for side in kernel)
    return Padding(max(uneven) // 2, whole, (1 + 1 / length) ** len(uneven))
