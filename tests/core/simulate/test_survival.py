"""What must be allowed is more than the peak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.recorded_trace import of_one_run
from app.core.simulate.survival import CONSECUTIVE, MOST_SHARE, STEP_SHARE, smallest_cap, survivable_share, survives
from app.core.types.units import MIB
from tests.core.simulate.test_recorded_trace import trace

RECORDING = of_one_run(trace(1, weights=(MIB, MIB, MIB), activations=(4 * MIB,)))
"""Regions of 2 and 4 MiB hold the weights; of the third, what a request of 4 MiB finds is what the cap leaves."""


def test_a_chunk_that_fits_into_no_region_needs_more_than_the_peak():
    assert RECORDING.peaks(1).later_bytes == (7 * MIB,)
    assert not survives(RECORDING, 1, 9 * MIB, 1, regions_grow=True)
    assert survives(RECORDING, 1, 10 * MIB, 1, regions_grow=True)
    assert 10 / 7 <= survivable_share(RECORDING, 1, 7 * MIB) <= 10 / 7 + 2 * STEP_SHARE


def test_one_region_needs_no_more_than_the_peak_where_nothing_is_cut():
    assert survivable_share(RECORDING, 1, 7 * MIB, regions_grow=False) == pytest.approx(1.0)


def test_a_peak_that_is_far_too_low_gives_up():
    recording = of_one_run(trace(1, weights=(40 * MIB,)))
    assert survivable_share(recording, 1, 4 * MIB) == pytest.approx(MOST_SHARE, abs=0.03)


@given(weights=st.lists(st.integers(1, 1 << 24), min_size=1, max_size=6), batch=st.integers(1, 64))
def test_what_survives_was_allowed_at_least_the_peak(weights, batch):
    recording = of_one_run(trace(batch, weights=tuple(weights), activations=(1 << 17,)))
    peak = recording.peaks(batch).later_bytes[0]
    assert not survives(recording, batch, sum(weights) // 2, 1, regions_grow=True)
    assert survives(recording, batch, 4 * peak + 4 * MIB, 1, regions_grow=True)


def test_a_cap_that_does_at_once_is_the_answer():
    assert smallest_cap(lambda cap: cap >= 99 * MIB, 100 * MIB + 5) == pytest.approx(100 * MIB + 5, abs=2)


@given(least=st.integers(20, 400), enough=st.integers(1, 400))
def test_the_smallest_cap_is_enough_and_little_more_than_that(least, enough):
    found = smallest_cap(lambda cap: cap >= enough * MIB, least * MIB)
    if enough < MOST_SHARE * least * (1 - CONSECUTIVE * STEP_SHARE):
        assert found >= enough * MIB
        assert found <= max(least, enough + STEP_SHARE * least + 1) * MIB
    else:
        assert found <= MOST_SHARE * least * MIB * (1 + STEP_SHARE)


def test_a_cap_between_others_that_fail_does_not_count():
    survivors = {100 * MIB: False, 102 * MIB: True, 104 * MIB: False}
    found = smallest_cap(lambda cap: survivors.get(round(cap / MIB) * MIB, True), 100 * MIB)
    assert found == pytest.approx(106 * MIB, rel=1e-6)
