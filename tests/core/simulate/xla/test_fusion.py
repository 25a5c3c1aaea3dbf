from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.xla.fusion import fuse_instructions
from app.core.types.stepgraph import PerBatch
from tests.core.xla_modules import ROW, Maker

BATCH = 16


def kernels_of(make, batch_size=BATCH, **how):
    return fuse_instructions(make.module, batch_size=batch_size, **how)


def test_a_chain_of_cheap_operations_is_one_kernel():
    make = Maker()
    image = make.add("call")
    last = make.add("map", make.add("multiply", make.add("map", image)))
    make.root(last)
    assert set(kernels_of(make)[last].operands) == {image}


def test_a_cheap_result_with_two_readers_is_computed_twice_and_never_written():
    make = Maker()
    image = make.add("call")
    cheap = make.add("map", image)
    first, second = make.add("copy", cheap), make.add("slice", cheap)
    make.root(first, second)
    found = kernels_of(make)
    assert cheap not in found
    assert set(found[first].operands) == set(found[second].operands) == {image}


def test_an_expensive_result_with_two_readers_is_written_once():
    make = Maker()
    costly = make.add("costly", make.add("call"))
    first, second = make.add("copy", costly), make.add("slice", costly)
    make.root(first, second)
    assert set(kernels_of(make)[first].operands) == {costly}


def test_an_expensive_row_that_is_spread_over_an_image_is_written():
    make = Maker()
    row = make.add("costly", make.add("call", size=ROW), size=ROW)
    image = make.add("map", make.add("call"), row)
    make.root(image)
    assert row in kernels_of(make)[image].operands


def test_a_sum_of_two_images_is_not_repeated_for_a_reader_when_a_convolution_wants_it_anyway():
    make = Maker()
    total = make.add("map", make.add("call"), make.add("call"))
    transposed = make.add("copy", total)
    make.root(make.add("call", total), transposed)
    assert set(kernels_of(make)[transposed].operands) == {total}


def test_a_reshape_of_something_written_costs_nothing():
    make = Maker()
    image = make.add("call")
    view = make.add("bitcast", image)
    reader = make.add("call", view)
    make.root(reader)
    found = kernels_of(make)
    assert view not in found
    assert set(found[reader].operands) == {image}


def test_a_large_sum_takes_nothing_in():
    make = Maker()
    image = make.add("call")
    shifted = make.add("map", image)
    total = make.add("reduce", shifted, size=PerBatch(400))
    make.root(total)
    assert shifted in kernels_of(make)
    assert shifted not in kernels_of(make, batch_size=1)


def test_a_product_is_summed_in_one_kernel_until_a_dimension_exceeds_the_window():
    make = Maker()
    product = make.add("multiply", make.add("call"), make.add("call"))
    make.root(make.add("reduce", product, size=PerBatch(400)))
    assert product not in kernels_of(make, batch_size=16)
    assert product in kernels_of(make, batch_size=64)


def test_what_nobody_wants_is_dropped():
    make = Maker()
    dead = make.add("call")
    make.root(make.add("call"))
    assert dead not in kernels_of(make)


@st.composite
def modules(draw):
    make = Maker(parameters=2)
    opcodes = st.sampled_from("map costly multiply copy slice spread reduce concatenate call bitcast".split())
    for index in range(2, draw(st.integers(3, 25))):
        opcode = draw(opcodes)
        count = {"spread": 0, "bitcast": 1, "reduce": 1}.get(opcode, 2)
        operands = [draw(st.integers(0, index - 1)) for _ in range(count)]
        make.add(opcode, *dict.fromkeys(operands), size=ROW if opcode == "reduce" else PerBatch(0, 40_000))
    make.module.roots = {len(make.module.instructions) - 1}
    return make


@given(make=modules())
def test_every_kernel_reads_earlier_kernels_only_and_the_results_stay(make):
    found = kernels_of(make)
    seen = set()
    for index, kernel in found.items():
        assert set(kernel.operands) <= seen
        seen.add(index)
    root = next(iter(make.module.roots))
    assert root in found or make.module.instructions[root].opcode == "bitcast"
