"""Kernels of which each result is wanted, and which are one all the same."""

import pytest

from app.core.simulate.xla.card_costs import A100, RTX_2060, T4, V100, Cost
from app.core.simulate.xla.card_regions import CardKernels, fuse_for_card
from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.multi_output import joined_kernels
from app.core.types.stepgraph import PerBatch
from tests.core.xla_modules import IMAGE, Maker

SAMPLES = 512
SHORT = IMAGE.times(1 / 4)


def joined(make, speed=T4):
    made = fuse_for_card(make.module, batch_size=SAMPLES, speed=speed)
    return joined_kernels(made, speed=speed, batch_size=SAMPLES)


def test_readers_of_one_value_that_go_over_as_much_are_one_kernel():
    make = Maker()
    image, other, shared = make.add("call"), make.add("call"), make.add("call")
    both = [make.add("map", make.add("multiply", one, one), shared) for one in (image, other)]
    make.root(*(make.add("call", one) for one in both))
    assert joined(make) == [both]


def test_one_that_waits_for_another_stays_apart():
    make = Maker()
    shared = make.add("call")
    first = make.add("map", make.add("multiply", shared, shared))
    second = make.add("map", make.add("call", first), shared)
    make.root(make.add("call", second))
    assert joined(make) == []


def test_a_sum_takes_in_what_reads_the_same_since_it_holds_its_first_value():
    make = Maker()
    shared = make.add("call")
    both = [make.add("reduce", shared, size=PerBatch(400)), make.add("map", shared)]
    make.root(*(make.add("call", one) for one in both))
    assert joined(make) == [both]
    alone = Maker()
    shared = alone.add("call")
    alone.root(*(alone.add("call", alone.add("map", shared)) for _ in range(2)))
    assert joined(alone) == []


def test_reduce_windows_of_several_results_are_one_kernel_only_over_images_of_one_shape():
    for other, expected in ((32, 1), (64, 0)):
        make = Maker()
        image, second, shared = make.add("call"), make.add("call"), make.add("call")
        both = [
            make.add("windows", make.add("multiply", one, one), shared, channels=channels)
            for one, channels in ((image, 32), (second, other))
        ]
        make.root(*(make.add("call", one) for one in both))
        assert len(joined(make)) == expected


def test_what_goes_over_fewer_stays_apart():
    make = Maker()
    image, shared = make.add("call"), make.add("call")
    wide = make.add("map", make.add("multiply", image, image), shared)
    narrow = make.add("map", make.add("slice", shared, size=SHORT), make.add("call", size=SHORT), size=SHORT)
    make.root(make.add("call", wide), make.add("call", narrow))
    assert joined(make) == []


@pytest.mark.parametrize(("item_bytes", "expected"), [(4, 3), (2, 2)])
def test_a_sum_that_reads_narrower_numbers_has_fewer_blocks_and_stays_apart(item_bytes, expected):
    """4,096 words of 8,000 scores on a V100, whose compiler tells 684 us apart and 873 in 63 blocks in place of 125."""
    elements = 4_096 * 8_000
    make = Maker()
    scores = make.add("call", size=PerBatch(2 * elements), item_bytes=item_bytes)
    share = make.add("multiply", scores, size=PerBatch(4 * elements))
    total, cast = make.add("reduce", share, size=PerBatch(32_000)), make.add("map", share, size=PerBatch(2 * elements))
    make.module.instructions[cast].item_bytes = 2
    costs = {
        share: Cost(142 * elements, {scores: 4 * elements}, 64_000),
        total: Cost(6 * elements, {share: 4 * elements}, 125),
        cast: Cost(3 * elements, {share: 4 * elements}, 64_000),
    }
    kernels = {i: Kernel(n, dict.fromkeys(n.operands, True)) for i, n in enumerate(make.module.instructions)}
    (found,) = joined_kernels(CardKernels(kernels, costs), speed=V100, batch_size=1)
    assert len(found) == expected


def masked(make):
    """An activation, what of it is above zero, and the two sums and the gradient that ask for that."""
    image = make.add("call")
    activation = make.add("map", make.add("multiply", image, image))
    gradient = make.add("call", activation)
    mask = make.add("map", activation, size=SHORT, item_bytes=1)
    kept = make.add("map", gradient, mask)
    sums = [make.add("reduce", kept, size=PerBatch(400)), make.add("reduce", kept, image, size=PerBatch(400))]
    make.root(make.add("call", make.add("map", kept, *sums)))
    return activation, mask, sums


def test_a_comparison_is_made_with_the_activation_where_reading_that_again_takes_long():
    make = Maker()
    activation, mask, sums = masked(make)
    assert [activation, mask] in joined(make)
    assert sums in joined(make)


def test_a_comparison_is_made_with_the_sums_where_the_cache_holds_the_activation():
    make = Maker()
    _, mask, sums = masked(make)
    assert [mask, *sums] in joined(make, A100)


