import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.overlap import elapsed_s


def test_two_serial_operations_run_side_by_side_on_two_cores():
    assert elapsed_s([(), ()], [1.0, 1.0], [1.0, 1.0], threads=2, cores=2) == pytest.approx(1.0)


def test_operations_that_use_every_core_gain_nothing_from_each_other():
    assert elapsed_s([(), ()], [1.0, 1.0], [2.0, 2.0], threads=2, cores=2) == pytest.approx(2.0)


def test_a_serial_operation_beside_a_spread_one_takes_a_share_of_the_cores():
    # Three threads' worth of work on two cores: both run at two thirds until the short one ends.
    found = elapsed_s([(), ()], [2.0, 1.0], [2.0, 1.0], threads=2, cores=2)
    assert found == pytest.approx(1.5 + 1.0)


def test_a_chain_takes_the_sum_of_its_parts():
    assert elapsed_s([(), (0,), (1,)], [1.0, 2.0, 3.0], [1.0] * 3, threads=4, cores=4) == pytest.approx(6.0)


@given(alone=st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=12), threads=st.integers(1, 4), data=st.data())
def test_a_step_takes_no_longer_than_the_sum_and_no_shorter_than_the_work_over_the_cores(alone, threads, data):
    after = [tuple(data.draw(st.sets(st.integers(0, i - 1), max_size=2))) if i else () for i in range(len(alone))]
    spread = [data.draw(st.floats(1.0, threads)) for _ in alone]
    found = elapsed_s(after, alone, spread, threads=threads, cores=threads)
    work = sum(a * s for a, s in zip(alone, spread, strict=True))
    assert work / threads * (1 - 1e-9) <= found <= sum(alone) * (1 + 1e-9)
