import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.intervals import (
    COVERAGE,
    Judged,
    Sharpening,
    agreed_bias,
    repeat_width,
    score,
    scores_by_model,
    sharpen,
    student_t_95,
    width_factor,
)

SCORES = st.lists(st.floats(-20, 20), max_size=40)
POSITIVE = st.floats(1.0, 1e12)


def test_without_a_run_nothing_changes():
    assert sharpen([]) == Sharpening(1.0, 0.0, 0)
    assert width_factor([]) == pytest.approx(1)


@pytest.mark.parametrize(("count", "expected"), [(1, 0.929), (4, 0.782), (10, 0.621), (40, 0.369)])
def test_hits_narrow_slowly_and_by_a_known_amount(count, expected):
    assert width_factor([0.0] * count) == pytest.approx(expected, abs=0.002)


def test_a_miss_widens():
    assert width_factor([2.5]) >= 2.5
    assert width_factor([0.1] * 8 + [2.5]) >= 2.5


@given(SCORES, st.data())
def test_a_larger_error_never_narrows(scores, data):
    if not scores:
        return
    position = data.draw(st.integers(0, len(scores) - 1))
    worse = [*scores]
    worse[position] *= data.draw(st.floats(1, 5))
    assert width_factor(worse) >= width_factor(scores) * (1 - 1e-12)


@given(SCORES)
def test_another_hit_never_widens(scores):
    assert width_factor([*scores, 0.0]) <= width_factor(scores) + 1e-9


@given(SCORES)
def test_never_below_what_was_seen(scores):
    sizes = sorted(abs(s) for s in scores)
    factor = width_factor(scores)
    held = sum(size <= factor + 1e-12 for size in sizes)
    assert held >= min(len(sizes), math.ceil(COVERAGE * len(sizes)))
    if 0 < len(sizes) < 9:
        assert factor >= sizes[-1]


@given(st.floats(0.2, 3), st.integers(1, 30))
def test_a_constant_bias_is_not_taken_for_precision(bias, count):
    """All runs alike in their error have no spread at all; the interval must hold the error all the same."""
    found = sharpen([bias] * count)
    value, low, high = found.applied(100.0, 80.0, 122.0)
    truth = 100.0 * math.exp(bias * math.log(1.22))
    assert low <= truth <= high * (1 + 1e-9)
    assert 100 <= value <= truth * (1 + 1e-9)


@pytest.mark.parametrize(
    ("scores", "bias"),
    [
        ([], 0),
        ([0.5] * 4, 0),
        ([0.5, 0.3, 0.4, 0.6, 0.9], 0.3),
        ([-0.5, -0.3, -0.4, -0.6, -0.9], -0.3),
        ([0.5, -0.1, 0.4, 0.6, 0.9], 0),
        ([0.5, -0.1, 0.4, 0.6, 0.9, 0.2, 0.3, 0.7], 0.2),
    ],
)
def test_a_bias_is_what_the_runs_agree_on(scores, bias):
    assert agreed_bias(scores) == bias


@given(SCORES)
def test_a_bias_has_no_side_of_its_own(scores):
    assert agreed_bias([-score for score in scores]) == -agreed_bias(scores)


@given(SCORES, POSITIVE, st.floats(0.3, 1), st.floats(1, 3))
def test_the_value_stays_inside_its_interval(scores, value, low, high):
    moved, lower, upper = sharpen(scores).applied(value, value * low, value * high)
    assert lower * (1 - 1e-9) <= moved <= upper * (1 + 1e-9)


@pytest.mark.parametrize("scale", [0.3, 1.0])
@pytest.mark.parametrize("shape", ["normal", "laplace", "student"])
@pytest.mark.parametrize("count", [0, 1, 3, 8, 20, 60])
def test_nine_in_ten_truths_are_held_whatever_the_errors_look_like(shape, scale, count):
    """Errors whose prior interval held 90 % (scale 1) or nearly all (0.3), drawn afresh for each of 1500 machines."""
    generator = random.Random(f"{shape}{scale}{count}")
    trials = 1500
    held = sum(
        abs(scale * _draw(generator, shape)) <= width_factor([scale * _draw(generator, shape) for _ in range(count)])
        for _ in range(trials)
    )
    assert held / trials >= COVERAGE - 0.03


def test_an_interval_that_was_too_narrow_is_mended_by_a_few_runs():
    """Errors of twice the prior's scale: 59 % inside before, 80 % after four runs, 90 % after nine or more."""
    generator = random.Random(7)
    trials = 2000

    def held(count):
        inside = 0
        for _ in range(trials):
            factor = width_factor([2 * _draw(generator, "normal") for _ in range(count)])
            inside += abs(2 * _draw(generator, "normal")) <= factor
        return inside / trials

    assert held(0) < 0.65
    assert held(4) > 0.75
    assert held(12) > 0.87


def test_runs_of_one_model_count_once_with_the_worst():
    assert scores_by_model([("a", 0.1), ("b", -0.2), ("a", -0.9), ("a", 0.4)]) == (-0.9, -0.2)


def test_a_score_is_one_at_the_edge_of_the_interval():
    assert score(Judged(100, 80, 125, 125)) == pytest.approx(1)
    assert score(Judged(100, 80, 125, 80)) == pytest.approx(-1)
    assert score(Judged(100, 80, 125, 100)) == 0
    assert score(Judged(100, 100, 100, 101)) > 1
    assert Judged(100, 80, 125, 126).inside is False
    assert Judged(100, 80, 125, 90).error == pytest.approx(1 / 9)


def test_one_measurement_is_worth_its_width_and_repeats_show_their_own():
    assert repeat_width([100.0], 0.03) == pytest.approx(0.03)
    assert repeat_width([100.0, 100.0, 100.0], 0.03) < 0.03
    assert repeat_width([100.0, 108.0], 0.03) >= 0.08


def test_the_percentile_of_students_t_is_that_of_the_tables():
    for degrees, tabled in ((8, 1.860), (10, 1.812), (20, 1.725), (60, 1.671)):
        assert student_t_95(degrees) == pytest.approx(tabled, abs=0.003)


def _draw(generator, shape):
    """An error whose 90 % interval is -1 to 1."""
    if shape == "normal":
        return generator.gauss(0, 1) / 1.645
    if shape == "laplace":
        return generator.choice((-1, 1)) * generator.expovariate(1) / math.log(10)
    normal = generator.gauss(0, 1)
    return normal / math.sqrt(sum(generator.gauss(0, 1) ** 2 for _ in range(3)) / 3) / 2.353
