"""Convolutions of images with channels last on a card that computes them with channels first.

Grappler lays a network out for cuDNN beforehand.  Where it fails, as at a dropout between convolutions, every one of
them copies its image and its result for itself (``ComputeInNhwcEnabled`` in core/kernels/conv_ops_gpu.h): float16 is
computed as it is from compute capability 7.0 on, bfloat16 and float32, then in TensorFloat-32, from 8.0 on.  One that
adds a bias and cuts off as well does not compute in TensorFloat-32 (core/kernels/conv_ops_fused_impl.h).  A step in
float16 that is laid out with channels last has convolutions in float32 where a layer is told to be, often the last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from app.core.simulate.convolution_scratch import item_bytes_of
from app.core.simulate.xla.card import AMPERE, VOLTA
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, StepGraph
from app.core.types.units import FLOAT_BYTES

Turned = Literal["nothing", "fused", "float32", "all"]
"""Which convolutions with channels last copy their images: those in float32 that do more besides, those in float32, or
all."""

AS_IT_IS_FROM = {"mixed_float16": VOLTA}
"""The first generation of cards that computes all of a step with channels last; of other precisions Ampere."""
PLANE = 2
"""Dimensions of an image: volumes are another kernel's (core/kernels/conv_ops_3d.cc)."""


def turned_on(graph: StepGraph, compute_capability: tuple[int, int] | None) -> Turned:
    """What a card turns of a step; unknown cards are taken for newer ones."""
    capability = compute_capability or AMPERE
    last = [operation for operation in graph.operations if _has_channels_last(operation)]
    if last and capability < AS_IT_IS_FROM.get(graph.precision, AMPERE):
        return "all"
    full = [operation for operation in last if item_bytes_of(graph, operation) == FLOAT_BYTES]
    if full and capability < AMPERE:
        return "float32"
    return "fused" if any(map(_is_fused, full)) else "nothing"


def with_turned_images(graph: StepGraph, turned: Turned) -> StepGraph:
    """The graph with those copies among what its convolutions take beside their results."""
    if turned == "nothing":
        return graph
    operations = (_turned(graph, one) if _turns(graph, one, turned) else one for one in graph.operations)
    return replace(graph, operations=tuple(operations))


def _turns(graph: StepGraph, operation: Operation, turned: Turned) -> bool:
    """Is it one that copies its images."""
    if not _has_channels_last(operation):
        return False
    if turned == "all":
        return True
    return item_bytes_of(graph, operation) == FLOAT_BYTES and (turned == "float32" or _is_fused(operation))


def _has_channels_last(operation: Operation) -> bool:
    """Is it a convolution of images with channels last."""
    asked = operation.convolution
    return asked is not None and asked.channels_last and len(asked.image) == PLANE


def _is_fused(operation: Operation) -> bool:
    """Does it add a bias as well."""
    return operation.kind.startswith("_Fused")


def _turned(graph: StepGraph, operation: Operation) -> Operation:
    """A convolution that turns what it reads and writes, and asks cuDNN accordingly."""
    asked = operation.convolution
    assert asked is not None
    copies = tuple(graph.sizes[tensor] for tensor in _images(operation, asked))
    return replace(
        operation, card_scratch=(*operation.card_scratch, *copies), convolution=asked._replace(channels_last=False)
    )


def _images(operation: Operation, asked: Convolution) -> tuple[int, ...]:
    """The images that a convolution or its gradient reads and writes.

    The gradient of an image has a copy on any card (`app.worker.tracing.card_scratch`).
    """
    if asked.direction == "image":
        return (operation.inputs[-1],)
    return operation.inputs[0], operation.outputs[0] if asked.direction == "forward" else operation.inputs[-1]
