"""The optimizer's part of a step: in which order its operations may run, and where its slots come to lie."""

from __future__ import annotations

from dataclasses import replace

from app.core.simulate.program_builder import LoweringOptions, build_program
from tests.core.graphs import chain_graph

GRAPH = chain_graph(layers=7)
ON_CARD, ON_HOST = LoweringOptions(kernels="card"), LoweringOptions(kernels="host")


def test_on_a_card_weights_decay_together_since_all_wait_for_the_learning_rate():
    program = build_program(GRAPH, "adamw", ON_CARD)
    decay = next(op for op in program.ops if op.phase == "update" and op.kind == "Mul" and op.layer is not None)
    (rate,) = decay.after
    assert (program.ops[rate].kind, program.ops[rate].after) == ("ReadVariableOp", ())
    assert sum(op.after == (rate,) for op in program.ops) == 7


def test_on_a_card_what_a_slot_has_become_is_read_before_it_is_used():
    program = build_program(GRAPH, "adam", ON_CARD)
    (change, *_) = (n for n, op in enumerate(program.ops) if op.kind == "AssignAddVariableOp")
    followers = [op.kind for op in program.ops if change in op.after]
    assert followers == ["ReadVariableOp"]
    on_host = build_program(GRAPH, "adam", ON_HOST)
    (change, *_) = (n for n, op in enumerate(on_host.ops) if op.kind == "AssignAddVariableOp")
    assert "ReadVariableOp" not in [op.kind for op in on_host.ops if change in op.after]


def owners_of(program):
    """Whose the slots are, in the order in which they are made."""
    return [b.owner for b in program.buffers[: program.resident] if b.role == "optimizer_state"]


def test_slots_of_a_card_are_made_in_the_order_of_the_names_that_numbers_make():
    assert owners_of(build_program(GRAPH, "adam", ON_CARD)) == [0, 0, 5, 5, 6, 6, 1, 1, 2, 2, 3, 3, 4, 4]
    assert owners_of(build_program(GRAPH, "adam", ON_HOST)) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_the_scale_of_a_loss_comes_before_the_slots():
    scaled = replace(GRAPH, precision="mixed_float16")
    assert owners_of(build_program(scaled, "adam", ON_CARD)) == [4, 4, 5, 5, 6, 6, 0, 0, 1, 1, 2, 2, 3, 3]
