from hypothesis import given

from app.core.simulate.xla.card_fusion import fuse_for_card
from app.core.types.stepgraph import PerBatch
from tests.core.simulate.xla.test_fusion import modules
from tests.core.xla_modules import Maker


def kernels_of(make):
    return fuse_for_card(make.module, batch_size=16)


def test_a_result_is_taken_in_by_all_its_readers_or_by_none():
    make = Maker()
    image = make.add("call")
    shifted = make.add("map", image)
    readers = [make.add("map", shifted), make.add("reduce", shifted, size=PerBatch(400))]
    make.root(*readers)
    assert shifted not in kernels_of(make)
    make.root(make.add("call", shifted))
    found = kernels_of(make)
    assert shifted in found
    assert set(found[readers[0]].operands) == {shifted}


def test_a_view_that_a_library_reads_counts_as_what_it_looks_at():
    make = Maker()
    shifted = make.add("map", make.add("call"))
    other = make.add("map", shifted)
    make.root(make.add("call", make.add("bitcast", shifted)), other)
    assert shifted in kernels_of(make)


def test_to_read_many_operands_again_and_again_is_dearer_than_to_write_the_result():
    make = Maker()
    images = [make.add("call") for _ in range(4)]
    total = make.add("map", *images)
    make.root(*(make.add("map", total) for _ in range(3)))
    assert total in kernels_of(make)


def test_a_sum_is_never_taken_in():
    make = Maker()
    total = make.add("reduce", make.add("call"), size=PerBatch(400))
    make.root(make.add("map", total, size=PerBatch(400)))
    assert total in kernels_of(make)


def test_what_a_sum_reads_writes_over_nothing():
    make = Maker()
    image = make.add("call")
    gradient = make.add("map", image)
    make.root(make.add("call", gradient), make.add("reduce", gradient, size=PerBatch(400)))
    assert kernels_of(make)[gradient].operands == {image: False}
    alone = Maker()
    gradient = alone.add("map", image := alone.add("call"))
    alone.root(alone.add("call", gradient))
    assert kernels_of(alone)[gradient].operands == {image: True}


def test_a_pooling_takes_in_what_it_reads():
    make = Maker()
    shifted = make.add("map", make.add("call"))
    make.root(make.add("window", shifted), make.add("windows", shifted))
    assert shifted not in kernels_of(make)


@given(make=modules())
def test_every_kernel_reads_earlier_kernels_only_and_the_results_stay(make):
    found = kernels_of(make)
    views = {i for i, n in enumerate(make.module.instructions) if n.opcode == "bitcast"}
    assert make.module.roots - views <= found.keys()
    assert all(o in found and o < i for i, k in found.items() for o in k.operands)
