import pytest
from hypothesis import given

from app.core.simulate.xla.fusion import Kernel, fuse_instructions
from app.core.simulate.xla.hlo import ANY_SIZE, Scratch
from app.core.simulate.xla.schedule import (
    ORDERS,
    Result,
    breadth_first,
    frugal_orders,
    order_peak_bytes,
    with_copies,
    with_ordered_copies,
)
from app.core.types.stepgraph import PerBatch
from tests.core.simulate.xla.test_fusion import modules
from tests.core.xla_modules import IMAGE, WEIGHT, Maker


def fused(make):
    return fuse_instructions(make.module, batch_size=16)


def learning(*, read_late):
    """One weight, its gradient, and a reader on which the new value does or does not depend."""
    make = Maker()
    forward = make.add("call", 0)
    gradient = make.add("call", forward, size=make.module.instructions[0].size)
    new = make.update(0, gradient)
    if read_late:
        make.root(make.add("call", 0, gradient))
    return make, new


def test_a_weight_that_is_read_beside_its_update_is_copied_and_all_read_the_copy():
    make, new = learning(read_late=True)
    found = with_copies(fused(make), make.module.resident)
    copies = [i for i, k in found.items() if k.instruction.opcode == "copy"]
    assert len(copies) == 1
    assert [i for i, k in found.items() if 0 in k.operands] == copies
    assert copies[0] in found[new].operands


def test_a_weight_whose_every_reader_comes_before_its_update_is_not_copied():
    make, _ = learning(read_late=False)
    assert "copy" not in {k.instruction.opcode for k in with_copies(fused(make), make.module.resident).values()}


def test_breadth_first_runs_what_needs_nothing_before_everything_else():
    make = Maker()
    first = make.add("call")
    make.root(make.add("call", first), late := make.add("call"))
    order = breadth_first(fused(make))
    assert order.index(late) < order.index(first + 1)


def test_the_frugal_orders_free_one_branch_before_they_start_the_next():
    make = Maker()
    branches = [
        make.add("call", make.add("call", make.add("call"), size=make.module.instructions[0].size)) for _ in range(2)
    ]
    make.root(*branches)
    kernels = fused(make)
    for order in frugal_orders(kernels, 16):
        places = [order.index(b) for b in branches]
        assert abs(places[0] - places[1]) > 1
    places = [breadth_first(kernels).index(b) for b in branches]
    assert abs(places[0] - places[1]) == 1


@given(make=modules())
def test_every_order_runs_each_kernel_once_and_after_what_it_reads(make):
    kernels = with_copies(fused(make), make.module.resident)
    for order in (breadth_first(kernels), *frugal_orders(kernels, 16)):
        assert sorted(order) == sorted(kernels)
        place = {index: moment for moment, index in enumerate(order)}
        assert all(place[o] < place[i] for i, k in kernels.items() for o in k.operands)


@pytest.mark.parametrize("length", [3000])
def test_long_chains_do_not_exhaust_the_stack(length):
    make = Maker()
    last = make.add("call")
    for _ in range(length):
        last = make.add("call", last)
    make.root(last)
    kernels = fused(make)
    assert {len(o) for o in frugal_orders(kernels, 1)} == {len(kernels)}


@pytest.mark.parametrize("late", [True, False])
def test_in_a_known_order_only_a_weight_that_is_read_after_its_new_value_is_copied(late):
    make, new = learning(read_late=True)
    kernels = fused(make)
    reader = max(i for i, k in kernels.items() if 0 in k.operands and i != new)
    others = [i for i in kernels if i not in (reader, new)]
    found, order = with_ordered_copies(kernels, [*others, *((new, reader) if late else (reader, new))])
    copies = [i for i, k in found.items() if k.instruction.opcode == "copy"]
    assert len(copies) == late
    assert sorted(order) == sorted(found)
    if late:
        assert order.index(copies[0]) == order.index(new) - 1
        assert 0 not in found[reader].operands


def test_what_is_written_together_needs_no_copy_of_each_other():
    make, new = learning(read_late=True)
    kernels = fused(make)
    reader = max(i for i, k in kernels.items() if 0 in k.operands and i != new)
    order = [*(i for i in kernels if i not in (reader, new)), new, reader]
    assert with_ordered_copies(kernels, order, [(new, reader)])[0].keys() == kernels.keys()


def test_the_order_that_needs_least_comes_first_and_new_weights_count_beside_the_old_ones():
    make, _ = learning(read_late=False)
    kernels = fused(make)
    peaks = [order_peak_bytes(kernels, order, 16) for order in frugal_orders(kernels, 16)]
    assert peaks[0] == min(peaks)
    assert peaks[0] >= 2 * make.module.instructions[0].size.at(16)


def test_scratch_is_there_while_its_kernel_runs():
    make = Maker()
    first = make.add("call", scratch=Scratch(PerBatch(0, 10**6), 10**7))
    make.root(make.add("call", first))
    kernels = fused(make)
    assert order_peak_bytes(kernels, list(kernels), 4) >= 4 * 10**6
    assert order_peak_bytes(kernels, list(kernels), 400) < 1.1 * 10**7 + 2 * make.module.instructions[first].size.at(
        400
    )


def test_an_old_weight_counts_until_it_is_read_last_and_what_is_never_renewed_all_the_time():
    make = Maker(2)
    early = make.add("call", 0, size=PerBatch(400))
    new = make.update(0, early)
    late = make.add("call", new, size=WEIGHT.times(10))
    make.root(late)
    kernels = fused(make)
    order = list(kernels)
    at_the_end = WEIGHT.times(10).fixed + WEIGHT.fixed
    assert order_peak_bytes(kernels, order, 1, {0}) == at_the_end + WEIGHT.fixed
    assert order_peak_bytes(kernels, order, 1) == at_the_end + 2 * WEIGHT.fixed


def test_each_of_several_results_counts_until_it_is_read_last():
    make = Maker()
    several = make.add("call", size=IMAGE.times(2))
    first = make.add("call", several)
    second = make.add("call", several, first)
    make.root(second)
    kernels = fused(make)
    order = list(kernels)
    one_by_one = {several: (Result(IMAGE, (first,), stays=False), Result(IMAGE, (second,), stays=False))}
    saved = order_peak_bytes(kernels, order, 16) - order_peak_bytes(kernels, order, 16, results=one_by_one)
    assert saved == IMAGE.at(16)


def test_zeros_that_are_there_to_be_copied_are_made_first_where_the_order_goes_to_the_depth():
    make = Maker()
    deep = make.add("call", make.add("call"))
    zeros = make.add("spread", size=IMAGE.times(2), scratch=Scratch(IMAGE, ANY_SIZE))
    make.root(make.add("call", zeros, deep))
    kernels = {i: Kernel(n, dict.fromkeys(n.operands, False)) for i, n in enumerate(make.module.instructions)}
    depth_first = ORDERS[1](kernels, 16, {})
    assert depth_first[0] == zeros


def test_results_are_wanted_in_the_order_of_the_weights():
    make = Maker(2)
    first, second = make.add("call"), make.add("call")
    slot, weight = make.update(1, first), make.update(0, second)
    post_order = frugal_orders(fused(make), 16)
    assert any(order.index(weight) < order.index(slot) for order in post_order)
