"""The order that always runs what frees most, result by result."""

import pytest
from hypothesis import given

from app.core.simulate.xla.hlo import Scratch
from app.core.simulate.xla.list_scheduler import list_order
from app.core.simulate.xla.results import Result
from app.core.types.stepgraph import PerBatch
from tests.core.simulate.xla.test_fusion import modules
from tests.core.simulate.xla.test_schedule import fused
from tests.core.xla_modules import IMAGE, WEIGHT, Maker

SCALAR = PerBatch(4)


def order_of(make, results=None):
    return list_order(fused(make), 16, results or {})


@given(make=modules())
def test_each_kernel_runs_once_and_after_what_it_reads(make):
    kernels = fused(make)
    order = list_order(kernels, 16, {})
    assert sorted(order) == sorted(kernels)
    place = {index: moment for moment, index in enumerate(order)}
    assert all(place[o] < place[i] for i, k in kernels.items() for o in k.operands)


def test_a_scalar_is_computed_as_soon_as_it_can_be():
    make = Maker()
    image = make.add("call")
    number, small = make.add("call", image, size=SCALAR), make.add("call", image, size=WEIGHT)
    make.root(number, small)
    order = order_of(make)
    assert order.index(number) < order.index(small)


def test_what_is_there_in_any_order_costs_nothing():
    """A weight that nobody has read is no reason to run what reads an image first."""
    make = Maker()
    small = make.add("call", 0, size=PerBatch(400))
    large = make.add("call", size=WEIGHT)
    make.root(small, large)
    order = order_of(make)
    assert order[0] == 0
    assert order.index(small) < order.index(large)


def test_of_equals_whoever_became_ready_last_goes_first():
    make = Maker()
    one, two = make.add("call"), make.add("call")
    make.root(one, two)
    order = order_of(make)
    assert order.index(two) < order.index(one)


def several(*, stays):
    """A kernel with two results, one of which may be a new weight, and what reads the other; beside it an image."""
    make = Maker()
    both = make.add("call", size=IMAGE.times(2))
    reader, other = make.add("call", both, size=IMAGE.times(0.5)), make.add("call", size=IMAGE.times(0.25))
    make.root(reader, other)
    results = {both: (Result(IMAGE, (reader,), stays=False), Result(IMAGE, (), stays=stays))}
    return order_of(make, results), both, reader, other


@pytest.mark.parametrize("stays", [False, True])
def test_of_several_results_only_what_is_read_last_is_freed(stays):
    order, both, reader, other = several(stays=stays)
    assert order.index(both) < order.index(reader)
    assert order.index(reader) < len(order) - 1
    assert order.index(other) < order.index(both)  # two images are dearer than a quarter of one


def test_room_to_work_in_is_free_once_the_result_is_taken_out():
    """Of two kernels with one result each, that with room takes more and goes last; its room frees nothing later."""
    make = Maker()
    roomy = make.add("call", scratch=Scratch(IMAGE.times(4), 10**9))
    plain = make.add("call")
    make.root(make.add("call", roomy, size=SCALAR), make.add("call", plain, size=SCALAR))
    order = order_of(make)
    assert order.index(plain) < order.index(roomy)
