"""A step on PyTorch, counted by hand: which of its moments is the worst."""

from dataclasses import replace

import pytest

from app.core.simulate.torch_step import UPDATES, TorchStep
from app.core.types.stepgraph import Layer
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

GRAPH = chain_graph()
GRADIENTS = 2 * WEIGHT_BYTES
RESIDENT = 1000


@pytest.mark.parametrize(("rule", "lists"), [("sgd", 0), ("adam", 3), ("nadam", 5), ("rmsprop+centered", 3)])
def test_the_update_of_all_weights_at_once_makes_lists_as_large_as_these(rule, lists):
    assert TorchStep(GRAPH, rule).peak_bytes(1, RESIDENT) >= RESIDENT + (1 + lists) * GRADIENTS
    if lists:
        assert TorchStep(GRAPH, rule).peak_bytes(1, RESIDENT) == RESIDENT + (1 + lists) * GRADIENTS


def test_an_optimizer_that_goes_weight_by_weight_needs_room_for_one():
    peak = TorchStep(GRAPH, "adafactor").peak_bytes(1, 0)
    assert "adafactor" not in UPDATES
    assert peak == GRADIENTS + 5 * WEIGHT_BYTES


def test_old_gradients_lie_beside_all_results_when_the_forward_pass_ends():
    results = 2 * 10_000 * SAMPLE_BYTES
    step = TorchStep(GRAPH, "sgd")
    assert step.parts(10_000) == (results, 0, GRADIENTS)
    assert step.peak_bytes(10_000, RESIDENT) >= RESIDENT + GRADIENTS + results


def test_a_large_loss_is_the_worst_moment_of_all():
    batch = 10_000
    results, loss = 2 * batch * SAMPLE_BYTES, 6 * batch * SAMPLE_BYTES
    assert TorchStep(GRAPH, "sgd").peak_bytes(batch, 0) == results + loss


def test_weights_of_convolutions_are_turned_and_all_are_halved_in_16_bits():
    kernels = tuple(replace(v, shape=(10, 10, 100, 100)) for v in GRAPH.variables)
    layers = tuple(Layer(name, "Conv2D", 0, 0) for name in "ab")
    convolutions = replace(GRAPH, variables=kernels, layers=layers)
    copies = {
        precision: TorchStep(replace(graph, precision=precision), "sgd").parts(0).kept
        for graph, precision in ((convolutions, "float32"), (GRAPH, "mixed_bfloat16"))
    }
    assert copies == {"float32": GRADIENTS, "mixed_bfloat16": GRADIENTS // 2}
    assert TorchStep(GRAPH, "sgd").parts(0).kept == 0


def test_scaled_gradients_are_scaled_back_into_a_list_of_their_own():
    plain, scaled = (TorchStep(replace(GRAPH, precision=p), "adam") for p in ("mixed_bfloat16", "mixed_float16"))
    assert scaled.peak_bytes(1, 0) - plain.peak_bytes(1, 0) == GRADIENTS


def test_without_training_nothing_is_kept_but_results():
    step = TorchStep(replace(GRAPH, mode="predict"), "adam")
    assert step.peak_bytes(10, RESIDENT) == RESIDENT + 2 * 10 * SAMPLE_BYTES
    assert step.parts(10) == (2 * 10 * SAMPLE_BYTES, 0, 0)
