from app.core.simulate.xla.bfloat16 import keep_wide
from tests.core.xla_modules import IMAGE, Maker

HALF = IMAGE.times(1 / 2)


def chain(*, last):
    """A value of 16 bits that an element-wise instruction and another one read."""
    make = Maker()
    given = make.add("call", size=HALF, item_bytes=2)
    value = make.add("multiply", given, size=HALF, item_bytes=2)
    view = make.add("bitcast", value, size=HALF, item_bytes=2)
    make.root(make.add("map", value, size=HALF, item_bytes=2), make.add(last, view, size=HALF, item_bytes=2))
    return make.module.instructions, make.module, value, view


def test_what_is_only_computed_with_stays_in_float32():
    instructions, module, value, _ = chain(last="reduce")
    keep_wide(module, (), 2)
    assert (instructions[value].size, instructions[value].item_bytes) == (IMAGE, 4)


def test_what_a_convolution_reads_is_rounded_though_it_reads_a_view():
    instructions, module, value, _ = chain(last="call")
    keep_wide(module, (), 2)
    assert instructions[value].size == HALF


def test_a_cast_of_what_is_wide_already_is_a_view():
    make = Maker()
    value = make.add("multiply", make.add("call", size=HALF, item_bytes=2), size=HALF, item_bytes=2)
    cast = make.add("map", value, item_bytes=4)
    make.root(make.add("reduce", cast))
    keep_wide(make.module, {cast}, 2)
    assert make.module.instructions[cast].opcode == "bitcast"
