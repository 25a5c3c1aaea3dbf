"""Reports: complete, self-contained, and safe with any text."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.measurement import Sample
from app.services.report import (
    escape_markdown,
    report_html,
    report_json,
    report_markdown,
    report_print_html,
)
from app.services.report_view import PLOT_HEIGHT, PLOT_WIDTH, stacked, step_plot, view_of
from tests.cli import answers

EVIL = '<script>alert("x")</script> | `a` *b*'


class Checker(HTMLParser):
    """Notes what would be fetched or run, and whether every element is closed."""

    VOID = ("meta", "br", "img", "rect", "line", "polyline")

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.scripts = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.fetched += [value for name, value in attrs if name in {"src", "href", "xlink:href"}]
        self.scripts += tag == "script"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("write", [report_html, report_print_html])
@pytest.mark.parametrize("result", [answers.SUCCEEDED, answers.NO_MEMORY, answers.CRASHED])
@pytest.mark.parametrize("prediction", [answers.PREDICTION, None])
def test_html_is_whole_and_fetches_nothing(write, result, prediction):
    checker = Checker()
    checker.feed(write(answers.run(result, prediction)))
    assert checker.open == []
    assert checker.fetched == []
    assert checker.scripts == 0


@pytest.mark.parametrize("write", [report_html, report_print_html])
def test_texts_of_users_are_escaped(write):
    page = write(answers.run(note=EVIL))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("write", [report_html, report_print_html, report_markdown])
def test_every_report_has_verdict_numbers_and_marks(write):
    page = write(answers.run(note="a note"))
    for words in ("Fits: needs ~ 1.0 GiB of 4.0 GiB", "✓ 20 ms", "on battery", "562,474", "a note"):
        assert words in page


def test_markdown_keeps_its_tables_whatever_the_note_says():
    page = report_markdown(answers.run(note=EVIL + "\nnext line"))
    row = next(line for line in page.splitlines() if line.startswith("| Note"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert "next line" in row


def test_every_markdown_table_has_rows_of_one_width():
    for block in report_markdown(answers.run()).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 1


@given(st.text())
def test_escaped_text_is_one_line_without_bare_signs(text):
    escaped = escape_markdown(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`*<>]", escaped)


def test_json_holds_the_whole_run():
    document = json.loads(report_json(answers.run()))
    assert document["schema"] == 1
    assert document["run"]["run_id"] == 7
    assert len(document["run"]["result"]["samples"]) == 2


def test_the_bar_adds_up():
    segments = stacked(answers.PREDICTION)
    assert [s.name for s in segments] == ["Weights", "Activations"]
    assert sum(s.width_percent for s in segments) == pytest.approx(100)
    assert segments[1].start_percent == pytest.approx(segments[0].width_percent)


def test_a_measured_peak_does_not_make_the_parts_measured():
    memory = replace(answers.PREDICTION.memory, basis="measured")
    view = view_of(answers.run(prediction=replace(answers.PREDICTION, memory=memory)))
    assert "✓ 1.0 GiB" in view.verdict
    assert view.segments[0].text.startswith("≈")


def test_the_plot_stays_in_its_frame():
    samples = tuple(Sample(t / 10, "measure", t, 0.02 + t / 1000) for t in range(20))
    plot = step_plot(samples)
    for point in plot.points.split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= PLOT_WIDTH
        assert 0 <= y <= PLOT_HEIGHT
    assert step_plot(samples[:1]) is None
    assert step_plot(()) is None
