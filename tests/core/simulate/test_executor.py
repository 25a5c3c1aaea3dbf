"""The order of operations: what a thread can take at once, and what waits for a copy on a card."""

from __future__ import annotations

from dataclasses import replace

from app.core.simulate.executor import execute
from app.core.simulate.program import Op, Program
from app.core.types.stepgraph import PerBatch

SIZE = PerBatch(1024)


def program_of(first, follower):
    """A batch, and operations on it in two branches: one with a follower, and three that run one after the other."""
    program = Program(on_card=True)
    batch = program.add_buffer(SIZE, "inputs")
    program.inputs, program.resident = (batch,), 1

    def add(kind, reads, *after):
        return program.add_op(Op(kind, (reads,), (program.add_buffer(SIZE, "activations"),), after))

    add(follower, batch + 1, add(first, batch))
    add("Log", batch, add("Exp", batch, add("Tanh", batch)))
    return program


def order_of(program, *, on_host=False):
    """The operations in the order in which they take memory."""
    made = execute(program, threads=1, on_host=on_host)
    return list(dict.fromkeys(by for event, by in zip(made.events, made.by, strict=True) if event >= made.resident))


def with_cast_before(program):
    """The same with a batch that is cast first."""
    cast = program.add_buffer(SIZE, "activations")
    program.ops.insert(0, Op("Cast", (0,), (cast,), ()))
    for op in program.ops[1:]:
        op.after = tuple(number + 1 for number in op.after) or (0,)
        op.reads = tuple(cast if buffer == 0 else buffer for buffer in op.reads)
    return program


def test_random_numbers_wait_on_a_card_for_their_seed():
    program = program_of("Sigmoid", "StatelessRandomGetKeyCounter")
    assert order_of(program)[-1] == 1
    assert order_of(program, on_host=True)[-1] != 1


def test_what_a_batch_names_is_looked_up_when_its_numbers_are_copied_to_the_card():
    program = program_of("Less", "GatherV2")
    assert order_of(program)[-1] == 1


def test_a_batch_that_was_cast_is_on_the_card():
    program = program_of("Less", "GatherV2")
    assert order_of(with_cast_before(program))[-1] != 2


def backward_of(*update):
    """What a layer's gradient leads to: the gradients of its weight and of the layer before, and then an update."""
    program = Program(on_card=True)
    program.add_buffer(SIZE, "inputs")
    program.inputs, program.resident = (0,), 1

    def add(kind, reads, layer, phase="backward", after=(), writes=1):
        made = tuple(program.add_buffer(SIZE, "gradients") for _ in range(writes))
        return program.add_op(Op(kind, reads, made, after, phase=phase, layer=layer))

    given = add("ReluGrad", (0,), 1)
    weights = add("Conv2DBackpropFilter", (1,), 1, after=(given,))
    image = add("Conv2DBackpropInput", (1,), 1, after=(given,))
    add("MatMul", (3,), 0, after=(image,))
    returned = add("Identity", (2,), 1, after=(weights,), writes=0)
    for kind in update:
        add(kind, (2,), 1, "update", after=(returned,))
    return program, weights, image


def test_where_the_loss_is_scaled_what_leads_on_comes_first():
    program, weights, image = backward_of("IsFinite")
    order = order_of(program)
    assert order.index(image) < order.index(weights)
    program, weights, image = backward_of("Mul")
    order = order_of(program)
    assert order.index(weights) < order.index(image)


def test_an_update_follows_its_gradient_at_once_on_a_card():
    program, *_ = backward_of("Sum")
    kinds = [program.ops[index].kind for index in order_of(program)]
    assert kinds == ["ReluGrad", "Conv2DBackpropFilter", "Conv2DBackpropInput", "Sum", "MatMul"]


def test_on_a_card_a_gradient_is_handed_on_before_the_traced_function_ends():
    program, *_ = backward_of("Sum")
    ends = program.add_op(Op("NoOp", (), (), (3,)))
    for op in program.ops:
        if op.kind == "Identity":
            op.after = (*op.after, ends)
    kinds = [program.ops[index].kind for index in order_of(program)]
    assert kinds == ["ReluGrad", "Conv2DBackpropFilter", "Conv2DBackpropInput", "Sum", "MatMul"]


def test_a_card_gives_the_batch_back_when_its_last_reader_has_read_it():
    program = program_of("Sigmoid", "Less")
    assert ~0 in execute(program, threads=1, on_host=False).events
    assert ~0 not in execute(replace(program, on_card=False), threads=1).events
