"""Convolutions of images with channels last, on cards that compute with channels first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.simulate.turned_images import turned_on, with_turned_images
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, PerBatch, StepGraph
from tests.core.graphs import chain_graph

ASKED = Convolution("forward", True, 0, 1, 64, 64, 1, (32, 32), (3, 3), (32, 32), (1, 1), (1, 1), (1, 1))
IMAGE, FILTERS, RESULT, SHAPE = range(4)
SIZES = (PerBatch(0, 100), PerBatch(9), PerBatch(0, 4 * 64 * 32 * 32), PerBatch(16))
HALVES = (*SIZES[:RESULT], SIZES[RESULT].times(0.5), SIZES[-1])


def graph_of(operation: Operation, precision: str = "float32") -> StepGraph:
    sizes = SIZES if precision == "float32" else HALVES
    return replace(chain_graph(precision=precision), sizes=sizes, operations=(operation,), loops=())


def convolving(asked: Convolution = ASKED) -> Operation:
    return Operation("Conv2D", (IMAGE, FILTERS), (RESULT,), card_scratch=(SIZES[FILTERS],), convolution=asked)


@pytest.mark.parametrize(
    ("precision", "turning"),
    [("float32", {(6, 0), (7, 0), (7, 5)}), ("mixed_float16", {(6, 0)}), ("mixed_bfloat16", {(6, 0), (7, 0), (7, 5)})],
)
def test_a_card_turns_images_of_what_it_cannot_compute_with_channels_last(precision, turning):
    graph = graph_of(convolving(), precision)
    cards = [None, (6, 0), (7, 0), (7, 5), (8, 0), (8, 9)]
    assert {card for card in cards if turned_on(graph, card) == "all"} == turning
    assert {turned_on(graph, card) for card in cards} == {"all", "nothing"}


def test_a_convolution_in_float32_that_adds_a_bias_is_turned_on_every_card():
    fused = replace(convolving(), kind="_FusedConv2D")
    assert turned_on(graph_of(fused), (8, 9)) == "fused"
    assert turned_on(graph_of(fused, "mixed_float16"), (8, 9)) == "nothing"
    for kind, copies in (("_FusedConv2D", 2), ("Conv2D", 0)):
        (turned,) = with_turned_images(graph_of(replace(fused, kind=kind)), "fused").operations
        assert len(turned.card_scratch) == 1 + copies


def test_a_layer_in_float32_of_a_step_in_float16_is_turned_where_tensorfloat_is_missing():
    graph = replace(graph_of(convolving(), "mixed_float16"), sizes=SIZES)
    assert [turned_on(graph, card) for card in ((7, 0), (7, 5), (8, 0))] == ["float32", "float32", "nothing"]
    (turned,) = with_turned_images(graph, "float32").operations
    assert len(turned.card_scratch) == 3
    halves = graph_of(convolving(), "mixed_float16")
    assert with_turned_images(halves, "float32") == halves


def test_what_grappler_has_laid_out_and_volumes_stay_as_they_are():
    for asked in (ASKED._replace(channels_last=False), ASKED._replace(image=(8, 8, 8))):
        graph = graph_of(convolving(asked))
        assert turned_on(graph, (7, 5)) == "nothing"
        assert with_turned_images(graph, "all") == graph


@pytest.mark.parametrize(
    ("direction", "inputs", "output", "copies"),
    [
        ("forward", (IMAGE, FILTERS), RESULT, (IMAGE, RESULT)),
        ("image", (SHAPE, FILTERS, RESULT), IMAGE, (RESULT,)),
        ("filter", (IMAGE, SHAPE, RESULT), FILTERS, (IMAGE, RESULT)),
    ],
)
def test_image_and_result_are_copied_and_cudnn_sees_channels_first(direction, inputs, output, copies):
    asked = ASKED._replace(direction=direction)
    operation = replace(convolving(asked), inputs=inputs, outputs=(output,))
    (turned,) = with_turned_images(graph_of(operation), "all").operations
    assert turned.card_scratch == (SIZES[FILTERS], *(SIZES[tensor] for tensor in copies))
    assert turned.convolution == asked._replace(channels_last=False)
