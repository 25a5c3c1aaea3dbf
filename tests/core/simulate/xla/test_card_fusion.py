import pytest
from hypothesis import given

from app.core.simulate.xla.card_costs import A100, DIVERGING_CYCLES, MASKING_CYCLES, T4
from app.core.simulate.xla.card_fusion import fused_region
from app.core.simulate.xla.card_regions import fuse_for_card
from app.core.types.stepgraph import PerBatch
from app.core.types.units import MIB
from tests.core.simulate.xla.test_fusion import modules
from tests.core.xla_modules import ROW, Maker


def kernels_of(make, speed=T4):
    return fuse_for_card(make.module, batch_size=16, speed=speed).kernels


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


def of_scores(*, alone):
    """Shares of scores, which a product reads in a view, and a gradient as they are."""
    make = Maker()
    scores = make.add("call")
    shares = make.add("costly", scores, cycles=3, alone=alone)
    view = make.add("bitcast", shares)
    make.module.flattened.add(view)
    product, gradient = make.add("call", view), make.add("map", shares, cycles=3)
    make.root(product, gradient)
    found = kernels_of(make)
    return found, {scores: "scores", shares: "shares", view: "view"}, product, gradient


def test_what_a_product_reads_in_a_view_is_written_for_it_and_made_anew_by_others():
    found, names, product, gradient = of_scores(alone=False)
    assert "shares" not in {names.get(index) for index in found}
    assert [names[o] for o in found[product].operands] == ["view"]
    assert [names[o] for o in found[gradient].operands] == ["scores"]


def test_what_triton_writes_is_made_once_for_the_product_and_for_others():
    found, names, product, gradient = of_scores(alone=True)
    assert [names[o] for o in found[product].operands] == ["shares"]
    assert [names[o] for o in found[gradient].operands] == ["shares"]
    assert "view" not in {names.get(index) for index in found}


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


def test_a_pooling_takes_in_what_it_reads():
    make = Maker()
    shifted = make.add("map", make.add("call"))
    make.root(make.add("window", shifted), make.add("windows", shifted))
    assert shifted not in kernels_of(make)


LARGE = PerBatch(0, 4_000_000)
CHANNELS = PerBatch(2_048)


def test_what_is_dear_to_compute_is_made_once_for_several_readers():
    for cycles, written in ((3, False), (DIVERGING_CYCLES, True)):
        make = Maker()
        pieces = [make.add("call", size=PerBatch(0, 2_000_000)) for _ in range(2)]
        joined = make.add("concatenate", *pieces, size=LARGE, cycles=cycles)
        make.root(*(make.add("map", joined, size=LARGE, cycles=3) for _ in range(3)))
        assert (joined in kernels_of(make)) is written


def dropped_out(size):
    """A mask whose bits are written, read by two that are short of memory."""
    make = Maker()
    bits = make.add("call", size=size.times(4))
    mask = make.add("mask", bits, size=size, item_bytes=1, cycles=MASKING_CYCLES)
    for _ in range(2):
        operands = [make.add("call", size=size.times(4)) for _ in range(4)]
        make.root(make.add("map", mask, *operands, size=size.times(4), cycles=9))
    return make, mask


def test_readers_make_a_mask_anew_where_that_saves_more_than_it_would_by_making_its_bits():
    """Each array of bits that it made itself would save a launch, so that a small mask is written."""
    make, mask = dropped_out(PerBatch(0, 12_288))
    assert mask not in kernels_of(make, T4)
    make, mask = dropped_out(PerBatch(0, 12))
    assert mask in kernels_of(make, T4)


def normalised():
    """What a batch normalisation keeps: an image less its mean, squared and summed, and read again by a gradient."""
    make = Maker()
    image = make.add("call", size=PerBatch(0, 30_720), item_bytes=2)
    wide = PerBatch(0, 61_440)
    given = make.add("map", image, size=wide, cycles=3)
    mean = make.add("reduce", given, size=CHANNELS, cycles=3)
    spread = make.add("spread", mean, size=wide)
    difference = make.add("map", given, spread, size=wide, cycles=3)
    square = make.add("multiply", difference, size=wide, cycles=3)
    make.root(make.add("reduce", square, size=CHANNELS, cycles=3))
    make.root(make.add("map", difference, make.add("call", size=wide), size=wide, cycles=3))
    return make, difference


