"""Figures: one number with its mark, the same in every face."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.text import show
from app.core.types.units import GIB
from app.presentation.estimate import verdict_lines
from app.presentation.figure import Figure, estimate_mark, measured, memory_mark
from app.presentation.run import comparisons
from app.presentation.verdict import needs_words, verdict_state
from app.services.reports.view import report_blocks
from app.ui.kit.quantities import interval_text, written
from tests.cli import answers


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(GIB, "bytes", "predicted"), "~ 1.0 GiB"),
        (Figure(None, "bytes", "predicted"), "not available"),
        (Figure(0.0, "seconds", "measured"), "✓ 0 µs"),
        (Figure(12_800.4, "samples_per_s", "scaled"), "≈ 12,800"),
        (Figure(2.345, "samples_per_s"), "2.3"),
        (Figure(40.2, "percent"), "40 %"),
        (Figure(wording="256 × 4", mark="scaled"), "≈ 256 × 4"),
    ],
)
def test_a_figure_says_its_mark_and_its_unit(figure, text):
    assert figure.marked == text


def test_what_was_not_measured_has_no_mark():
    assert (measured(None, "bytes").mark, measured(1, "bytes").mark) == ("none", "measured")


@pytest.mark.parametrize(
    ("basis", "needed", "parts"),
    [("traced", "predicted", "predicted"), ("calibrated", "scaled", "scaled"), ("measured", "measured", "scaled")],
)
def test_a_run_measures_what_is_needed_but_only_scales_its_parts(basis, needed, parts):
    assert (memory_mark(basis), estimate_mark(basis)) == (needed, parts)


@given(st.floats(1, 1e15), st.sampled_from(["bytes", "seconds", "count", "percent", "watt_hours", "times"]))
def test_without_another_language_the_window_writes_what_the_terminal_writes(amount, unit):
    assert written(Figure(amount, unit)) == Figure(amount, unit).text


def test_an_interval_names_a_common_unit_once():
    assert interval_text(Figure(3, "bytes", low=GIB, high=2 * GIB)) == "1.0–2.0 GiB"
    assert Figure(3, "bytes", low=GIB, high=2 * GIB).range == "1.0 GiB to 2.0 GiB"
    assert interval_text(Figure(3, "bytes", low=GIB)) == Figure(3, "bytes", low=GIB).range == ""


def test_terminal_report_and_window_give_the_same_verdict(capsys):
    state = verdict_state(answers.PREDICTION)
    show(*verdict_lines(answers.PREDICTION))
    assert needs_words(state) in capsys.readouterr().out
    assert any(needs_words(state) in getattr(block, "rest", "") for block in report_blocks(answers.run()))
    assert written(state.needed) in needs_words(state)


def test_where_nothing_is_allowed_nothing_is_said_of_it():
    unknown = replace(answers.PREDICTION, fit=replace(answers.PREDICTION.fit, allowed_bytes=None))
    assert "allowed" not in needs_words(verdict_state(unknown))


def test_an_estimate_from_an_earlier_run_is_an_estimate_of_this_one():
    memory, time = answers.PREDICTION.memory, answers.PREDICTION.time
    known = replace(answers.PREDICTION, memory=replace(memory, basis="measured"), time=replace(time, basis="measured"))
    marks = {row.estimated.mark for row in comparisons(known, answers.MEASURED) if row.estimated.known}
    assert marks == {"scaled"}
    assert not any(row.known for row in comparisons(None, None))
