from dataclasses import replace

import pytest

from app.core.simulate.precision import cast_graph
from app.core.simulate.program_builder import build_program
from app.core.simulate.xla.widths import half_buffers
from app.core.types.stepgraph import Layer, Line, Operation
from tests.core.graphs import SAMPLE_BYTES, chain_graph

GRAPH = chain_graph()


def halves(graph, *kinds):
    """Sizes of the 16-bit buffers that operations of these kinds write."""
    program = build_program(graph, "adam", kernels="xla")
    found = half_buffers(program, graph)
    return {program.buffers[b].size for s in program.steps if s.kind in kinds for b in s.writes if b in found}


def test_nothing_has_16_bits_in_float32():
    assert half_buffers(build_program(GRAPH, "adam", kernels="xla"), GRAPH) == frozenset()


@pytest.mark.parametrize("precision", ["mixed_float16", "mixed_bfloat16"])
def test_under_a_mixed_policy_what_is_computed_has_16_bits_and_what_is_kept_32(precision):
    mixed = cast_graph(GRAPH, precision)
    program = build_program(mixed, "adam", kernels="xla")
    found = half_buffers(program, mixed)
    assert found.isdisjoint(range(program.resident))
    forward = {b for s in program.steps if s.kind == "MatMul" and s.phase == "forward" for b in s.writes}
    assert forward
    assert forward <= found
    updates = {b for s in program.steps if s.phase == "update" for b in s.writes}
    assert updates.isdisjoint(found)


def test_under_a_pure_policy_weights_and_slots_have_16_bits():
    pure = cast_graph(GRAPH, "bfloat16")
    program = build_program(pure, "adam", kernels="xla")
    kept = {b for b in range(program.resident) if program.buffers[b].role in ("weights", "optimizer_state")}
    assert kept
    assert kept <= half_buffers(program, pure)


def test_random_numbers_are_as_wide_as_their_layer_computes_and_truth_values_have_no_width():
    sizes = (Line(0, SAMPLE_BYTES), Line(0, SAMPLE_BYTES / 2), Line(0, SAMPLE_BYTES / 2), Line(0, SAMPLE_BYTES / 4))
    operations = (
        Operation("Cast", (0,), (1,), layer=0),
        Operation("StatelessRandomUniformV2", (), (2,), layer=0),
        Operation("GreaterEqual", (2,), (3,), layer=0),
    )
    graph = replace(
        GRAPH, precision="mixed_bfloat16", operations=operations, sizes=sizes, variables=(), input_tensors=(0,)
    )
    assert halves(graph, "StatelessRandomUniformV2") == {sizes[2]}
    assert halves(graph, "GreaterEqual") == set()
    full = replace(graph, layers=(Layer("norm", "BatchNormalization", 0, 1),))
    assert halves(full, "StatelessRandomUniformV2") == set()
