"""Tiles and passes of a card's kernels, on convolutions of known sides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_kernels import (
    RECURRENT_FLOORS,
    channels_made,
    floors_of,
    launches_of,
    number_bytes,
    tile_share,
    traffic,
    work_of,
)
from app.core.types.stepgraph import Loop, Operation, PerBatch
from tests.core.graphs import chain_graph

SIDE, WINDOW = 8, 3


def convolution(kind: str, before: int, after: int):
    """A graph of one 3x3 convolution of 8x8 pixels, from so many channels to so many, or of one of its gradients."""
    image, kernel, result = (
        PerBatch(0, 4 * SIDE**2 * before),
        PerBatch(4 * WINDOW**2 * before * after, 0),
        PerBatch(0, 4 * SIDE**2 * after),
    )
    shape = PerBatch(16, 0)
    inputs, output = {
        "Conv2D": ((image, kernel), result),
        "Conv2DBackpropInput": ((shape, kernel, result), image),
        "Conv2DBackpropFilter": ((image, shape, result), kernel),
    }[kind]
    flops = PerBatch(0, 2 * SIDE**2 * WINDOW**2 * before * after)
    operation = Operation(kind, tuple(range(len(inputs))), (len(inputs),), flops=flops)
    return replace(chain_graph(), sizes=(*inputs, output), operations=(operation,)), operation


@given(before=st.integers(1, 300), after=st.integers(1, 300))
def test_sizes_tell_the_channels_that_a_convolution_makes(before, after):
    assert channels_made(*convolution("Conv2D", before, after)) == pytest.approx(after)
    assert channels_made(*convolution("Conv2DBackpropInput", before, after)) == pytest.approx(before)
    assert channels_made(*convolution("Conv2DBackpropFilter", before, after)) == pytest.approx(after)


def test_no_other_operation_makes_channels():
    assert channels_made(chain_graph(), Operation("Relu", (0,), (1,))) == 0


def test_a_tile_that_is_not_full_takes_as_long_as_a_full_one():
    plain = tile_share(np.array([6.0, 32.0, 33.0, 0.0]), tensor_cores=False)
    assert plain.tolist() == pytest.approx([32 / 6, 1, 64 / 33, 1])
    assert tile_share(np.array([32.0]), tensor_cores=True).tolist() == [2]


def test_normalisation_over_the_batch_reads_its_data_twice():
    graph = replace(chain_graph(), sizes=(PerBatch(0, 100), PerBatch(0, 10)))
    assert traffic(graph, Operation("FusedBatchNormV3", (0,), (1,))) == PerBatch(0, 210)
    assert traffic(graph, Operation("FusedBatchNormGradV3", (0, 0), (1,))) == PerBatch(0, 410)
    assert traffic(graph, Operation("Relu", (0,), (1,))) == PerBatch(0, 110)


def recurrent(steps: int, units: int = 64, weights: int = 33_000):
    """A recurrent layer in cuDNN and its gradients, of float32, in a graph."""
    sequence, state = PerBatch(0, 4 * steps * units), PerBatch(0, 4 * units)
    sizes = (sequence, state, PerBatch(4 * weights, 0))
    layer = Operation("CudnnRNNV3", (0, 1, 1, 2, 1), (0, 1, 1))
    gradients = Operation("CudnnRNNBackpropV3", (0, 1, 1, 2, 1, 0, 1), (0, 1, 1, 2))
    return replace(chain_graph(), sizes=sizes, operations=(layer, gradients)), layer, gradients


@given(steps=st.integers(1, 500))
def test_a_recurrent_layer_is_two_kernels_for_each_step_and_one_operation(steps):
    graph, layer, gradients = recurrent(steps)
    assert floors_of(graph, layer) == floors_of(graph, gradients) == RECURRENT_FLOORS * 2 * steps
    assert launches_of(graph, layer) == 1
    assert work_of(graph, layer).at(3) == 3 * 2 * 33_000 * steps
    assert work_of(graph, gradients).at(3) == 2 * work_of(graph, layer).at(3)


def test_what_stands_in_a_loop_is_launched_every_time_and_a_list_on_the_host():
    product, push = Operation("MatMul", (0, 0), (0,), loop=0), Operation("TensorListPushBack", (0,), (0,), loop=0)
    graph = replace(chain_graph(), operations=(product, push), loops=(Loop(200),))
    assert (launches_of(graph, product), floors_of(graph, product)) == (200, 200)
    assert (launches_of(graph, push), floors_of(graph, push)) == (200, 0)


def moved_singly(kind: str, precision: str, *bytes_a_sample: int) -> int:
    """Bytes of a number of an operation with these operands and this result, of 1,000 numbers in a sample."""
    sizes = tuple(PerBatch(0, size) for size in bytes_a_sample)
    *inputs, output = range(len(sizes))
    operation = Operation(kind, tuple(inputs), (output,), flops=PerBatch(0, 1_000))
    return number_bytes(replace(chain_graph(), sizes=sizes, operations=(operation,), precision=precision), operation)


def test_kernels_move_several_numbers_at_once_where_all_ends_are_alike_and_of_a_type_that_has_packets():
    assert moved_singly("AddV2", "float32", 4_000, 4_000, 4_000) == 0
    assert moved_singly("AddV2", "mixed_float16", 2_000, 2_000, 2_000) == 0
    assert moved_singly("AddV2", "mixed_bfloat16", 2_000, 2_000, 2_000) == 2
    assert moved_singly("AddV2", "mixed_bfloat16", 4_000, 4_000, 4_000) == 0


def test_what_is_spread_or_added_up_is_moved_number_by_number():
    assert moved_singly("BiasAdd", "float32", 4_000, 40, 4_000) == 4
    assert moved_singly("BiasAdd", "mixed_float16", 2_000, 20, 2_000) == 2
    assert moved_singly("Sum", "float32", 4_000, 40) == 4


def test_kernels_of_libraries_do_not_move_number_by_number():
    assert moved_singly("MatMul", "float32", 4_000, 40, 4_000) == 0
    assert moved_singly("FusedBatchNormV3", "float32", 4_000, 40, 4_000) == 0
