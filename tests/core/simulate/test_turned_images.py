"""Convolutions of images with channels last, on cards that compute with channels first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.simulate.turned_images import turns_images, with_turned_images
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, PerBatch, StepGraph
from tests.core.graphs import chain_graph

ASKED = Convolution("forward", True, 0, 1, 64, 64, 1, (32, 32), (3, 3), (32, 32), (1, 1), (1, 1), (1, 1))
IMAGE, FILTERS, RESULT, SHAPE = range(4)
SIZES = (PerBatch(0, 100), PerBatch(9), PerBatch(0, 300), PerBatch(16))


def graph_of(operation: Operation, precision: str = "float32") -> StepGraph:
    return replace(chain_graph(precision=precision), sizes=SIZES, operations=(operation,), loops=())


def convolving(asked: Convolution = ASKED) -> Operation:
    return Operation("Conv2D", (IMAGE, FILTERS), (RESULT,), card_scratch=(SIZES[FILTERS],), convolution=asked)


@pytest.mark.parametrize(
    ("precision", "turning"),
    [("float32", {(6, 0), (7, 0), (7, 5)}), ("mixed_float16", {(6, 0)}), ("mixed_bfloat16", {(6, 0), (7, 0), (7, 5)})],
)
def test_a_card_turns_images_of_what_it_cannot_compute_with_channels_last(precision, turning):
    graph = graph_of(convolving(), precision)
    cards = [None, (6, 0), (7, 0), (7, 5), (8, 0), (8, 9)]
    assert {card for card in cards if turns_images(graph, card)} == turning


def test_what_grappler_has_laid_out_and_volumes_stay_as_they_are():
    for asked in (ASKED._replace(channels_last=False), ASKED._replace(image=(8, 8, 8))):
        graph = graph_of(convolving(asked))
        assert not turns_images(graph, (7, 5))
        assert with_turned_images(graph) == graph


@pytest.mark.parametrize(
    ("direction", "inputs", "output", "copies"),
    [
        ("forward", (IMAGE, FILTERS), RESULT, (IMAGE, RESULT)),
        ("image", (SHAPE, FILTERS, RESULT), IMAGE, (RESULT, IMAGE)),
        ("filter", (IMAGE, SHAPE, RESULT), FILTERS, (IMAGE, RESULT)),
    ],
)
def test_image_and_result_are_copied_and_cudnn_sees_channels_first(direction, inputs, output, copies):
    asked = ASKED._replace(direction=direction)
    operation = replace(convolving(asked), inputs=inputs, outputs=(output,))
    (turned,) = with_turned_images(graph_of(operation)).operations
    assert turned.card_scratch == (SIZES[FILTERS], *(SIZES[tensor] for tensor in copies))
    assert turned.convolution == asked._replace(channels_last=False)
