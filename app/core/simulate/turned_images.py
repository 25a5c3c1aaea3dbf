"""Convolutions of images with channels last on a card that computes them with channels first.

Grappler lays a network out for cuDNN beforehand.  Where it fails, as at a dropout between convolutions, every one of
them copies its image and its result for itself (``ComputeInNhwcEnabled`` in core/kernels/conv_ops_gpu.h): float16 is
computed as it is from compute capability 7.0 on, bfloat16 and float32, then in TensorFloat-32, from 8.0 on.  One that
adds a bias and cuts off as well does not compute in TensorFloat-32 (core/kernels/conv_ops_fused_impl.h).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from app.core.simulate.xla.card import AMPERE, VOLTA
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, StepGraph

Turned = Literal["nothing", "fused", "all"]
"""Which convolutions with channels last copy their images: those that do more besides, or all."""

AS_IT_IS_FROM = {"mixed_float16": VOLTA}
"""The first generation of cards that computes with channels last; of other precisions the one below."""
OTHERS_FROM = AMPERE
PLANE = 2
"""Dimensions of an image: volumes are another kernel's (core/kernels/conv_ops_3d.cc)."""


def turned_on(graph: StepGraph, compute_capability: tuple[int, int] | None) -> Turned:
    """What a card turns of a step; unknown cards are taken for newer ones."""
    last = [operation for operation in graph.operations if _has_channels_last(operation)]
    newer = compute_capability is None or compute_capability >= AS_IT_IS_FROM.get(graph.precision, OTHERS_FROM)
    if last and not newer:
        return "all"
    return "fused" if graph.precision == "float32" and any(map(_is_fused, last)) else "nothing"


def with_turned_images(graph: StepGraph, turned: Turned) -> StepGraph:
    """The graph with those copies among what its convolutions take beside their results."""
    if turned == "nothing":
        return graph
    turn = _has_channels_last if turned == "all" else _is_fused
    operations = (_turned(graph, one) if turn(one) else one for one in graph.operations)
    return replace(graph, operations=tuple(operations))


def _has_channels_last(operation: Operation) -> bool:
    """Is it a convolution of images with channels last."""
    asked = operation.convolution
    return asked is not None and asked.channels_last and len(asked.image) == PLANE


def _is_fused(operation: Operation) -> bool:
    """Is it such a one that adds a bias as well."""
    return operation.kind.startswith("_Fused") and _has_channels_last(operation)


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
