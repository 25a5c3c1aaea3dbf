"""The machine's own speed: its range, and the interval that allows for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.runs.steadiness import SpeedRange, speed_range, widened
from app.core.types.measurement import MeasuredStep

STEP = MeasuredStep(median_s=0.1, low_s=0.09, high_s=0.12, n=50)
times = st.lists(st.floats(1e-4, 10.0), max_size=30)


def test_a_machine_that_slows_down_by_a_third_widens_the_interval_by_that():
    speed = speed_range([0.010, 0.010, 0.010, 0.0133])
    assert speed.notable
    assert speed.move == pytest.approx(0.33)
    wide = widened(STEP, speed)
    assert (wide.low_s, wide.median_s, wide.n) == (0.09, 0.1, 50)
    assert wide.high_s == pytest.approx(0.12 * 1.33)


def test_scatter_of_a_few_percent_changes_nothing():
    assert widened(STEP, speed_range([1.0, 1.02, 0.99, 1.01])) == STEP


def test_one_accident_among_many_readings_is_left_out():
    assert not speed_range([1.0, 1.01, 0.99, 1.0, 1.02, 1.0, 0.98, 3.0]).notable


@pytest.mark.parametrize("few", [[], [0.5], [0.0, 0.5]])
def test_fewer_than_two_readings_tell_nothing(few):
    assert speed_range(few) == SpeedRange()


@given(times)
def test_the_interval_never_shrinks_and_the_median_stays(readings):
    wide = widened(STEP, speed_range(readings))
    assert wide.low_s <= STEP.low_s <= wide.median_s == STEP.median_s <= STEP.high_s <= wide.high_s


@given(st.lists(st.floats(0.1, 10.0), min_size=2, max_size=6), st.floats(1.0, 3.0))
def test_a_slower_reading_never_narrows_it(readings, factor):
    before = speed_range(readings)
    after = speed_range([*readings, max(readings) * factor])
    assert after.move >= before.move - 1e-9


@given(times, st.floats(0.01, 100.0))
def test_the_unit_of_the_readings_does_not_matter(readings, scale):
    a, b = speed_range(readings), speed_range([t * scale for t in readings])
    assert (a.fastest, a.slowest) == pytest.approx((b.fastest, b.slowest))
