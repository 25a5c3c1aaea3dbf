"""A step in another precision, counted by hand.  Against real traces: tests/worker/tracing/test_precision."""

from dataclasses import replace

import pytest

from app.core.predict.memory import StepMemory
from app.core.simulate.precision import cast_graph
from app.core.types.stepgraph import Layer, Operation, PerBatch
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

CHAIN = chain_graph()
GRAPH = replace(CHAIN, model=replace(CHAIN.model, input_dtypes=("float32",)))


def resident(graph, optimizer="adam"):
    return StepMemory(graph, optimizer).resident_bytes(0)


def test_mixed_precision_halves_activations_and_keeps_weights_and_their_state():
    mixed = cast_graph(GRAPH, "mixed_float16")
    assert resident(mixed) == resident(GRAPH)
    products = [op for op in mixed.operations if op.kind == "MatMul" and op.phase == "forward"]
    assert all(mixed.sizes[op.outputs[0]] == PerBatch(0, SAMPLE_BYTES / 2) for op in products)


def test_every_weight_is_cast_once_and_both_passes_read_that_copy():
    mixed = cast_graph(GRAPH, "mixed_bfloat16")
    reads = {op.outputs[0] for op in mixed.operations if op.kind == "ReadVariableOp"}
    casts = [op for op in mixed.operations if op.kind == "Cast" and op.inputs[0] in reads]
    assert len(casts) == len(reads) == 2
    for cast in casts:
        assert mixed.sizes[cast.outputs[0]] == PerBatch(WEIGHT_BYTES / 2)
        readers = {op.phase for op in mixed.operations if cast.outputs[0] in op.inputs}
        assert readers == {"forward", "backward"}


def test_gradients_arrive_in_the_width_of_their_weight():
    mixed, pure = cast_graph(GRAPH, "mixed_float16"), cast_graph(GRAPH, "float16")
    assert all(mixed.sizes[v.gradient].fixed == WEIGHT_BYTES == v.size_bytes for v in mixed.variables)
    assert all(pure.sizes[v.gradient].fixed == WEIGHT_BYTES / 2 == v.size_bytes for v in pure.variables)


def test_pure_half_precision_halves_everything_but_the_batch():
    assert resident(cast_graph(GRAPH, "bfloat16")) == resident(GRAPH) / 2


def test_normalisation_computes_in_float32():
    layers = (Layer("norm", "LayerNormalization", 0, 10), GRAPH.layers[1])
    graph = replace(GRAPH, layers=layers)
    mixed = cast_graph(graph, "mixed_float16")
    first = next(op for op in mixed.operations if op.kind == "MatMul")
    assert mixed.sizes[first.outputs[0]] == PerBatch(0, SAMPLE_BYTES)


def test_what_leaves_a_normalisation_is_half_for_whoever_has_no_layer():
    sizes = (*GRAPH.sizes, PerBatch(0, SAMPLE_BYTES))
    of_norm = next(op for op in GRAPH.operations if op.kind == "MatMul").outputs[0]
    more = Operation("Sigmoid", (of_norm,), (len(sizes) - 1,), "forward", None)
    layers = (Layer("norm", "LayerNormalization", 0, 10), GRAPH.layers[1])
    mixed = cast_graph(
        replace(GRAPH, layers=layers, sizes=sizes, operations=(*GRAPH.operations, more)), "mixed_float16"
    )
    assert mixed.sizes[len(sizes) - 1] == PerBatch(0, SAMPLE_BYTES / 2)


def test_what_the_loss_computes_stays_wide():
    sizes = (*GRAPH.sizes, PerBatch(0, 400), PerBatch(0, 400), PerBatch(0, 400))
    target, wide, loss = len(sizes) - 3, len(sizes) - 2, len(sizes) - 1
    out = GRAPH.operations[3].outputs[0]
    more = (Operation("Log", (out,), (wide,)), Operation("SquaredDifference", (wide, target), (loss,)))
    graph = replace(
        GRAPH, sizes=sizes, operations=(*GRAPH.operations[:4], *more, *GRAPH.operations[4:]), input_tensors=(0, target)
    )
    mixed = cast_graph(graph, "mixed_float16")
    assert mixed.sizes[wide] == mixed.sizes[loss] == PerBatch(0, 400)


def test_control_dependencies_still_point_at_the_same_operation():
    waiting = replace(GRAPH.operations[-1], control=(3,))
    mixed = cast_graph(replace(GRAPH, operations=(*GRAPH.operations[:-1], waiting)), "mixed_float16")
    last = mixed.operations[-1] if mixed.operations[-1].control else mixed.operations[-2]
    assert [mixed.operations[i].outputs for i in last.control] == [GRAPH.operations[3].outputs]


@pytest.mark.parametrize("kind", ["TensorListPushBack", "LoopEnd"])
def test_loops_need_a_trace(kind):
    assert cast_graph(replace(GRAPH, operations=(*GRAPH.operations, Operation(kind, (0,), ()))), "float16") is None


def test_only_float32_can_be_cast():
    mixed = cast_graph(GRAPH, "mixed_float16")
    assert cast_graph(mixed, "mixed_float16") is mixed
    assert cast_graph(mixed, "bfloat16") is None
    assert "16-bit" in mixed.model.assumptions[-1]


@pytest.mark.parametrize("kind", ["SparseSoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits", "Log1p"])
def test_a_loss_of_large_logits_is_another_one_in_half_precision(kind):
    def with_loss(bytes_of_logits):
        sizes = (*GRAPH.sizes, PerBatch(0, bytes_of_logits), PerBatch(0, 4))
        logits, loss = len(sizes) - 2, len(sizes) - 1
        out = GRAPH.operations[3].outputs[0]
        more = (Operation("MatMul", (out,), (logits,), layer=1), Operation(kind, (logits,), (loss,)))
        return replace(GRAPH, sizes=sizes, operations=(*GRAPH.operations, *more))

    assert cast_graph(with_loss(SAMPLE_BYTES), "mixed_bfloat16") is None
    assert cast_graph(with_loss(40), "mixed_bfloat16") is not None


def test_truth_values_are_of_no_width_however_they_are_moved():
    whole, mask, moved, chosen = range(len(GRAPH.sizes), len(GRAPH.sizes) + 4)
    sizes = (*GRAPH.sizes, PerBatch(0, 4 * 25), PerBatch(0, 25), PerBatch(0, 25), PerBatch(0, SAMPLE_BYTES))
    value = next(op for op in GRAPH.operations if op.kind == "MatMul").outputs[0]
    more = (
        Operation("Placeholder", (), (whole,)),
        Operation("Cast", (whole,), (mask,), layer=0),
        Operation("ExpandDims", (mask,), (moved,)),
        Operation("SelectV2", (moved, value, value), (chosen,), layer=0),
    )
    mixed = cast_graph(replace(GRAPH, sizes=sizes, operations=(*GRAPH.operations, *more)), "mixed_float16")
    assert mixed.sizes[mask] == mixed.sizes[moved] == PerBatch(0, 25)
    assert mixed.sizes[chosen] == PerBatch(0, SAMPLE_BYTES / 2)
    assert next(op for op in mixed.operations if op.kind == "SelectV2").inputs[0] == moved
