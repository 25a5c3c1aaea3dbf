"""What cuDNN is asked for a convolution or one of its gradients.

TensorFlow leaves depthwise convolutions to kernels of its own, and with channels last those that are a product of
matrices to cuBLAS: single points, and a filter as large as its image (core/kernels/conv_ops_impl.h,
conv_grad_input_ops.h, conv_grad_filter_ops.cc).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.core.simulate.program import FILTER_GRADIENTS
from app.core.types.convolution import Convolution, Direction
from app.worker.tracing.card_scratch import padded_image, spatial
from app.worker.tracing.op_costs import CONV_INPUTS, Shape, conv_geometry
from app.worker.tracing.step_function import PRIME_BATCH


def convolution(
    kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None]
) -> Convolution | None:
    """The convolution that an operation asks cuDNN for; None if it asks for none."""
    geometry = conv_geometry(kind, inputs, outputs)
    if geometry is None or geometry[3]:
        return None
    image, kernel, result, _ = geometry
    first = attributes["data_format"].s.startswith(b"NC")
    strides, dilations = (tuple(spatial(attributes, name, len(image), first)) for name in ("strides", "dilations"))
    padded = padded_image(attributes, image, kernel, result)
    sides = zip(padded[1:-1], kernel[:-2], result[1:-1], strides, dilations, strict=True)
    missing = [max(0, (out - 1) * step + (size - 1) * gap + 1 - side) for side, size, out, step, gap in sides]
    whole, more = divmod(image[0], PRIME_BATCH)
    asked = Convolution(
        _direction(kind),
        not first,
        0 if more == 0 else image[0],
        whole if more == 0 else 0,
        channels=image[-1],
        filters=kernel[-1],
        groups=max(1, image[-1] // max(1, kernel[-2])),
        image=padded[1:-1],
        kernel=kernel[:-2],
        result=result[1:-1],
        padding=tuple(size // 2 for size in missing),
        strides=strides,
        dilations=dilations,
    )
    return None if _is_product(asked) else asked


def _direction(kind: str) -> Direction:
    """By the kind of the operation."""
    if kind in CONV_INPUTS:
        return "image"
    return "filter" if kind in FILTER_GRADIENTS else "forward"


def _is_product(asked: Convolution) -> bool:
    """Is it a product of matrices, which TensorFlow leaves to cuBLAS."""
    if not asked.channels_last or asked.groups > 1 or set(asked.dilations) != {1}:
        return False
    points = set(asked.kernel) == set(asked.strides) == {1}
    return points or (asked.kernel == asked.image and not any(asked.padding))
