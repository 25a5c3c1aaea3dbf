"""Tiles and passes of a card's kernels, on convolutions of known sides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_kernels import channels_made, tile_share, traffic
from app.core.types.stepgraph import Operation, PerBatch
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
