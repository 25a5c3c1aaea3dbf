"""Case S2 in small: each way out of "out of memory" is trained, and saves what was predicted."""

from __future__ import annotations

from statistics import median

import pytest

from studies.accuracy.ways_out import find_ways

pytestmark = pytest.mark.worker

TYPICAL = 0.2
FAR_OFF = 0.4
"""The truth of a small recurrent step moves by a tenth from process to process; `python -m studies.accuracy.ways_out`
prints the table."""
EXPECTED = {"batch_smaller", "accumulate", "mixed_precision", "remat", "freeze", "shorter_sequence", "fewer_layers"}


@pytest.fixture(scope="module")
def ways():
    found = find_ways("two_lstm_small", 512, together=True, wanted=lambda proposal: proposal.id in EXPECTED)
    return {way.id: way for way in found}


def test_every_way_out_of_the_case_is_proposed(ways):
    assert set(ways) == EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_way_out_saves_what_was_predicted(ways, name):
    way = ways[name]
    assert way.predicted_effect == pytest.approx(way.measured_effect, rel=FAR_OFF), way


def test_the_typical_way_out_is_predicted_closely(ways):
    assert median(abs(way.error) for way in ways.values()) <= TYPICAL
