"""Tensors that are computed once, because they follow from constants alone."""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.memory import StepMemory
from app.core.simulate.folding import MAX_CONSTANT_BYTES, SMALL_CONSTANT_BYTES, foldable, folded
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import chain_graph

CHAIN = chain_graph(layers=3)
LAST = len(CHAIN.sizes) - 1
ONE, TILED, SCALED, ERROR = range(LAST + 1, LAST + 5)
SAMPLE = 100_000
"""Bytes of one sample's share of the gradient of the mean."""


def with_mean():
    """The chain, whose first gradient is multiplied with that of a mean: a constant tiled over the batch."""
    constant = (
        Operation("Const", (), (ONE,), "backward"),
        Operation("Tile", (ONE,), (TILED,), "backward"),
        Operation("RealDiv", (TILED, ONE), (SCALED,), "backward"),
    )
    start = next(i for i, op in enumerate(CHAIN.operations) if op.kind == "Sigmoid")
    error = Operation("Mul", (CHAIN.operations[start].outputs[0], SCALED), (ERROR,), "backward")
    operations = (*CHAIN.operations[: start + 1], *constant, error, *CHAIN.operations[start + 1 :])
    sizes = (*CHAIN.sizes, PerBatch(4), PerBatch(0, SAMPLE), PerBatch(0, SAMPLE), PerBatch(0, SAMPLE))
    return replace(CHAIN, operations=operations, sizes=sizes)


GRAPH = with_mean()


def test_what_follows_from_constants_alone_and_is_read_by_something_else_can_be_folded():
    assert foldable(GRAPH) == (SCALED,)
    assert foldable(CHAIN) == ()


def test_random_numbers_and_the_start_of_a_loop_are_never_folded():
    for kind in ("RandomUniform", "Fill", "TensorListReserve"):
        made = [replace(op, kind=kind) if op.outputs == (TILED,) else op for op in GRAPH.operations]
        assert foldable(replace(GRAPH, operations=tuple(made))) == ()


def test_a_large_tensor_stays_a_computation_and_a_tiny_one_does_not_matter():
    most = MAX_CONSTANT_BYTES // SAMPLE
    assert folded(GRAPH, (SCALED,), most) == {SCALED}
    assert not folded(GRAPH, (SCALED,), most + 1)
    assert not folded(GRAPH, (ONE,), 1)
    assert SMALL_CONSTANT_BYTES < SAMPLE


def test_a_folded_constant_lives_before_the_step_and_its_operations_run_all_the_same():
    plain, folding = (
        build_program(GRAPH, "sgd"),
        build_program(GRAPH, "sgd", LoweringOptions(folded=frozenset({SCALED}))),
    )
    assert folding.resident == plain.resident + 1
    assert [op.kind for op in folding.ops] == [op.kind for op in plain.ops]
    constant = next(i for i, b in enumerate(folding.buffers[: folding.resident]) if b.role == "constants")
    readers = [op.kind for op in folding.ops if constant in op.reads]
    assert readers == ["Mul"]


def test_the_step_is_another_one_where_the_constant_becomes_too_large():
    step = StepMemory(GRAPH, "sgd")
    most = MAX_CONSTANT_BYTES // SAMPLE
    lost = step.resident_bytes(most) - step.resident_bytes(most + 1)
    assert lost == most * SAMPLE - sum(GRAPH.sizes[t].per_sample for t in GRAPH.input_tensors)
