"""Reports: complete, self-contained, and safe with any text."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.machine import Gpu
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.prediction import BatchPoint
from app.core.types.run import Run
from app.core.types.text import Quantity, Text, phrase
from app.core.types.units import GIB, format_bytes
from app.core.types.workload import Dataset, ModelRef
from app.presentation.language import Language
from app.presentation.layout import said_all
from app.services.reports.charts import HEIGHT, WIDTH, Series, charts_of, line_chart
from app.services.reports.redaction import redacted
from app.services.reports.report import (
    FORMATS,
    escape_markdown,
    report_html,
    report_json,
    report_markdown,
    report_print_html,
    write_report,
)
from app.services.reports.view import Bar, report_blocks, stacked
from tests.cli import answers

EVIL = '<script>alert("x")</script> | `a` *b*'


class Quoting(Language):
    """Says every text in quotation marks, and no name."""

    def say(self, said: str) -> str:
        name = not isinstance(said, Text) or (said.template == "{text}" and not isinstance(said, Quantity))
        return said if name or not said else f"«{said}»"

    def phrase(self, template: str, context: str = "") -> str:
        return f"«{template}»"


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
    assert checker.scripts == (write is report_html), "data for programs, which a browser does not run"


@pytest.mark.parametrize("write", [report_html, report_print_html])
def test_texts_of_users_are_escaped(write):
    page = write(answers.run(note=EVIL))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("write", [report_html, report_print_html, report_markdown])
def test_every_report_has_verdict_numbers_and_marks(write):
    page = write(answers.run(note="a note"))
    for words in ("needs ~ 1.0 GiB of 4.0 GiB", "✓ 20 ms", "on battery", "562,474", "a note"):
        assert words in page


def test_everything_is_said_in_the_language_but_names_and_notes():
    run = answers.run(note="a note")
    page = report_html(run, answers.ADVICE, Quoting("xx"))
    body = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    texts = {text.strip() for text in re.findall(r">([^<]+)<", body) if text.strip()}
    unsaid = {text for text in texts if "«" not in text}
    names = {
        "cnn",
        "fashion_mnist",
        "a note",
        "Linux",
        "tensorflow",
        "2.21.0",
        "RAM",
        "GPU",
        "Test CPU",
        "AVX2",
        "RTX 2060",
    }
    names |= {"RTX 4090", "128 GB", "2025-06", "0", "1", "2"}
    made_up = {
        "it fuses operations",
        "weights",
        "100.0 MiB",
        "sum of sizes",
        "trace",
        "on battery",
        "3.0 GiB stay free",
    }
    assert unsaid == names | made_up | {"loss cross-entropy", "operations run in order"}
    assert all("«" in label for label in re.findall(r'aria-label="([^"]*)"', page))
    assert '<html lang="xx">' in page


def test_json_is_the_same_in_every_language(tmp_path):
    write_report(answers.run(), tmp_path / "run.json", None, Quoting("xx"))
    assert (tmp_path / "run.json").read_text("utf-8") == report_json(answers.run())


def test_every_text_of_a_nest_is_said():
    assert said_all(("a", ("b", 1), Series("c", [])), str.upper) == ("A", ("B", 1), Series("C", []))


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
    assert [s.name for s in segments] == ["Weights", "Activations", "Framework"]
    assert sum(s.width_percent for s in segments) == pytest.approx(100)
    assert segments[1].start_percent == pytest.approx(segments[0].width_percent)


def test_a_measured_peak_does_not_make_the_parts_measured():
    memory = replace(answers.PREDICTION.memory, basis="measured")
    blocks = report_blocks(answers.run(prediction=replace(answers.PREDICTION, memory=memory)))
    assert any("✓ 1.0 GiB" in getattr(block, "rest", "") for block in blocks)
    (bar,) = (block for block in blocks if isinstance(block, Bar))
    assert bar.segments[0].text.startswith("≈")


def drawn(svg):
    """The points of all lines, and the numbers of all rectangles, of a drawing that must be well-formed."""
    root = ElementTree.fromstring(svg)
    lines = [line.get("points") for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
    return root, [tuple(map(float, point.split(","))) for line in lines for point in line.split()]


@given(ys=st.lists(st.floats(0, 1e12), min_size=2, max_size=20), logarithmic=st.booleans())
def test_lines_stay_in_their_frame(ys, logarithmic):
    points = [(2.0**n, y) for n, y in enumerate(ys)]
    svg = line_chart("a < b", [Series("<a>", points)], format_bytes, str, "x & y", logarithmic=logarithmic, mark_x=2.0)
    root, found = drawn(svg)
    assert root.get("aria-label").startswith("a < b: <a> reaches up to")
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in found)


def test_a_report_draws_what_there_is_and_nothing_else():
    measured = replace(
        answers.MEASURED,
        memory_over_time=tuple(
            MemoryPoint(t, "step", 1, int(t), int(t * GIB), int(t * GIB) + 1) for t in (1.0, 2.0, 3.0)
        ),
    )
    curve = tuple(BatchPoint(2**n, 2**n * GIB, None) for n in range(5))
    told = replace(answers.PREDICTION, batch_curve=curve)
    titles = [chart.title for chart in charts_of(told, measured, answers.SUCCEEDED.samples)]
    assert titles == [
        "Peaks of memory",
        "Memory and batch size (predicted)",
        "Memory while it ran (measured)",
        "Step time (measured)",
    ]
    stepwise = replace(told, memory=replace(told.memory, timeline=((0.0, 1), (1.0, 2))))
    assert "Memory in one step (predicted)" in [chart.title for chart in charts_of(stepwise, None, ())]
    assert charts_of(None, None, ()) == []


@pytest.mark.parametrize("write", [report_html, report_print_html, report_markdown])
def test_advice_stands_in_the_report_with_its_prices_and_their_date(write):
    text = write(answers.run(), answers.ADVICE)
    for words in ("Turn XLA on", "RTX 4090", "2025-06", "Test CPU", "2.21.0"):
        assert words in text.replace("\\", "")


def test_the_page_holds_the_same_json_and_nothing_in_it_ends_its_element():
    page = report_html(answers.run(note="</script><script>alert(1)</script>"), answers.ADVICE)
    inside = re.search(r'<script type="application/json" id="willittrain">(.*?)</script>', page, re.DOTALL)
    assert page.count("</script>") == 1
    document = json.loads(inside[1])
    assert document["run"]["note"] == "</script><script>alert(1)</script>"
    assert document["advice"]["recommendations"][0]["id"] == "xla"


def _private_run() -> Run:
    """Of a user who has names."""
    run = answers.run(note="Jane's, on workhorse")
    home = "/home/jane/my secret plans"
    model = ModelRef("code", "net.py:build", f"{home}/net.py", "build")
    data = Dataset("patients", "images", f"{home}/patients", 12, (8, 8, 3), 2)
    card = Gpu(0, "nvidia", "RTX 2060", uuid="GPU-5a1c0b1e-0000-4d2f-9a9b-0123456789ab")
    warning = phrase("cannot read {path}", path=f"{home}/patients/x.jpg")
    return replace(
        run,
        workload=replace(run.workload, model=model, dataset=data),
        machine=replace(run.machine, gpus=(card,)),
        result=replace(run.result, warnings=(warning, "jane@workhorse.example.com asked 192.168.0.17")),
    )


SECRETS = ("jane", "secret", "plans", "workhorse", "5a1c0b1e", "192.168")


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_a_redacted_report_tells_neither_who_nor_where_in_any_format(tmp_path: Path, ending: str):
    run = _private_run()
    for kept in (run, redacted(run, ("jane", "workhorse"))):
        write_report(kept, tmp_path / f"report{ending}")
        text = (tmp_path / f"report{ending}").read_text("utf-8").lower()
        assert "net.py" in text
        assert "x.jpg" in text
        assert any(word in text for word in SECRETS) is (kept is run), kept.workload


def test_what_tells_nothing_stays_as_it_is():
    run = answers.run()
    assert redacted(run, ()).result.measurement == run.result.measurement
    assert redacted(run, ()).prediction == run.prediction
    assert redacted(run, ()).machine.cpu == run.machine.cpu


def test_a_redacted_text_is_still_said_in_other_languages():
    text = redacted(phrase("cannot read {path}", path="/home/jane/net.py"), ())
    assert (text.template, str(text)) == ("cannot read {path}", "cannot read …/net.py")


def test_words_of_ours_stay_also_where_a_user_is_called_so():
    run = answers.run(note="adam")
    plan = redacted(run, ("adam", "catalog", "gpu")).workload.plan
    assert plan == run.workload.plan
    assert redacted(run, ("adam",)).note == "…"
