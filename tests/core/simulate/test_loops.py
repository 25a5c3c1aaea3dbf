"""Gradients of a recurrent layer's weights that wait to be added up."""

from dataclasses import replace

import pytest

from app.core.simulate.loops import bytes_in_flight, lists_that_come_in, products_in_flight, without_unread_notes
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.types.stepgraph import Loop, Operation, PerBatch
from tests.core.graphs import chain_graph

WEIGHT = 0


def graph(*loops, kind="MatMul"):
    """Each loop makes a product of a weight's size and one that grows with the batch."""
    weights = tuple(Operation(kind, (), (2 * n,), "backward", loop=n) for n in range(len(loops)))
    states = tuple(Operation("MatMul", (), (2 * n + 1,), "backward", loop=n) for n in range(len(loops)))
    return replace(
        chain_graph(layers=1),
        sizes=(PerBatch(1024), PerBatch(0, 64)) * len(loops),
        operations=weights + states,
        variables=(),
        input_tensors=(),
        constants=(),
        outputs=(),
        loops=loops,
    )


def test_one_loop_on_two_threads_meets_a_thief_in_the_middle():
    assert products_in_flight(graph(Loop(80, 32, 0)), threads=2) == {WEIGHT: 16}


def test_as_many_loops_as_threads_leave_nobody_to_steal():
    loop = Loop(80, 32, stage=0)
    assert products_in_flight(graph(loop, loop), threads=2) == {0: 32, 2: 32}
    assert products_in_flight(graph(loop, loop), threads=1) == {0: 32, 2: 32}


def test_the_more_threads_the_fewer_wait():
    assert products_in_flight(graph(Loop(80, 32, 0)), threads=8) == {WEIGHT: 4}
    assert products_in_flight(graph(Loop(80, 32, 0)), threads=32) == {}


@pytest.mark.parametrize("kind", ["MatMul", "Conv2DBackpropFilter"])
def test_products_and_filter_gradients_wait(kind):
    assert products_in_flight(graph(Loop(10, 10, 0), kind=kind), threads=1) == {WEIGHT: 10}


def test_nothing_waits_on_a_card_or_in_a_compiled_step():
    assert products_in_flight(graph(Loop(80, 32, 0)), threads=None) == {}


def test_what_waits_is_counted_in_the_program():
    sizes = {
        kernels: max(
            b.size.fixed
            for b in build_program(graph(Loop(80, 32, 0)), "sgd", LoweringOptions(kernels=kernels, threads=2)).buffers
        )
        for kernels in ("host", "card", "xla")
    }
    assert sizes == {"host": 16 * 1024, "card": 1024, "xla": 1024}


def test_forward_loops_leave_no_products():
    assert products_in_flight(graph(Loop(80, 32)), threads=1) == {}


def test_layers_one_after_the_other_are_not_counted_together():
    stacked, both = graph(Loop(80, 32, 0), Loop(80, 32, 1)), graph(Loop(80, 32, 0), Loop(80, 32, 0))
    assert bytes_in_flight(stacked, threads=2) == (15 * 1024, 16 * 1024)
    assert bytes_in_flight(both, threads=2) == (2 * 31 * 1024, 0)
    assert bytes_in_flight(both, threads=None) == (0, 0)


def test_a_later_loop_notes_its_states_only_once_there_are_elements_to_work_on():
    """Two loops, the second of which takes what the first one made; both note zeros in their first turn."""
    zeros, first, made, second, notes_first, notes_second, element, other, ended = range(9)
    operations = (
        Operation("Fill", (), (zeros,)),
        Operation("TensorListFromTensor", (), (first,)),
        Operation("TensorListGetItem", (first,), (element,), loop=0),
        Operation("TensorListPushBack", (zeros,), (notes_first,), loop=0),
        Operation("LoopEnd", (first,), (ended,)),
        Operation("TensorListStack", (ended,), (made,)),
        Operation("TensorListFromTensor", (made,), (second,)),
        Operation("TensorListGetItem", (second,), (other,), loop=1),
        Operation("TensorListPushBack", (zeros,), (notes_second,), loop=1),
    )
    two = (Loop(4), Loop(4))
    looped = replace(graph(*two), operations=operations, sizes=(PerBatch(0, 8),) * 9, loops=two)
    assert lists_that_come_in(looped) == {1: (second,)}
    program = build_program(looped, "sgd", LoweringOptions(kernels="host"))
    notes = [op for op in program.ops if op.kind == "TensorListPushBack"]
    waits_for = [{program.ops[i].kind for i in op.after} for op in notes]
    assert "TensorListFromTensor" not in waits_for[0]
    assert "TensorListFromTensor" in waits_for[1]


def noting(*, reader=None, stack=False):
    """A loop notes something, and that of its gradients takes it back, for a reader or for nobody."""
    operations = [
        Operation("EmptyTensorList", (), (0,)),
        Operation("TensorListPushBack", (0, 7), (1,), loop=0),
        Operation("LoopEnd", (1,), (2,), loop=0),
        Operation("TensorListPopBack", (2,), (3, 4), "backward", loop=1),
        Operation("Placeholder", (), (5,), "backward", control=(3,), loop=1),
        Operation("LoopEnd", (3,), (6,), "backward", loop=1),
    ]
    operations += [Operation(reader, (5,), (8,), "backward", loop=1)] if reader else []
    operations += [Operation("TensorListStack", (2,), (9,))] if stack else []
    sizes = (PerBatch(), *[PerBatch(0, 640)] * 3, PerBatch(), PerBatch(0, 64), *[PerBatch(0, 64)] * 4)
    return replace(graph(Loop(10), Loop(10)), operations=tuple(operations), sizes=sizes)


def kinds(step):
    return [op.kind for op in step.operations]


def test_what_a_loop_notes_for_nobody_is_not_noted_on_a_card():
    assert "TensorListPushBack" not in kinds(without_unread_notes(noting()))
    assert "TensorListPopBack" not in kinds(without_unread_notes(noting()))
    taken = {kernels: build_program(noting(), "sgd", LoweringOptions(kernels=kernels)) for kernels in ("card", "host")}
    most = {kernels: max(b.size.per_sample for b in program.buffers) for kernels, program in taken.items()}
    assert most["card"] <= 64
    assert most["host"] == 640


def test_what_no_loop_takes_back_stays_noted():
    step = noting()
    forward = replace(step, operations=step.operations[:3])
    assert without_unread_notes(forward) == forward


@pytest.mark.parametrize("how", [{"reader": "Mul"}, {"stack": True}])
def test_what_somebody_reads_is_noted(how):
    step = noting(**how)
    assert kinds(without_unread_notes(step)).count("TensorListPushBack") == 1
    assert ("TensorListPopBack" in kinds(without_unread_notes(step))) is ("reader" in how)
