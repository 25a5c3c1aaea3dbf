"""Scratch that cuDNN would like: part of the peak where there is room, of what a training needs nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.simulate.convolution_scratch import wishes_of
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.scratch_table import Axes, Grid, Numbers, ScratchTable, Window, code_of
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import PerBatch
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import card, desktop

AXES = Axes(windows=(Window(3, 1),), channels=(64,), filters=(64,), sides=(32,), images=(8, 16, 32, 64, 128, 256))
ASKED = Convolution("forward", False, 0, 1, 64, 64, 1, (32, 32), (3, 3), (32, 32), (1, 1), (1, 1), (1, 1))
OPERANDS_MIB = 0.140625 + 0.5 * 64
"""At 64 images: filter, image and result."""


def convolving():
    """The chain, whose first product is a convolution to cuDNN."""
    graph = chain_graph()
    first = next(i for i, op in enumerate(graph.operations) if op.kind == "MatMul")
    operations = list(graph.operations)
    operations[first] = replace(operations[first], convolution=ASKED)
    return replace(graph, operations=tuple(operations))


def asking(share):
    return ScratchTable({Numbers(4, channels_last=False): {2: Grid(AXES, bytes([code_of(share)]) * AXES.size)}})


def told(share, gib=6.0, batch=64):
    tables = (lambda _capability: asking(share)) if share else (lambda _capability: None)
    workload = Workload(ModelRef("catalog", "chain"), None, Plan(batch_size=batch, jit=False, device="gpu:0"))
    machine = desktop(card(gib=gib, held_gib=0.0))
    return Estimator(convolving(), scratch=tables).predict(workload, machine, Knowledge(), chart=False)


def test_a_step_wishes_what_the_table_says():
    wishes = wishes_of(convolving(), asking(4.0), 64)
    ((_, size),) = wishes.told
    assert size.at(64) == pytest.approx(4 * OPERANDS_MIB * MIB)
    assert wishes.told == wishes.most
    assert wishes_of(convolving(), None, 64).told == frozenset()


def test_the_peak_holds_what_there_is_room_for():
    without, with_scratch = told(None), told(4.0)
    more = with_scratch.memory.allocator_peak_bytes - without.memory.allocator_peak_bytes
    assert more == pytest.approx(4 * OPERANDS_MIB * MIB, rel=0.15)
    assert with_scratch.memory.first_step_peak_bytes > without.memory.first_step_peak_bytes


def test_a_convolution_that_is_a_product_of_matrices_takes_nothing_on_a_card():
    graph = convolving()
    copied = PerBatch(0, 1_000)

    def scratch(kind, convolution):
        operations = [
            replace(op, kind=kind, convolution=convolution, card_scratch=(copied,)) if op.convolution else op
            for op in graph.operations
        ]
        program = build_program(replace(graph, operations=tuple(operations)), "sgd", LoweringOptions(kernels="card"))
        return [op.scratch for op in program.ops if op.kind == kind]

    assert scratch("Conv2DBackpropInput", ASKED) == [(copied, PerBatch())]
    assert scratch("Conv2DBackpropInput", None) == [()]
    assert scratch("_FusedConv2D", None) == [(copied,)]


def test_it_takes_no_batch_away():
    assert told(4.0).fit.max_batch_size == told(None).fit.max_batch_size


def test_what_finds_no_room_is_not_taken_and_said():
    found = told(64.0, gib=2.0)
    assert found.memory.allocator_peak_bytes == told(None, gib=2.0).memory.allocator_peak_bytes
    assert found.memory.wanted_workspace_bytes == pytest.approx(64 * OPERANDS_MIB * MIB)
    assert found.fit.verdict == "tight"
    assert any("workspace" in reason for reason in found.fit.reasons)


def test_what_may_be_there_is_in_the_upper_end():
    """At 100 images the answers around are those for 64 and 128, the same share of other operands."""
    memory = told(4.0, batch=100).memory
    assert memory.low_bytes < memory.allocator_peak_bytes < memory.high_bytes < 3 * GIB
