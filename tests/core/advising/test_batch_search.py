"""The search for the largest and the fastest batch, over simulated truths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.advising.batch_search import (
    CLIFF,
    CLIFF_BRACKET,
    HEADROOM,
    MOST_TRIALS,
    NOTABLE,
    Search,
    Trial,
    fast_batches,
    largest_batch,
    next_trial,
    rounded_down,
)

MIB = 1024**2
LIMIT = 2048 * MIB


def saturating(batch: int) -> float:
    """Samples per second that rise with the batch, as on a card."""
    return 1000 * batch / (batch + 20)


def falling(batch: int) -> float:
    """The smaller the faster, as in a processor's cache."""
    return 1000 / (1 + batch / 200)


def drive(
    search: Search, needed: Callable[[int], float], speed: Callable[[int], float] = saturating, limit: float = LIMIT
) -> tuple[Search, str]:
    """Play a search against a truth; every batch is asked for once only."""
    while isinstance(batch := next_trial(search), int):
        assert 1 <= batch <= search.most
        assert batch not in [trial.batch_size for trial in search.trials]
        assert len(search.trials) < MOST_TRIALS
        fits = needed(batch) <= limit
        found = Trial(batch, fits, speed(batch), int(needed(batch))) if fits else Trial(batch, False)
        search = search.after(found)
    return search, batch


def linear(fixed: float, each: float) -> Callable[[int], int]:
    return lambda batch: int((fixed + each * batch) * MIB)


nets = st.tuples(st.floats(1, 1900), st.floats(0.01, 500))
speeds = st.sampled_from([saturating, falling])


@example(net=(71.0, 1.875), error=-0.25, speed=saturating, most=1000)  # ends at 992: 8 more are not worth a trial
@given(net=nets, error=st.floats(-0.3, 0.3), speed=speeds, most=st.sampled_from([1, 7, 1000, 60_000, 1 << 22]))
def test_it_always_ends_with_a_batch_that_ran(net, error, speed, most):
    predicted = linear(*net)
    truth = lambda batch: predicted(batch) * (1 + error)  # noqa: E731
    search, why = drive(Search(predicted, LIMIT, most), truth, speed)
    found = largest_batch(search)
    if found is None:
        assert why == "nothing_fits"
        assert truth(1) > LIMIT
        return
    assert truth(found) <= LIMIT
    assert all(truth(batch) <= LIMIT for batch in fast_batches(search))
    nearly = found == most or truth(int(1.16 * found) + 1) > (1 - HEADROOM) * LIMIT
    assert nearly or why in ("trials", "time_cliff") or (why == "dataset_size" and most <= NOTABLE * found)


@given(net=nets, error=st.floats(-0.03, 0.03), speed=speeds, most=st.sampled_from([1000, 60_000, 1 << 22]))
def test_a_prediction_within_three_per_cent_needs_three_trials(net, error, speed, most):
    predicted = linear(*net)
    truth = lambda batch: predicted(batch) * (1 + error)  # noqa: E731
    search, _ = drive(Search(predicted, LIMIT, most), truth, speed)
    if largest_batch(search) is not None:
        assert len(search.trials) <= 3


@given(
    net=nets,
    fixed=st.floats(-0.5, 0.5),
    each=st.floats(-0.3, 0.3),
    limit=st.floats(0.7, 1.3),
    spill=st.none() | st.floats(0.3, 0.9),
)
def test_errors_of_any_shape_a_wrong_limit_and_a_spill_end_too(net, fixed, each, limit, spill):
    predicted, truth = linear(*net), linear(net[0] * (1 + fixed), net[1] * (1 + each))

    def speed(batch: int) -> float:
        spilled = spill is not None and truth(batch) > spill * LIMIT
        return saturating(batch) * (0.25 if spilled else 1.0)

    search, _ = drive(Search(predicted, LIMIT, 1 << 22), truth, speed, limit * LIMIT)
    found = largest_batch(search)
    assert found is None or truth(found) <= limit * LIMIT


