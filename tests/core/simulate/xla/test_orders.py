import pytest
from hypothesis import given

from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.hlo import ANY_SIZE, Scratch
from app.core.simulate.xla.orders import ORDERS, frugal_orders, order_peak_bytes
from app.core.simulate.xla.results import Result
from app.core.simulate.xla.schedule import breadth_first, with_copies
from app.core.types.stepgraph import PerBatch
from tests.core.simulate.xla.test_fusion import modules
from tests.core.simulate.xla.test_schedule import fused, learning
from tests.core.xla_modules import IMAGE, WEIGHT, Maker


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
