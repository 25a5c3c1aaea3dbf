"""What shared runs may do to a prediction, and what they may not, whatever they say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.correction import apply
from app.core.predict.intervals import PRIOR_WEIGHT
from app.core.predict.strangers import DOUBTFUL, believed, of_strangers
from app.core.types.basis import Range
from app.core.types.predicted_memory import Need

TOLD = Range(1000.0, 800.0, 1300.0)
ABOVE, BELOW = math.log(1.3), math.log(1 / 0.8)


def corrected(errors, told=TOLD, raw=TOLD, fixed=0.0):
    """The prediction with what shared runs make of it."""
    found = of_strangers(told, errors, raw=raw, fixed=fixed)
    return told if found is None else found.of(told)


@given(st.lists(st.floats(-700, 700), max_size=40), st.integers(1, 25))
def test_the_value_stays_in_its_interval_and_the_interval_grows_by_no_more_than_twice(errors, copies):
    after = corrected(errors * copies)
    assert TOLD.low < after.value < TOLD.high
    assert after.low <= TOLD.low
    assert after.high >= TOLD.high
    assert after.low >= TOLD.value * math.exp(-DOUBTFUL * BELOW) * 0.999
    assert after.high <= TOLD.value * math.exp(DOUBTFUL * ABOVE) * 1.001


@given(st.lists(st.floats(-0.2, 0.2), min_size=1, max_size=30))
def test_the_interval_holds_nine_of_ten_errors_that_were_seen(errors):
    after = corrected(errors)
    seen = sum(after.low <= TOLD.value * math.exp(error) <= after.high for error in errors)
    assert seen >= math.floor(0.9 * len(errors))


def test_more_files_that_agree_count_more_and_all_together_at_most_as_much_as_the_prediction():
    moved = [corrected([ABOVE / 2] * n).value for n in (1, 4, PRIOR_WEIGHT, 500)]
    assert moved == sorted(moved)
    assert moved[0] == pytest.approx(1000 * math.exp(ABOVE / 2 / (1 + PRIOR_WEIGHT)))
    assert moved[-1] == moved[-2] == pytest.approx(1000 * math.exp(ABOVE / 4))


def test_a_few_forged_files_do_not_move_what_many_honest_ones_say():
    honest = [0.05, 0.06, 0.07, 0.08, 0.09]
    assert corrected([*honest, -0.3, -0.3]).value > 1000
    assert corrected([*honest, *[5.0] * 400]).value == corrected(honest).value, "too far off to be believed"


def test_those_too_far_off_are_counted_and_said():
    assert believed([0.1, 0.5, 0.53, -0.4, -0.5], TOLD) == (0.1, 0.5, -0.4)
    (line,) = of_strangers(TOLD, [0.1, 0.1, 9.0], raw=TOLD).explanation
    assert "2 shared runs" in line.name
    assert "1 left out as doubtful" in line.formula


def test_what_is_doubtful_does_not_depend_on_how_narrow_own_runs_have_made_the_interval():
    narrow = Range(1000.0, 990.0, 1010.0)
    after = corrected([0.2] * 8, told=narrow, raw=TOLD)
    assert narrow.low < after.value < narrow.high
    assert after.high >= 1000 * math.exp(0.2) * 0.999, "the errors that were seen"


def test_files_that_are_all_doubtful_change_nothing_and_that_is_said():
    found = of_strangers(TOLD, [9.0] * 500, raw=TOLD)
    assert found.of(TOLD) == pytest.approx(TOLD)
    assert "500 left out as doubtful" in found.explanation[0].formula


def test_an_error_is_one_of_the_prediction_before_anything_moved_it():
    moved = Range(1100.0, 880.0, 1430.0)
    after = corrected([math.log(1.1)] * 8, told=moved, raw=TOLD)
    assert after.value == pytest.approx(1100), "what own runs have moved already is not moved again"


def test_what_is_known_exactly_is_not_touched():
    need = Need(1500, 1300, 1800, None, dataset_bytes=500)
    found = of_strangers(need.range, [0.1] * 8, raw=need.range, fixed=500)
    after = apply(need, found)
    assert after.peak_bytes == 500 + round(1000 * math.exp(0.05))
    assert of_strangers(need.range, [0.1], raw=need.range, fixed=1500) is None


def test_nothing_shared_says_nothing():
    assert of_strangers(TOLD, [], raw=TOLD) is None
    assert of_strangers(None, [0.1], raw=None) is None