@given(fails_from=st.integers(2, 100_000), most=st.integers(1, 200_000))
def test_without_any_limit_it_doubles_and_closes_in(fails_from, most):
    search, why = drive(Search(lambda batch: 1, None, most), float, limit=fails_from - 1)
    found = largest_batch(search)
    if why != "trials":
        assert found is not None
        assert found < fails_from
        assert found == most or 1.2 * found + 1 >= min(fails_from, most)


def test_trials_by_error_of_the_prediction(capsys):
    """The table of the report: how many trials a search takes, by how wrong the prediction was."""
    with capsys.disabled():
        print()
        for percent in (-30, -20, -10, -5, -3, 0, 3, 5, 10, 20, 30):
            counts: Counter[int] = Counter()
            for fixed in (5, 100, 400, 1200):
                for each in (0.05, 1.0, 30.0):
                    predicted = linear(fixed, each)
                    error = 1 + percent / 100
                    search, _ = drive(Search(predicted, LIMIT, 1 << 22), lambda b, p=predicted, e=error: p(b) * e)
                    counts[len(search.trials)] += 1
            print(f"  prediction off by {percent:+3d} %: trials {dict(sorted(counts.items()))}")
            assert max(counts) <= (3 if abs(percent) <= 3 else 8)


def test_the_first_trial_leaves_headroom_below_the_limit():
    first = next_trial(Search(linear(0, 1), LIMIT, 1 << 22))
    assert isinstance(first, int)
    assert (1 - HEADROOM) / 1.04 <= first * MIB / LIMIT <= 1 - HEADROOM


def test_a_spill_that_does_not_fail_is_found_by_its_speed():
    spilled = 1000

    def speed(batch: int) -> float:
        return 100.0 if batch <= spilled else 0.5 * CLIFF * 100

    search, why = drive(Search(linear(0, 1), LIMIT, 1 << 22), linear(0, 1), speed)
    assert why == "time_cliff"
    assert spilled / CLIFF_BRACKET <= (largest_batch(search) or 0) <= spilled


def test_a_wide_interval_makes_the_first_trial_wary():
    first = next_trial(Search(linear(0, 1), LIMIT, 1 << 22, upper_bytes=linear(0, 1.25)))
    assert isinstance(first, int)
    assert first <= LIMIT / MIB / 1.25
    search, _ = drive(Search(linear(0, 1), LIMIT, 1 << 22, upper_bytes=linear(0, 1.25)), linear(0, 1.2))
    assert all(trial.fits for trial in search.trials)


def test_a_spill_that_was_seen_ends_the_search_below_it():
    search = Search(linear(0, 1), LIMIT, 1 << 22).after(Trial(1900, True, 100.0, 1900 * MIB, spilled=True))
    search = search.after(Trial(950, True, 100.0, 950 * MIB))
    assert largest_batch(search) == 950
    search, why = drive(search, linear(0, 1))
    assert why == "time_cliff"


def test_the_data_end_the_search():
    search, why = drive(Search(linear(0, 1), LIMIT, 500), linear(0, 1))
    assert (why, largest_batch(search)) == ("dataset_size", 500)


def test_the_fastest_batch_is_the_smallest_that_is_nearly_as_fast():
    search = Search(linear(0, 1), LIMIT, 1 << 22).after(Trial(1024, True, 98.0, 1024 * MIB))
    search = search.after(Trial(512, True, 100.0, 512 * MIB)).after(Trial(256, True, 80.0, 256 * MIB))
    assert fast_batches(search) == (512, 1024)


@pytest.mark.parametrize("batch", [1, 31, 33, 63, 65, 1000, 4097, 65_535])
def test_rounding_costs_little(batch):
    assert batch / 1.04 <= rounded_down(batch) <= batch
    assert NOTABLE > 1.04
