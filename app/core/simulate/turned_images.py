"""Convolutions of images with channels last on a card that computes them with channels first.

Grappler lays a network out for cuDNN beforehand.  Where it fails, as at a dropout between convolutions, every one of
them copies its image and its result for itself (``ComputeInNhwcEnabled`` in core/kernels/conv_ops_gpu.h): float16 is
computed as it is from compute capability 7.0 on, bfloat16 and float32, then in TensorFloat-32, from 8.0 on.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, StepGraph

AS_IT_IS_FROM = {"mixed_float16": (7, 0)}
"""The first generation of cards that computes with channels last; of other precisions the one below."""
OTHERS_FROM = (8, 0)
PLANE = 2
"""Dimensions of an image: volumes are another kernel's (core/kernels/conv_ops_3d.cc)."""


def turns_images(graph: StepGraph, compute_capability: tuple[int, int] | None) -> bool:
    """Does a card compute a convolution of a step with channels first that is given channels last.

    Unknown cards are taken for newer ones.
    """
    if compute_capability is None or compute_capability >= AS_IT_IS_FROM.get(graph.precision, OTHERS_FROM):
        return False
    return any(map(_is_turned, graph.operations))


def with_turned_images(graph: StepGraph) -> StepGraph:
    """The graph with those copies among what its convolutions take beside their results."""
    return replace(graph, operations=tuple(_turned(graph, operation) for operation in graph.operations))


def _turned(graph: StepGraph, operation: Operation) -> Operation:
    """A convolution that turns what it reads and writes; anything else as it is."""
    asked = operation.convolution
    if asked is None or not _is_turned(operation):
        return operation
    copies = tuple(graph.sizes[tensor] for tensor in _images(operation, asked))
    return replace(
        operation, card_scratch=(*operation.card_scratch, *copies), convolution=asked._replace(channels_last=False)
    )


def _is_turned(operation: Operation) -> bool:
    """Is it a convolution of images with channels last."""
    asked = operation.convolution
    return asked is not None and asked.channels_last and len(asked.image) == PLANE


def _images(operation: Operation, asked: Convolution) -> tuple[int, int]:
    """The image that a convolution or its gradient reads, and the other one that it reads or writes."""
    if asked.direction == "filter":
        return operation.inputs[0], operation.inputs[-1]
    return operation.inputs[0 if asked.direction == "forward" else -1], operation.outputs[0]
