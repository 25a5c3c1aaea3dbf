"""The bisection of the largest batch that trains on a card."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studies.accuracy.card_largest import CLOSE, largest


@given(limit=st.integers(0, 20_000), begin=st.integers(1, 20_000))
def test_the_largest_is_found_from_anywhere_and_within_half_a_percent(limit, begin):
    found = largest(lambda batch: batch <= limit, begin)
    assert found <= limit
    assert limit - found <= max(0, found // CLOSE)


def test_a_right_guess_is_confirmed_by_few_trainings():
    asked = []

    def trains(batch):
        asked.append(batch)
        return batch <= 640

    assert largest(trains, 640) in range(637, 641)
    assert len(asked) <= 5
