"""The update of a volume's filter, computed on turned copies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.simulate.optimizer_recipes import RECIPES
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.turned_updates import VOLUME_GRADIENT, with_turned_gradient
from app.core.simulate.update_notation import operations
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import PerBatch
from tests.core.graphs import chain_graph


def lines(stages):
    return [f"{op.output or ''} {op.kind} {' '.join(op.inputs)}".strip() for stage in stages for op in stage]


def test_sgd_turns_the_gradient_and_turns_the_product_back():
    assert lines(with_turned_gradient([operations("t1 = Mul g\nAssignSub w t1")])) == [
        "g turned Transpose g",
        "t1 Mul g turned",
        "t1 back Transpose t1",
        "AssignSub w t1 back",
    ]


def test_adam_turns_each_slot_before_it_changes_and_the_gradient_once():
    """As TensorFlow's graph of a small U-net of volumes has it, op by op on an emulated T4."""
    found = lines(with_turned_gradient([RECIPES["adam"].update]))
    assert found[:5] == [
        "g turned Transpose g",
        "m turned Transpose m",
        "t1 Sub g turned m turned",
        "t2 Mul t1",
        "t2 back Transpose t2",
    ]
    assert sum("Transpose" in line for line in found) == 5
    assert found[-5:] == ["t6 Mul m", "t7 Sqrt v", "t8 Add t7", "t9 Div t6 t8", "AssignSub w t9"]


def test_a_product_that_meets_no_gradient_is_turned_where_it_does():
    found = lines(with_turned_gradient([RECIPES["rmsprop"].update]))
    assert found.index("t1 turned Transpose t1") < found.index("t4 Add t1 turned t3")


def test_a_sum_of_what_is_turned_is_a_number_like_any_other():
    clipped = operations("s = Square g\nn/scalar = Sum s\ng = Mul g n\nt1 = Mul g\nAssignSub w t1")
    assert lines(with_turned_gradient([clipped[:2], clipped[2:]]))[2:] == [
        "n Sum s",
        "g Mul g turned n",
        "t1 Mul g",
        "t1 back Transpose t1",
        "AssignSub w t1 back",
    ]


@pytest.mark.parametrize(("kernels", "last", "turned"), [("card", False, 5), ("card", True, 0), ("host", False, 0)])
def test_only_on_a_card_that_has_channels_first(kernels, last, turned):
    graph = chain_graph()
    gradient = next(v.gradient for v in graph.variables if v.gradient is not None)
    sides = (4, 4, 4)
    asked = Convolution("filter", last, 0, 1, 8, 8, 1, sides, (3,) * 3, sides, (1,) * 3, (1,) * 3, (1,) * 3)
    made = [
        replace(op, kind=VOLUME_GRADIENT, convolution=asked) if gradient in op.outputs else op
        for op in graph.operations
    ]
    program = build_program(replace(graph, operations=tuple(made)), "adam", LoweringOptions(kernels=kernels))
    copies = [op for op in program.ops if op.kind == "Transpose" and op.phase == "update"]
    assert len(copies) == turned
    assert all(program.buffers[op.writes[0]].size > PerBatch() for op in copies)