def test_a_sum_in_few_blocks_takes_less_in_where_memory_is_fast():
    """512 channels are eight blocks: they keep a T4's memory busy and an A100's by a quarter."""
    make, difference = normalised()
    assert difference in kernels_of(make, A100)
    make, difference = normalised()
    assert difference not in kernels_of(make, T4)


@given(make=modules())
def test_every_kernel_reads_earlier_kernels_only_and_the_results_stay(make):
    found = kernels_of(make)
    views = {i for i, n in enumerate(make.module.instructions) if n.opcode == "bitcast"}
    assert make.module.roots - views <= found.keys()
    assert all(o in found and o < i for i, k in found.items() for o in k.operands)


def test_what_a_scatter_adds_is_taken_in_but_not_what_it_writes_over():
    make = Maker()
    zeros, rows = make.add("spread"), make.add("map", make.add("call", size=ROW), size=ROW)
    added = make.add("scatter", zeros, rows, in_place=zeros)
    make.root(added, make.add("map", added))
    found = kernels_of(make)
    assert rows not in found
    assert {zeros, added} <= set(found)
    assert found[added].fused


def test_what_fits_no_cache_is_read_from_memory_again():
    megabytes = [(n * MIB, 4 * n * MIB) for n in (0.05, 1, 8)]
    small, middle, large = (T4.read_s([one], 10**6) / one[0] for one in megabytes)
    assert small < middle < large
    assert large == pytest.approx(4 / T4.memory_bytes_per_s)


def test_regions_that_are_alike_become_alike_kernels():
    make = Maker()
    chains = []
    for _ in range(3):
        image = make.add("call")
        chains.append([make.add("map", image), make.add("multiply", image)])
        make.root(make.add("reduce", *chains[-1], size=PerBatch(400)))
    alone = fused_region.cache_info().misses
    found = kernels_of(make)
    assert not {one for chain in chains for one in chain} & set(found)
    assert fused_region.cache_info().misses <= alone + 1


def masked(*, width):
    """A mask and a product of one image, chosen by the mask; of another image as wide as its numbers."""
    make = Maker()
    image = make.add("call", item_bytes=width)
    mask = make.add("map", image, size=PerBatch(0, 10_000), item_bytes=1, cycles=3)
    double = make.add("multiply", image, cycles=3, item_bytes=width)
    chosen = make.add("map", double, mask, cycles=3, item_bytes=width)
    make.root(make.add("call", chosen))
    made = fuse_for_card(make.module, batch_size=16, speed=T4)
    return made.costs[chosen].reads, image


def test_a_mask_of_what_is_read_anyway_reads_nothing_more():
    reads, image = masked(width=4)
    assert reads == {image: 40_000 * 16}


def test_what_is_looked_at_in_another_shape_is_read_by_each_that_looks():
    make = Maker()
    image = make.add("call")
    view = make.add("bitcast", image)
    make.module.reread.add(view)
    ends = [make.add("map", view, cycles=3) for _ in range(2)]
    chosen = make.add("map", *ends, cycles=3)
    make.root(make.add("call", chosen))
    reads = fuse_for_card(make.module, batch_size=16, speed=T4).costs[chosen].reads
    assert reads == {image: 2 * 40_000 * 16}


@pytest.mark.parametrize("constants", [0, 2])
def test_a_sum_with_few_blocks_does_not_take_in_what_computes_with_many_constants(constants):
    """Each of them is read for every element, as the compiler counts, by as many blocks as there are."""
    make = Maker()
    numbers = [make.add("constant", size=PerBatch()) for _ in range(40 * constants)]
    image = make.add("call", size=PerBatch(0, 4_000_000))
    shifted = make.add("map", image, *numbers, size=PerBatch(0, 4_000_000), cycles=3)
    make.root(make.add("reduce", shifted, size=PerBatch(256), cycles=3), make.add("map", shifted, size=ROW))
    assert (shifted in kernels_of(make)) is bool(constants)
