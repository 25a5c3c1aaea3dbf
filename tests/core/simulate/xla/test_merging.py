from hypothesis import given

from app.core.simulate.xla.card_costs import T4
from app.core.simulate.xla.card_regions import fuse_for_card
from app.core.simulate.xla.merging import contracted, expanded, merged, results_of
from app.core.simulate.xla.multi_output import joined_kernels
from app.core.simulate.xla.orders import frugal_orders, made_bytes
from tests.core.simulate.xla.test_fusion import modules
from tests.core.xla_modules import IMAGE, WEIGHT, Maker


def made_by(make):
    made = fuse_for_card(make.module, batch_size=16, speed=T4)
    return made.kernels, merged(made, make.module.resident, speed=T4, batch_size=16)


def groups_of(make):
    return made_by(make)[1]


def learning():
    """A weight and a slot that learn from one gradient; the weight reads the new slot."""
    make = Maker(2)
    gradient = make.add("call", size=WEIGHT)
    slot = make.update(1, gradient)
    weight = make.update(0, gradient, slot)
    return make, slot, weight


def test_a_weight_and_its_slot_are_one_kernel_that_makes_both():
    make, slot, weight = learning()
    kernels, groups = made_by(make)
    assert groups == {weight: (slot, weight)}
    assert contracted(kernels, groups)[weight].instruction.size == WEIGHT.times(2)


def test_each_result_of_a_kernel_is_known_with_those_who_read_it():
    make, _, weight = learning()
    results = results_of(*made_by(make))
    assert [(r.size, r.stays) for r in results[weight]] == [(WEIGHT, True), (WEIGHT, True)]
    assert all(r.readers == () for r in results[weight])  # the weight reads the slot within the kernel


def test_a_sum_is_one_kernel_with_the_gradient_that_it_reads():
    make = Maker()
    gradient = make.add("map", make.add("call"))
    total = make.add("reduce", gradient, size=WEIGHT)
    make.root(make.add("call", gradient), total)
    assert groups_of(make) == {total: (gradient, total)}


def test_what_something_stands_between_stays_apart():
    make = Maker(2)
    gradient = make.add("call", size=WEIGHT)
    slot = make.update(1, gradient)
    norm = make.add("call", slot, size=WEIGHT)
    make.update(0, gradient, norm)
    assert groups_of(make) == {}


@given(make=modules())
def test_an_order_of_merged_kernels_is_one_of_all_and_keeps_to_what_they_read(make):
    kernels, groups = made_by(make)
    for order in frugal_orders(contracted(kernels, groups), 16):
        every = expanded(order, groups)
        place = {index: moment for moment, index in enumerate(every)}
        assert sorted(every) == sorted(kernels)
        assert all(place[o] < place[i] for i, k in kernels.items() for o in k.operands)


def test_equal_zeros_that_scatters_write_over_are_made_together():
    make = Maker()
    rows = make.add("call")
    zeros = [make.add("spread") for _ in range(3)]
    make.root(*(make.add("scatter", zero, rows, in_place=zero) for zero in zeros[:2]), make.add("call", zeros[2]))
    assert groups_of(make) == {zeros[1]: (zeros[0], zeros[1])}


def test_zeros_of_other_channels_are_not_equal():
    make = Maker()
    rows = make.add("call")
    zeros = [make.add("spread", channels=channels) for channels in (32, 64)]
    make.root(*(make.add("scatter", zero, rows, in_place=zero) for zero in zeros))
    assert groups_of(make) == {}


def test_a_gradient_of_half_precision_joins_its_readers_too():
    make = Maker(2)
    gradient = make.add("call", size=WEIGHT.times(1 / 2), item_bytes=2)
    slot, weight = make.update(1, gradient), make.update(0, gradient)
    assert groups_of(make) == {weight: (slot, weight)}


def test_while_copies_of_zeros_are_made_the_zeros_themselves_are_there():
    make = Maker()
    rows = make.add("call")
    zeros = [make.add("spread") for _ in range(2)]
    make.root(*(make.add("scatter", zero, rows, in_place=zero) for zero in zeros))
    together = contracted(*made_by(make))[zeros[1]].instruction
    assert made_bytes(together, 16) == 3 * IMAGE.at(16)


def test_copies_are_made_with_the_zeros_that_somebody_else_reads():
    make = Maker()
    rows, zeros = make.add("call"), make.add("spread")
    copy = make.add("call", zeros)
    make.root(make.add("scatter", copy, rows, in_place=copy), make.add("call", zeros))
    kernels, groups = made_by(make)
    assert groups == {copy: (zeros, copy)}
    assert contracted(kernels, groups)[copy].instruction.scratch is None


def test_what_would_have_to_wait_for_itself_stays_apart():
    make = Maker(2)
    gradient, shared, image = make.add("call", size=WEIGHT), make.add("call"), make.add("call")
    before = make.add("map", make.add("multiply", image, image), shared)
    slot = make.update(1, gradient)
    after = make.add("map", make.add("multiply", make.add("call", slot), image), shared)
    weight = make.update(0, gradient, make.add("call", before, size=WEIGHT))
    make.root(make.add("call", after))
    made = fuse_for_card(make.module, batch_size=16, speed=T4)
    assert joined_kernels(made, speed=T4, batch_size=16) == [[before, after]]
    assert groups_of(make) == {weight: (slot, weight)}


def scattered(*, compared):
    """Two scatters into equal zeros, with which an activation is compared if ``compared``."""
    make = Maker()
    zeros = make.add("spread")
    active = make.add("map", make.add("call"), *([zeros] * compared), cycles=3)
    make.root(make.add("call", active))
    copies = []
    for _ in range(2):
        copies.append(make.add("call", zeros))
        make.root(make.add("scatter", copies[-1], make.add("call"), in_place=copies[-1]))
    return groups_of(make), zeros, active, copies


def test_zeros_are_made_with_the_copies_that_are_scattered_into():
    groups, zeros, _, copies = scattered(compared=False)
    assert tuple(groups.values()) == ((zeros, *copies),)


def test_but_not_where_an_activation_is_made_with_them_which_are_one_result_of_several_then():
    groups, zeros, active, _ = scattered(compared=True)
    assert tuple(groups.values()) == ((zeros, active),)


def test_an_update_that_is_scattered_into_its_weight_is_one_with_the_slot_that_it_reads_and_with_nothing_else():
    make = Maker(2)
    gradient = make.add("call", size=WEIGHT)
    slot = make.update(1, make.add("multiply", gradient, size=WEIGHT))
    rows = make.add("scatter", 0, slot, gradient, size=WEIGHT, updates=0, in_place=0)
    make.module.roots.add(rows)
    make.root(make.add("copy", 1, size=WEIGHT))
    assert groups_of(make) == {rows: (slot, rows)}
