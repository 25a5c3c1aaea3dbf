"""Scratch memory that TensorFlow's kernels for a CUDA card take beside their results, from an operation's shapes.

Seen in allocator traces of TensorFlow 2.21's build for cards and found again in its source:

* A convolution and both its gradients make a copy of the filter in the order that cuDNN wants
  (core/kernels/conv_ops_impl.h, ``transformed_filter``; conv_grad_filter_ops.cc, ``pre_transformed_filter_backprop``).
* The input's gradient is computed into a tensor of its own beside the result
  (core/kernels/conv_grad_input_ops.h, ``pre_transformed_in_backprop``).
* cuDNN pads both sides alike.  Where "same" padding does not, the image is copied into a larger one first
  (conv_ops_impl.h, ``transformed_input``), and the gradient of that one is cut (``in_backprop_remove_padding``).
* cuDNN pools volumes channels first only: image and result are copied, in the backward pass twice each
  (core/kernels/cudnn_pooling_gpu.cc, ``transformed_input``, ``transformed_output`` and their gradients).
  Of a mean over images the gradient is, too (core/kernels/pooling_ops_common.cc, ``transformed_input_backprop``).
* A softmax has room for a maximum and a sum of every number, not of every row, the latter in float32
  (core/kernels/softmax_op_gpu.cu.cc, ``max_logits`` and ``sum_probs``).
* What an image of 16 bits gets of the gradient of an enlarged one is added up in float32
  (core/kernels/image/resize_bilinear_op.cc).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.worker.tracing import cudnn_rnn
from app.worker.tracing.op_costs import CONV_INPUTS, Shape, conv_geometry, scratch

POOLED_VOLUMES = frozenset({"MaxPool3D", "AvgPool3D"})
SOFTMAXES = frozenset({"Softmax", "LogSoftmax"})
FLOAT32 = 1
"""``DT_FLOAT`` (core/framework/types.proto)."""
POOLED_VOLUMES_GRADIENTS = frozenset({"MaxPool3DGrad", "AvgPool3DGrad"})


def card_scratch(
    kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None], item_bytes: int
) -> tuple[tuple[int, ...], ...]:
    """Pieces of scratch memory, each in parts that grow with the batch or do not; bytes."""
    if kind in cudnn_rnn.KINDS:
        return cudnn_rnn.scratch_pieces(kind, attributes, inputs, outputs, item_bytes)
    if kind == "Einsum":
        return tuple((piece,) for piece in scratch(kind, attributes, inputs, outputs, item_bytes))
    if kind in SOFTMAXES:
        numbers = math.prod(outputs[0] or ())
        return (numbers * item_bytes,), (numbers * max(item_bytes, cudnn_rnn.FLOAT32_BYTES),)
    if kind == "ResizeBilinearGrad":
        return ((math.prod(outputs[0] or ()) * cudnn_rnn.FLOAT32_BYTES,),) if attributes["T"].type != FLOAT32 else ()
    if kind in POOLED_VOLUMES | POOLED_VOLUMES_GRADIENTS | {"AvgPoolGrad"}:
        return tuple((copy * item_bytes,) for copy in _volumes(kind, attributes, inputs, outputs))
    geometry = conv_geometry(kind, inputs, outputs)
    if geometry is None or geometry[3]:
        return ()
    image, kernel, result, _ = geometry
    padded = padded_image(attributes, image, kernel, result)
    pieces = [math.prod(kernel)]
    if padded != image:
        pieces.append(math.prod(padded))
    if kind in CONV_INPUTS:
        pieces.insert(0, math.prod(image))
    return tuple((piece * item_bytes,) for piece in pieces)


def _volumes(
    kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None]
) -> tuple[int, ...]:
    """Copies with channels first that a pooling of volumes makes, or a mean's gradient, in numbers."""
    forward = kind in POOLED_VOLUMES
    image, result = (inputs[0], outputs[0]) if forward else (outputs[0], inputs[-1])
    if image is None or result is None or attributes["data_format"].s.startswith(b"NC"):
        return ()
    return (math.prod(image), math.prod(result)) * (2 if kind in POOLED_VOLUMES_GRADIENTS else 1)


def padded_image(attributes: Any, image: Shape, kernel: Shape, result: Shape) -> Shape:
    """The image with one row or column more wherever both sides cannot be padded alike."""
    if attributes["padding"].s != b"SAME":
        return image
    first = attributes["data_format"].s.startswith(b"NC")
    strides, dilations = (spatial(attributes, name, len(image), first) for name in ("strides", "dilations"))
    sides = zip(image[1:-1], kernel[:-2], result[1:-1], strides, dilations, strict=True)
    odd = (max(0, (out - 1) * step + (size - 1) * gap + 1 - side) % 2 for side, size, out, step, gap in sides)
    return (image[0], *(side + more for side, more in zip(image[1:-1], odd, strict=True)), image[-1])


def spatial(attributes: Any, name: str, rank: int, channels_first: bool) -> Sequence[int]:
    """An attribute's values for the sides of an image."""
    given = list(attributes[name].list.i) or [1] * rank
    return given[2:] if channels_first else given[1:-1]
