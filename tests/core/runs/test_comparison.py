"""Intervals of paired rounds: what is known from tables, and how often noise makes a winner."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.runs.comparison import (
    FEWEST_ROUNDS,
    Ratio,
    _critical_rank,
    fastest_of,
    paired_ratio,
    ratio_words,
    ratios,
    waits_for_data,
    winner,
)

TIMES = st.lists(st.floats(0.01, 10), min_size=FEWEST_ROUNDS, max_size=20)


@pytest.mark.parametrize(("n", "rank"), [(5, 0), (6, 1), (7, 3), (8, 4), (10, 9), (12, 14), (16, 30), (20, 53)])
def test_the_ranks_are_those_of_the_published_table(n, rank):
    # Critical values of the signed-rank statistic, two-sided 5 %, are rank - 1: 0, 2, 3, 8, 13, 29, 52.
    assert _critical_rank(n) == rank


@given(a=TIMES, b=TIMES)
def test_a_ratio_lies_in_its_interval_and_turns_round(a, b):
    there, back = paired_ratio({"a": a, "b": b}, "a", "b"), paired_ratio({"a": a, "b": b}, "b", "a")
    assert there is not None
    assert back is not None
    if there.low is None or there.high is None:
        assert there.rounds < FEWEST_ROUNDS
        return
    assert there.low <= there.median * (1 + 1e-9)
    assert there.median <= there.high * (1 + 1e-9)
    assert back.median == pytest.approx(1 / there.median)
    assert (back.low, back.high) == pytest.approx((1 / there.high, 1 / there.low))


@given(a=TIMES, factor=st.floats(0.5, 2))
def test_a_constant_ratio_is_found_exactly(a, factor):
    ratio = paired_ratio({"a": [factor * t for t in a], "b": a}, "a", "b")
    assert ratio is not None
    assert (ratio.median, ratio.low, ratio.high) == pytest.approx((factor, factor, factor))


def simulated(rng: np.random.Generator, factors: list[float], rounds: int = 16) -> dict[str, list[float]]:
    """A drifting, bursty machine that is timed in turns A B, B A, …; log-normal noise and rare bursts."""
    times: dict[str, list[float]] = {str(i): [0.0] * rounds for i in range(len(factors))}
    walk = 0.0
    for number in range(rounds):
        order = range(len(factors)) if number % 2 == 0 else reversed(range(len(factors)))
        for place in order:
            walk += rng.normal(0.005, 0.01)
            burst = 1.5 if rng.random() < 0.05 else 1.0
            times[str(place)][number] = factors[place] * math.exp(walk + rng.normal(0, 0.02)) * burst
    return times


@pytest.mark.parametrize("variants", [2, 3, 5])
def test_equal_variants_have_a_winner_in_at_most_one_of_twenty(variants):
    rng = np.random.default_rng(1)
    false_winners = sum(winner(simulated(rng, [1.0] * variants)) is not None for _ in range(400))
    assert false_winners <= 0.05 * 400 + 2 * math.sqrt(400 * 0.05 * 0.95)


def test_a_difference_of_a_tenth_is_seen_and_covered():
    rng = np.random.default_rng(2)
    found = [simulated(rng, [1.0, 0.9]) for _ in range(200)]
    assert sum(winner(times) == "1" for times in found) >= 170
    inside = 0
    for times in found:
        ratio = paired_ratio(times, "1", "0")
        assert ratio is not None
        assert ratio.low is not None
        assert ratio.high is not None
        inside += ratio.low <= 0.9 <= ratio.high
    assert inside >= 0.92 * 200


def test_too_few_rounds_name_nobody():
    times = {"a": [1.0] * 5, "b": [2.0] * 5}
    assert winner(times) is None
    (ratio,) = ratios(times)
    assert (ratio.low, ratio.high, ratio.rounds) == (None, None, 5)
    assert "too few" in ratio_words(ratio)


def test_rounds_in_which_one_is_missing_do_not_count():
    times = {"a": [1.0] * 6 + [None] * 4, "b": [2.0] * 10, "c": [None] * 10}
    ratio = paired_ratio(times, "a", "b")
    assert ratio is not None
    assert (ratio.rounds, ratio.median) == (6, 0.5)
    assert paired_ratio(times, "a", "c") is None
    assert winner(times) == "a"
    assert fastest_of({"c": [None]}) is None
    assert ratios({"c": [None]}) == ()


def test_every_variant_is_held_against_the_first_and_the_fastest():
    times = {"base": [2.0] * 6, "b": [1.0] * 6, "c": [3.0] * 6}
    assert [(r.of, r.to) for r in ratios(times)] == [("b", "base"), ("c", "base"), ("b", "c")]


def test_words():
    assert ratio_words(Ratio("xla on", "xla off", 0.5, 0.4, 0.8, 16)) == (
        "xla on is 2.00 times as fast as xla off (1.25 to 2.50)"
    )
    assert "takes 2.00 times as long" in ratio_words(Ratio("a", "b", 2, 1.5, 2.5, 16))
    assert ratio_words(Ratio("a", "b", 1, 0.97, 1.05, 16)) == (
        "a and b: no difference that can be seen (between −3.0 % and +5.0 % of the time)"
    )


def test_case_s4_waits_for_data():
    assert waits_for_data(on_gpu=True, gpu_percent=11, cpu_percent=60, bound_by="compute")
    assert not waits_for_data(on_gpu=True, gpu_percent=95, cpu_percent=60, bound_by="compute")
    assert not waits_for_data(on_gpu=True, gpu_percent=11, cpu_percent=5, bound_by="compute")
    assert not waits_for_data(on_gpu=False, gpu_percent=1, cpu_percent=80, bound_by="compute")
    assert not waits_for_data(on_gpu=True, gpu_percent=None, cpu_percent=80, bound_by=None)
    assert waits_for_data(on_gpu=False, gpu_percent=None, cpu_percent=None, bound_by="input")
