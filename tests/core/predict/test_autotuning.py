"""What the counter of a card shows beyond what a training needs: scratch that was tried."""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.autotuning import GUARDS_BYTES, WORKSPACE_LIMIT_BYTES, fft_bytes, shown_peak_bytes
from app.core.types.stepgraph import ModelFacts, Operation, PerBatch, StepGraph, Variable
from app.core.types.text import Text
from app.core.types.units import MIB

FACTS = ModelFacts("made up", Text(), 0, 0, ())


def convolution(side: int, channels: int, filters: int, *, rows: int = 3, stride: int = 1, wish: float = 0):
    """A step of one float32 convolution."""
    image, result = 4 * side**2 * channels, 4 * (side // stride) ** 2 * filters
    shape = (rows, rows, channels, filters)
    kernel = Variable("kernel", shape, "float32", 4 * rows**2 * channels * filters, trainable=True, layer=0)
    op = Operation("Conv2D", (0,), (1,), layer=0, wanted_workspace=PerBatch(0, wish))
    sizes = PerBatch(0, image), PerBatch(0, result)
    return StepGraph(FACTS, "float32", "train", (kernel,), (), sizes, (op,))


def fft(graph, batch_size=8):
    return fft_bytes(graph, graph.operations[0], graph.variables[0].shape, batch_size)


def test_the_filters_of_a_residual_network_alone_take_a_gibibyte():
    found = fft(convolution(7, 512, 512))
    assert 1088 * MIB < found < 1130 * MIB
    assert fft(convolution(7, 512, 512), 1) > 1088 * MIB


def test_kernels_that_transform_take_neither_strides_nor_single_points():
    assert fft(convolution(56, 64, 64, rows=1)) == 0
    assert fft(convolution(56, 64, 64, stride=2)) == 0


def test_what_is_tried_is_shown_on_top_of_the_first_step():
    graph = convolution(56, 64, 64, wish=MIB)
    shown = shown_peak_bytes(graph, 8, first_bytes=900 * MIB, resident_bytes=100 * MIB, xla=False)
    result = 8 * graph.sizes[1].per_sample
    assert shown == 900 * MIB + int(result + fft(graph) + 2 * GUARDS_BYTES)


def test_a_step_without_convolutions_shows_what_it_needs():
    graph = replace(convolution(56, 64, 64), operations=())
    assert shown_peak_bytes(graph, 8, first_bytes=7, resident_bytes=5, xla=False) == 7
    assert shown_peak_bytes(graph, 8, first_bytes=7, resident_bytes=5, xla=True) == 7


def test_a_compiled_step_is_tried_before_it_runs():
    graph = convolution(56, 64, 64)
    one = shown_peak_bytes(graph, 8, first_bytes=4096 * MIB, resident_bytes=100 * MIB, xla=True)
    assert one == 4096 * MIB
    assert shown_peak_bytes(graph, 8, first_bytes=1, resident_bytes=100 * MIB, xla=True) > 132 * MIB


def test_scratch_above_the_limit_is_not_tried():
    graph = convolution(14, 2048, 2048)
    assert fft(graph) > WORKSPACE_LIMIT_BYTES
    shown = shown_peak_bytes(graph, 1, first_bytes=0, resident_bytes=0, xla=False)
    assert shown == int(graph.sizes[1].per_sample) + 2 * GUARDS_BYTES


def test_16_bits_are_computed_with_channels_last_and_transform_nothing():
    graph = convolution(56, 64, 64)
    half = replace(graph, precision="mixed_float16")
    full, less = (shown_peak_bytes(g, 8, first_bytes=0, resident_bytes=0, xla=False) for g in (graph, half))
    assert full - less == int(fft(graph))
