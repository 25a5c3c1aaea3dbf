"""Attention's scores, counted by hand.  Against real traces: tests/worker/tracing/test_precision."""

from dataclasses import replace

from app.core.simulate.attention import scores_in_full
from app.core.simulate.precision import cast_graph
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import chain_graph

PLACES, SCORES, VALUES = PerBatch(0, 64), PerBatch(0, 4096), PerBatch(0, 256)
STEP = (
    ("Einsum", (0, 1), 2, SCORES, "forward"),
    ("Mul", (2,), 3, SCORES, "forward"),
    ("Softmax", (3,), 4, SCORES, "forward"),
    ("Einsum", (4, 0), 5, VALUES, "forward"),
    ("Einsum", (5, 0), 6, SCORES, "backward"),
    ("Mul", (6, 4), 7, SCORES, "backward"),
    ("Sum", (7,), 8, PLACES, "backward"),
    ("Sub", (6, 8), 9, SCORES, "backward"),
    ("Mul", (9, 4), 10, SCORES, "backward"),
    ("Einsum", (10, 1), 11, VALUES, "backward"),
    ("Einsum", (4, 5), 12, VALUES, "backward"),
)
"""What one function computes of two values, with its gradient: kind, inputs, output, its size, phase."""


def attention(layer=None):
    """A step of it, in which a layer of its own may normalise the scores."""
    operations = [
        Operation(kind, inputs, (made,), phase, layer if kind == "Softmax" else None)
        for kind, inputs, made, _, phase in STEP
    ]
    sizes = (VALUES, VALUES, *(size for *_, size, _ in STEP))
    return replace(chain_graph(), operations=tuple(operations), sizes=sizes, variables=(), input_tensors=())


def test_what_lies_between_the_products_keeps_its_width_both_ways():
    assert {STEP[i][0] for i in scores_in_full(attention())} == {"Mul", "Softmax", "Sum", "Sub"}
    assert scores_in_full(attention()) == {1, 2, 5, 6, 7, 8}


def test_a_layer_that_normalises_goes_by_its_policy():
    assert scores_in_full(attention(layer=0)) == frozenset()


def test_scores_are_cast_after_the_one_product_and_before_the_other():
    graph = attention()
    halves = replace(graph, operations=(Operation("Relu", (0,), (0,), "forward", 0), *graph.operations))
    mixed = cast_graph(halves, "mixed_float16")
    made = {op.outputs[0]: op for op in mixed.operations}
    softmax = next(op for op in mixed.operations if op.kind == "Softmax")
    assert mixed.sizes[softmax.outputs[0]] == SCORES
    products = [op for op in mixed.operations if op.kind == "Einsum"]
    assert mixed.sizes[products[0].outputs[0]] == SCORES.times(0.5)
    second = next(op for op in products if mixed.sizes[op.outputs[0]] == VALUES.times(0.5))
    assert made[second.inputs[0]].kind == "Cast"
    assert made[second.inputs[0]].inputs == softmax.outputs