@pytest.mark.parametrize("apart", [True, False])
def test_a_comparison_stays_apart_from_the_sums_that_would_read_again_what_it_reads_elsewhere(apart):
    """500 steps of 64 channels, which are convolved as images, on an RTX 2060 ("will execute slower if fused")."""
    image, short = 64 * 64 * 500 * 4, 64 * 64 * 500
    make = Maker()
    convolved, gradient = (make.add("call", size=PerBatch(image)) for _ in range(2))
    mask = make.add("map", convolved, size=PerBatch(short), item_bytes=1)
    sums = [make.add("reduce", *read, size=PerBatch(256)) for read in ((gradient, mask), (convolved, gradient, mask))]
    last = make.add("map", mask, *sums, size=PerBatch(image))
    costs = {
        mask: Cost(12 * short, {convolved: image}, 4000),
        sums[0]: Cost(6 * short, {gradient: image, mask: short}, 4000),
        sums[1]: Cost(12 * short, {convolved: image, gradient: image, mask: short}, 4000),
        last: Cost(30 * short, {mask: short}, 4000),
    }
    kernels = {
        i: Kernel(n, dict.fromkeys(n.operands, False), fused=True) for i, n in enumerate(make.module.instructions)
    }
    made = CardKernels(kernels, costs, by_column=False, elsewhere={mask: frozenset([convolved] if apart else ())})
    assert joined_kernels(made, speed=RTX_2060, batch_size=1) == [sums if apart else [mask, *sums]]


def test_parts_that_are_joined_and_what_is_looked_at_in_another_shape_are_read_elsewhere():
    make = Maker()
    image, seen, half = make.add("call"), make.add("call"), make.add("call", size=IMAGE.times(1 / 2))
    whole = make.add("concatenate", half, make.add("call", size=IMAGE.times(1 / 2)))
    last = make.add("map", image, make.add("bitcast", seen), whole)
    make.root(make.add("call", last))
    found = fuse_for_card(make.module, batch_size=SAMPLES, speed=T4).elsewhere[last]
    assert {seen, half} <= found
    assert image not in found


@pytest.mark.parametrize(("parts", "together"), [(4, False), (5, True)])
def test_what_joins_few_arrays_is_a_kernel_of_its_own_kind_and_joins_no_other(parts, together):
    make = Maker()
    given = [make.add("call", size=IMAGE.times(1 / parts)) for _ in range(parts)]
    whole = make.add("multiply", make.add("concatenate", *given))
    activation, mask = make.add("map", whole), make.add("map", whole, size=SHORT, item_bytes=1)
    make.root(make.add("call", activation), make.add("call", mask, size=SHORT))
    assert ([activation, mask] in joined(make)) is together


def test_arrays_that_are_joined_one_by_one_are_counted_together():
    for parts, together in ((4, False), (5, True)):
        make = Maker()
        part = IMAGE.times(1 / parts)
        whole = make.add("call", size=part)
        for n in range(2, parts + 1):
            whole = make.add("concatenate", whole, make.add("call", size=part), size=part.times(n))
        scaled = make.add("multiply", whole)
        activation, mask = make.add("map", scaled), make.add("map", scaled, size=SHORT, item_bytes=1)
        make.root(make.add("call", activation), make.add("call", mask, size=SHORT))
        assert ([activation, mask] in joined(make)) is together


def test_a_sum_goes_over_what_it_reads_and_not_over_the_padding_that_it_cuts_off():
    """A layer's padded image, which its filters' gradient reads, would wait for the sum otherwise."""
    make = Maker()
    image = make.add("call")
    padded = make.add("slice", make.add("map", image), size=IMAGE.times(1.1))
    gradient = make.add("slice", make.add("call", size=IMAGE.times(1.1)))
    total = make.add("reduce", gradient, make.add("map", image), size=PerBatch(400))
    make.root(make.add("call", padded), make.add("call", total))
    made = fuse_for_card(make.module, batch_size=SAMPLES, speed=T4)
    assert made.added_up[total] == IMAGE.at(SAMPLES) / 4
    assert joined_kernels(made, speed=T4, batch_size=SAMPLES) == []
    assert joined_kernels(made._replace(added_up={}), speed=T4, batch_size=SAMPLES) == [[padded, total]]


def test_a_reduce_window_of_several_results_joins_only_its_like():
    make = Maker()
    shared, one, other = make.add("call"), make.add("call"), make.add("call")
    pooled = make.add("window", make.add("map", one, shared), size=SHORT)
    winners = [make.add("windows", make.add("map", image, shared), size=SHORT) for image in (one, other)]
    make.root(*(make.add("call", value, size=SHORT) for value in (pooled, *winners)))
    assert joined(make) == [winners]


@pytest.mark.parametrize(("columns", "expected"), [(400, 1), (800, 0)])
def test_sums_over_rows_and_over_columns_are_two_kernels(columns, expected):
    make = Maker()
    shared = make.add("call")
    both = [make.add("reduce", shared, size=PerBatch(size)) for size in (400, columns)]
    make.root(*(make.add("call", one) for one in both))
    assert joined(make) == [both] * expected


def test_another_layout_of_a_weight_is_made_with_its_update():
    make = Maker()
    copy = make.add("copy", 0, size=PerBatch(4_000))
    gradient = make.add("call", size=PerBatch(4_000))
    update = make.update(0, make.add("multiply", gradient, size=PerBatch(4_000)))
    make.root(make.add("call", copy))
    assert joined(make) == [[copy, update]]


def test_but_not_where_the_gradient_waits_for_it():
    make = Maker()
    copy = make.add("copy", 0, size=PerBatch(4_000))
    gradient = make.add("call", make.add("call", copy), size=PerBatch(4_000))
    make.update(0, make.add("multiply", gradient, size=PerBatch(4_000)))
    assert joined(make) == []
