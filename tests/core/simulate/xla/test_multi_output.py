"""Kernels of which each result is wanted, and which are one all the same."""

from app.core.simulate.xla.card_costs import A100, T4
from app.core.simulate.xla.card_regions import fuse_for_card
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


def test_what_goes_over_fewer_stays_apart():
    make = Maker()
    image, shared = make.add("call"), make.add("call")
    wide = make.add("map", make.add("multiply", image, image), shared)
    narrow = make.add("map", make.add("slice", shared, size=SHORT), make.add("call", size=SHORT), size=SHORT)
    make.root(make.add("call", wide), make.add("call", narrow))
    assert joined(make) == []


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


def test_a_reduce_window_of_several_results_joins_only_its_like():
    make = Maker()
    shared, one, other = make.add("call"), make.add("call"), make.add("call")
    pooled = make.add("window", make.add("map", one, shared), size=SHORT)
    winners = [make.add("windows", make.add("map", image, shared), size=SHORT) for image in (one, other)]
    make.root(*(make.add("call", value, size=SHORT) for value in (pooled, *winners)))
    assert joined(make) == [winners]
