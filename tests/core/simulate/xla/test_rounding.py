from app.core.simulate.xla.rounding import keep_wide, read_unrounded
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


def narrowed(*, given_bytes=4):
    """What is computed in float32, narrowed, and read by a sum, a product and a cast back."""
    make = Maker()
    wide = make.add("multiply", make.add("call"), item_bytes=given_bytes)
    narrow = make.add("map", wide, size=HALF, item_bytes=2)
    total, product = make.add("reduce", narrow), make.add("call", narrow)
    back = make.add("map", make.add("bitcast", narrow, size=HALF, item_bytes=2), item_bytes=4)
    make.root(total, product, back)
    read_unrounded(make.module, {narrow, back})
    return make.module.instructions, wide, narrow, total, product, back


def test_a_sum_and_a_cast_back_read_what_was_there_before_it_was_narrowed():
    instructions, wide, narrow, total, product, back = narrowed()
    assert instructions[total].operands == (wide,)
    assert (instructions[back].opcode, instructions[back].operands) == ("bitcast", (wide,))
    assert instructions[product].operands == (narrow,)


def test_what_was_computed_in_16_bits_was_never_wider():
    instructions, _, narrow, total, _, back = narrowed(given_bytes=2)
    assert instructions[total].operands == (narrow,)
    assert instructions[back].opcode == "map"
