"""GELU's error function, which kernels take in by parts."""

import pytest

from app.core.simulate.xla.card import CardCompiler
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.simulate.xla.test_lowering import IMAGE, module_of

AMPERE = CardCompiler((8, 6))
INSTRUCTIONS = 40
"""Of float32, casts left out (the compiler's own words, before ``priority-fusion``)."""


def erfc(**how):
    return module_of((Operation("Erfc", (0,), (1,)),), (IMAGE, IMAGE), input_tensors=(0,), outputs=(1,), **how)


def computed(module):
    return [n for n in module.instructions if n.opcode in ("map", "multiply", "costly")]


def test_a_card_computes_it_instruction_by_instruction():
    made = computed(erfc(card=AMPERE))
    assert len(made) == INSTRUCTIONS
    assert sum(n.item_bytes == 1 for n in made) == 2  # is it large, is it negative
    assert sum(n.opcode == "costly" for n in made) == 3  # an exponential, two quotients
    assert len(computed(erfc())) == 4


def test_numbers_of_16_bits_are_widened_for_it():
    operations = (Operation("Cast", (0,), (1,)), Operation("Erfc", (1,), (2,)))
    sizes = (IMAGE.times(2), IMAGE, IMAGE)
    module = module_of(operations, sizes, input_tensors=(0,), outputs=(2,), card=AMPERE, precision="mixed_float16")
    narrow, *wide, result = computed(module)
    assert {n.size for n in wide if n.item_bytes == 4} == {IMAGE.times(2)}
    assert narrow.size == result.size == IMAGE


@pytest.mark.parametrize(("viewed", "rereads"), [(True, 1), (False, 0)])
def test_what_comes_from_a_product_is_seen_in_its_own_shape_first(viewed, rereads):
    """(x w) as rows, then as an image, of which each instruction reads what it needs anew."""
    rows = (Operation("MatMul", (0, 1), (2,)), Operation("Reshape", (2,), (3,)))
    operations = (
        *(rows if viewed else ()),
        Operation("Neg", (3 if viewed else 0,), (4,)),
        Operation("Erfc", (4,), (5,)),
    )
    sizes = (IMAGE, PerBatch(400), IMAGE, IMAGE, IMAGE, IMAGE)
    module = module_of(operations, sizes, input_tensors=(0, 1), outputs=(5,), card=AMPERE)
    assert len(module.reread) == rereads


def test_of_numbers_alone_nothing_is_seen_in_another_shape():
    """A choice between what is no image at all."""
    operations = (Operation("Const", (), (0,)), Operation("Neg", (0,), (1,)), Operation("Erfc", (1,), (2,)))
    assert not module_of(operations, (IMAGE, IMAGE, IMAGE), outputs=(2,), card=AMPERE).reread
