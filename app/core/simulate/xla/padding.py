"""Convolutions whose padding cuDNN cannot do, since it pads both ends alike.

XLA writes the padded image first, once for each convolution that reads it, and cuts the padding off a gradient
(xla/service/gpu/transforms/conv_padding_legalization.cc).  For the layer it writes all of the padding, for the gradient
of the filters what one end has more than the other: these are one image only where the other end has none.  "Same"
padding is uneven where kernel and stride say so; both are told by sizes and by the shape of the layer's weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.core.types.stepgraph import PerBatch, StepGraph

IMAGE_RANK = 3
"""A convolution's weights have at least a length, channels and filters."""

SQUARE = 1e-6
"""A side that is no whole number by more belongs to an image that is not square."""


class Padding(NamedTuple):
    """How a convolution pads one end of its image more than the other.

    Args:
        less: Of the end that has less.
        more: Of the other.
        whole: How many times as large the image is with all of its padding.
        difference: With what one end has more than the other.
    """

    less: int
    more: int
    whole: float
    difference: float


class Swapped(NamedTuple):
    """A convolution of filters with a gradient, which has fewer places than they have.

    Where the ends need uneven padding, the filters are written with all of theirs, and the gradient with the zeros that
    a stride leaves between its places (``SwapConvOperands`` in xla/hlo/transforms/simplifiers/algebraic_simplifier.cc).

    Args:
        filters: How many times as large the filters are.
        gradient: The same of the gradient.
    """

    filters: float
    gradient: float


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
    found = _geometry(graph, layer, image, result, item_bytes)
    if found is None:
        return None
    uneven = [side - found.stride for side in found.kernel if side > found.stride and (side - found.stride) % 2]
    if not uneven:
        return None
    whole = math.prod(1 + max(0, side - found.stride) / found.length for side in found.kernel)
    return Padding(max(uneven) // 2, max(uneven) - max(uneven) // 2, whole, (1 + 1 / found.length) ** len(uneven))


def surrounding(
    graph: StepGraph, layer: int | None, padded: PerBatch, image: PerBatch, item_bytes: int
) -> Padding | None:
    """The zeros that a layer of its own has put around a convolution's image, which is taken for square.

    An odd number has one more at the end (``correct_pad`` in keras/src/applications/imagenet_utils.py).

    Args:
        graph: Where the shapes of the weights stand.
        layer: The convolution's.
        padded: Size of the image with its zeros.
        image: Size of it without.
        item_bytes: Of one element of both.

    Returns:
        None where sizes do not tell.
    """
    shape = _weights(graph, layer)
    if len(shape) < IMAGE_RANK:
        return None
    rank = len(shape) - 2
    sides = [(size.per_sample / (item_bytes * shape[-2])) ** (1 / rank) for size in (image, padded)]
    length, whole = (round(side) for side in sides)
    if not 0 < length < whole or any(abs(side - round(side)) > SQUARE for side in sides):
        return None
    less, more = (whole - length) // 2, (whole - length + 1) // 2
    return Padding(less, more, (whole / length) ** rank, ((length + more - less) / length) ** rank)


def swapped(graph: StepGraph, layer: int | None, image: PerBatch, result: PerBatch, item_bytes: int) -> Swapped | None:
    """What the gradient of an image is computed of where the filters have more places than the gradient that it reads.

    See `uneven_padding` for the arguments.  A gradient of a single place stays what it is.

    Returns:
        None where it does not.
    """
    found = _geometry(graph, layer, image, result, item_bytes)
    if found is None:
        return None
    rank, stride = len(found.kernel), found.stride
    length = found.length / stride
    if length <= 1 or math.prod(found.kernel) <= length**rank:
        return None
    wide = (length - 1) * stride
    return Swapped(math.prod((found.length + wide) / side for side in found.kernel), ((wide + 1) / length) ** rank)


def dilated(graph: StepGraph, layer: int | None, image: PerBatch, gradient: PerBatch, item_bytes: int) -> float | None:
    """How many times as large a gradient is with the zeros that a stride leaves between its places, and those around.

    So it is read where the gradient of an image is no kernel of cuDNN's own but a convolution with the filters
    reversed: where channels go by themselves (``MatchBackwardInput`` in xla/service/gpu/transforms/conv_rewriter.cc).
    See `uneven_padding` for the arguments.

    Returns:
        None where there is no stride.
    """
    shape = _weights(graph, layer)
    if len(shape) < IMAGE_RANK or not gradient.per_sample:
        return None
    *kernel, channels, multiplier = shape
    sides = (image.per_sample, gradient.per_sample / multiplier)
    wide, narrow = ((size / (item_bytes * channels)) ** (1 / len(kernel)) for size in sides)
    if round(wide / narrow) <= 1:
        return None
    return float(math.prod((wide + side - 1) / narrow for side in kernel))


class _Geometry(NamedTuple):
    """Sides of a layer's filters, stride, and the side of its image."""

    kernel: Sequence[int]
    stride: int
    length: float


def _geometry(
    graph: StepGraph, layer: int | None, image: PerBatch, result: PerBatch, item_bytes: int
) -> _Geometry | None:
    """Of a layer's convolution; None if its sizes do not tell."""
    shape = _weights(graph, layer)
    if len(shape) < IMAGE_RANK or not image.per_sample or not result.per_sample:
        return None
    *kernel, channels, filters = shape
    if layer is not None and "Depthwise" in graph.layers[layer].kind:
        filters *= channels
    places = image.per_sample / (item_bytes * channels), result.per_sample / (item_bytes * filters)
    stride = round((places[0] / places[1]) ** (1 / len(kernel)))
    if stride < 1 or places[0] != places[1] * stride ** len(kernel):
        return None
    return _Geometry(kernel, stride, places[0] ** (1 / len(kernel)))


def _weights(graph: StepGraph, layer: int | None) -> tuple[int, ...]:
    """The shape of a layer's filters, or of what comes nearest to them."""
    return max((v.shape for v in graph.variables if v.layer == layer), key=len, default=())
