"""The statistics that the accuracy commands report, on numbers worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.accuracy.command import percent, read_table, signed, table
from studies.accuracy.figures import Pair, percentile, rounded, share, summary


def test_a_pair_knows_its_signed_error_and_its_interval():
    pair = Pair(110, 100, 90, 120)
    assert pair.error == pytest.approx(0.1)
    assert pair.inside is True
    assert Pair(110, 100).inside is None
    assert Pair(110, 100, 101, 120).inside is False


def test_the_summary_of_three_pairs():
    pairs = [Pair(90, 100, 80, 99), Pair(105, 100, 100, 110), Pair(130, 100, 120, 140, highest=141)]
    found = summary(pairs)
    assert found["n"] == 3
    assert found["median_error"] == pytest.approx(0.1)
    assert found["worst_error"] == pytest.approx(0.3)
    assert found["median_signed_error"] == pytest.approx(0.05)
    assert found["coverage"] == pytest.approx(1 / 3)
    assert found["truth_above_high"] == pytest.approx(2 / 3)  # 100 > 99, and 141 > 140 for the highest run
    assert found["high_over_truth"] == pytest.approx(1.1)


def test_nothing_has_no_figures_and_no_zeros():
    found = summary([])
    assert found["n"] == 0
    assert {value for name, value in found.items() if name != "n"} == {None}
    assert percentile([], 0.5) is None
    assert share([]) is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_lies_within_the_values(values, position):
    found = percentile(values, position)
    assert found is not None
    assert min(values) - 1e-6 <= found <= max(values) + 1e-6


def test_percentiles_interpolate():
    assert percentile([0, 10], 0.95) == pytest.approx(9.5)
    assert percentile([3, 1, 2], 0.5) == 2


def test_rounding_reaches_into_structures():
    assert rounded({"a": [0.123456, {"b": 1.0 / 3}], "n": 3}) == {"a": [0.1235, {"b": 0.3333}], "n": 3}


def test_tables_are_aligned_and_unknown_is_a_dash():
    lines = table("title", ("name", "value"), [("a", None), ("long name", 12.5)]).splitlines()
    assert lines[0] == "title"
    assert len({len(line) for line in lines[1:]}) == 1
    assert lines[3].endswith("-")
    assert (percent(None), percent(0.125), signed(0.125)) == ("-", "12.5 %", "+12.5 %")


def test_a_missing_table_ends_with_a_clear_word(tmp_path):
    with pytest.raises(SystemExit) as ended:
        read_table(tmp_path, "profet_step_times.csv")
    assert "--data" in str(ended.value)
    assert str(tmp_path) in str(ended.value)
