"""What a card's compiler computes again: by hand-made steps whose peaks can be counted."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.xla import recomputation
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.hlo import Instruction, Module, Opcode, Scratch
from app.core.simulate.xla.memory import CompiledMemory
from app.core.simulate.xla.recomputation import MOST_OF_THE_CARD, SEEN_BY_CUDA, SLOP, OrderedStep
from app.core.types.stepgraph import PerBatch
from tests.core.graphs import chain_graph

BATCH = 10


def step_of(*made: tuple[Opcode, int, tuple[int, ...]], outputs: set[int], together=()) -> OrderedStep:
    """A step of instructions of so many bytes a sample, in their order; none is a parameter."""
    instructions = [Instruction(opcode, reads, PerBatch(0, size)) for opcode, size, reads in made]
    kernels = {i: Kernel(n, dict.fromkeys(n.operands, True)) for i, n in enumerate(instructions)}
    return OrderedStep(kernels, list(kernels), together, Module(instructions, outputs=outputs))


def card_that_holds(step: OrderedStep, alive_per_sample: float) -> int:
    """The memory of a card on which so much may be alive beside the results."""
    results = sum(step.module.instructions[i].size.at(BATCH) for i in step.module.outputs)
    return int((alive_per_sample * BATCH / SLOP + results) / MOST_OF_THE_CARD / SEEN_BY_CUDA) + 1


EARLY_ZEROS = (
    ("spread", 40, ()),  # 0: zeros, needed by the last
    ("call", 50, ()),  # 1
    ("call", 30, (1,)),  # 2: with the zeros 120 are alive
    ("scatter", 40, (0, 2)),  # 3
)


def test_what_fits_stays_as_it_is():
    step = step_of(*EARLY_ZEROS, outputs={3})
    assert step.fitted(card_that_holds(step, 120), BATCH) is step


def test_what_nobody_has_read_yet_comes_later():
    step = step_of(*EARLY_ZEROS, outputs={3})
    fitted = step.fitted(card_that_holds(step, 119), BATCH)
    assert [fitted.kernels[i].instruction.opcode for i in fitted.order] == ["call", "call", "spread", "scatter"]
    zeros = fitted.order[2]
    assert set(fitted.kernels[3].operands) == {zeros, 2}
    assert 0 not in fitted.kernels


def test_what_is_read_on_both_sides_of_the_peak_is_made_twice():
    step = step_of(
        ("call", 1, ()), ("map", 40, (0,)), ("call", 50, (1,)), ("call", 30, (2,)), ("call", 1, (0, 1, 3)), outputs={4}
    )
    fitted = step.fitted(card_that_holds(step, 100), BATCH)
    assert [fitted.kernels[i].instruction.opcode for i in fitted.order] == [
        "call",
        "map",
        "call",
        "call",
        "map",
        "call",
    ]
    assert fitted.kernels[4].operands.keys() == {0, fitted.order[4], 3}
    assert fitted.kernels[2].operands.keys() == {1}


def test_what_a_library_makes_and_what_is_a_result_is_kept():
    kept = step_of(("call", 40, ()), ("call", 50, ()), ("call", 30, (1,)), ("call", 1, (0, 2)), outputs={3})
    assert kept.fitted(card_that_holds(kept, 100), BATCH).order == [0, 1, 2, 3]
    result = step_of(("spread", 40, ()), ("call", 50, ()), ("call", 30, (1,)), ("call", 1, (0, 2)), outputs={0, 3})
    assert result.fitted(card_that_holds(result, 100), BATCH).order == [0, 1, 2, 3]


def test_what_would_keep_more_alive_than_it_saves_is_not_made_again():
    step = step_of(
        ("call", 60, ()), ("reduce", 40, (0,)), ("call", 50, (1,)), ("call", 30, (2,)), ("call", 1, (1, 3)), outputs={4}
    )
    assert step.fitted(card_that_holds(step, 100), BATCH).order == [0, 1, 2, 3, 4]


def test_scratch_counts_while_its_kernel_runs():
    step = step_of(*EARLY_ZEROS, outputs={3})
    working = replace(step.kernels[2].instruction, scratch=Scratch(PerBatch(0, 10), 1 << 40))
    step.kernels[2] = Kernel(working, {1: True})
    assert step.fitted(card_that_holds(step, 129), BATCH) is not step
    assert step.fitted(card_that_holds(step, 130), BATCH) is step


def test_scratch_counts_no_further_than_it_is_given():
    step = step_of(*EARLY_ZEROS, outputs={3})
    working = replace(step.kernels[2].instruction, scratch=Scratch(PerBatch(0, 1000), 10))
    step.kernels[2] = Kernel(working, {1: True})
    assert step.fitted(card_that_holds(step, 121), BATCH) is step


def test_what_is_hopeless_is_left_as_it_is():
    step = step_of(*EARLY_ZEROS, outputs={3})
    assert step.fitted(card_that_holds(step, 81), BATCH) is not step
    assert step.fitted(card_that_holds(step, 79), BATCH) is step


def test_a_step_that_would_grow_for_ever_is_left_as_it_is(monkeypatch):
    """Of a network of dense blocks 24,000 samples on an H100 gave up what they had just made again, over and over."""
    step = step_of(
        ("call", 1, ()), ("map", 40, (0,)), ("call", 50, (1,)), ("call", 30, (2,)), ("call", 1, (0, 1, 3)), outputs={4}
    )
    card_bytes = card_that_holds(step, 100)
    assert len(step.fitted(card_bytes, BATCH).order) == 1 + len(step.order)
    monkeypatch.setattr(recomputation, "GROWN_AT_MOST", 1)
    assert step.fitted(card_bytes, BATCH) is step


def test_kernels_that_are_one_are_made_again_together():
    step = step_of(
        ("call", 1, ()),
        ("map", 20, (0,)),
        ("map", 20, (0,)),
        ("call", 50, (1,)),
        ("call", 30, (3,)),
        ("call", 1, (0, 1, 2, 4)),
        outputs={5},
        together=((1, 2),),
    )
    fitted = step.fitted(card_that_holds(step, 100), BATCH)
    again = [group for group in fitted.together if group != (1, 2)]
    assert len(again) == 1
    assert fitted.kernels[5].operands.keys() == {0, *again[0], 4}


def test_zeros_and_their_copy_are_one_kernel_that_may_come_later():
    step = step_of(
        ("spread", 20, ()),
        ("call", 20, (0,)),
        ("call", 50, ()),
        ("call", 30, (2,)),
        ("scatter", 20, (0, 1, 3)),
        outputs={4},
        together=((0, 1),),
    )
    fitted = step.fitted(card_that_holds(step, 100), BATCH)
    assert fitted.kernels[4].operands.keys() == {*fitted.together[-1], 3}
    assert fitted.order[-1] == 4
    assert fitted.order[-3:-1] == list(fitted.together[-1])


def test_trifles_are_not_followed():
    step = step_of(("spread", 1, ()), ("call", 1500, ()), ("call", 600, (1,)), ("scatter", 1, (0, 2)), outputs={3})
    assert step.fitted(card_that_holds(step, 2000), BATCH) is step


@pytest.fixture(scope="module")
def compiled() -> CompiledSteps:
    return CompiledSteps(chain_graph(layers=12), "adam", CardCompiler())


@given(batch=st.integers(1, 4000), card_mib=st.integers(1, 4096))
def test_every_card_has_a_step_and_a_large_one_the_free_one(compiled, batch, card_mib):
    free, fitted = CompiledMemory(compiled), CompiledMemory(compiled, card_mib << 20)
    assert 0 < fitted.block_bytes(batch) <= free.block_bytes(batch)
    assert fitted.resident_bytes(batch) == free.resident_bytes(batch)
    assert compiled.assignment(batch, 1 << 50) is compiled.assignment(batch, None)


def test_what_was_asked_before_does_not_change_an_answer():
    steps = CompiledSteps(chain_graph(layers=12), "adam", CardCompiler())
    assert steps.assignment(128, 1 << 50) is steps.assignment(128, None)
    assert steps.assignment(129, 1 << 50) is steps.assignment(256, None)
