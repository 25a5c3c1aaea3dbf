"""The report that a German window saves: whole in German, names and notes as they are."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from app.catalog.prices import gpu_price
from app.core.types.advice import Effect
from app.core.types.machine import GpuSpec
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.plan import Plan
from app.core.types.prediction import BatchPoint
from app.core.types.text import phrase
from app.core.types.units import GIB
from app.core.types.workload import Workload
from app.presentation.advice import change_rows
from app.presentation.figure import Figure
from app.presentation.upgrades import price_words
from app.services.advisor import Advisor
from app.services.reports.report import report_html, report_json, report_markdown, report_print_html
from app.services.settings import Settings
from app.services.store.history import History
from app.ui.kit import language
from app.ui.kit.speech import said, speaker
from app.ui.runs.saving import save_runs
from tests.cli import answers
from tests.fakes import advisor as fake_advisor
from tests.fakes.figures import MACHINE
from tests.ui.english import english_in

NOTE = "needed: my own words"
ON_BATTERY = phrase("the machine runs on battery and may be slower than on mains power")
SHOWN = ("title", "aria-label")
SAME_IN_GERMAN = {"Batch", "Caches", "Cloud", "Framework", "Name", "Phase", "Plan", "System"}
ENGLISH_FIGURE = re.compile(r"(?<![\w.])\d+\.\d{1,2}(?![\d.])|\d,\d{3}\b")
VERSION = re.compile(r"Capability \d+\.\d+")
QUANTITY = re.compile(r"(?:\d+ × )?[~≈✓<×−+]? ?\d+ ?(?:[KMGT]iB|B|[µm]?s|min|h|d|%|×)(?: \d+ (?:min|h))?")
"""A whole number with its unit, which is the same in German."""
SOURCE_FILE = re.compile(r"\.cc\b|^tensorflow [\d.]+$")


@pytest.fixture
def german(qapp):
    language.install(qapp, "de")


class Texts(HTMLParser):
    """Everything of a page that is written or read aloud."""

    def __init__(self):
        super().__init__()
        self.found, self.silent = [], False

    def handle_starttag(self, tag, attrs):
        self.silent = tag in ("style", "script")
        self.found += [value for name, value in attrs if name in SHOWN]

    def handle_endtag(self, tag):
        self.silent = False

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.found.append(data.strip())


def texts_of(page):
    """The texts of an HTML page, in their order."""
    texts = Texts()
    texts.feed(page)
    return texts.found


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A run and the advice on it, as the core says them of a real network; what was measured is made up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path_factory.mktemp("report")))
        settings = Settings.load()
        advisor = Advisor(settings, History(settings.history_path))
        card = next(gpu.name for gpu in advisor.catalog.gpus() if "RTX 2060" in gpu.name)
        machine = advisor.machine.simulate(MACHINE, gpu=card)
        plan = Plan(batch_size=512, precision="mixed_float16", epochs=15)
        workload = Workload(advisor.catalog.find_model("resnet50"), advisor.catalog.find_dataset("fashion_mnist"), plan)
        graph = advisor.predictor.graphs.get(workload) or advisor.predictor.graphs.get(replace(workload, dataset=None))
        prediction, advice = (
            advisor.predictor.predict(workload, machine, graph),
            advisor.advice.advise(workload, machine, graph),
        )
    over_time = tuple(MemoryPoint(t, "step", 1, int(t * GIB), int(t * GIB), int(t * GIB)) for t in (1.0, 2.0, 3.0))
    curve = tuple(BatchPoint(2**n, 2**n * GIB, None) for n in range(5))
    measurement = replace(answers.MEASURED, memory_over_time=over_time)
    result = replace(answers.SUCCEEDED, measurement=measurement, warnings=(ON_BATTERY,))
    run = answers.run(result, replace(prediction, batch_curve=curve), NOTE)
    shown = replace(plan, backend="jax", ema=True, cache="ram", cache_share=0.5, prefetch=False, leave_out=("fc1",))
    return replace(run, workload=replace(workload, plan=shown), machine=machine), advice


@pytest.mark.parametrize("write", [report_html, report_print_html])
def test_every_text_is_said_in_german_or_is_a_name_or_a_number(german, told, write):
    run, advice = told
    english, spoken = texts_of(write(run, advice)), texts_of(write(run, advice, speaker()))
    assert english_in(spoken, [NOTE, "Will It Train?"]) == {}
    assert len(english) == len(spoken) > 100
    same = {text for text, other in zip(english, spoken, strict=True) if text == other and re.search("[a-z]{2}", text)}
    machine = {run.machine.cpu.name, f"{run.machine.cpu.name} · {run.machine.cpu.microarchitecture}"}
    machine |= {gpu.name for gpu in run.machine.gpus}
    names = {
        NOTE,
        *machine,
        run.workload.model.name,
        "Linux 6.1",
        "tensorflow",
        *(one.shown for one in advice.upgrades),
    }
    left = {
        text for text in same - names - SAME_IN_GERMAN if not QUANTITY.fullmatch(text) and not SOURCE_FILE.search(text)
    }
    assert left == set()
    figures = {text for text in spoken if ENGLISH_FIGURE.search(VERSION.sub("", text)) and not SOURCE_FILE.search(text)}
    assert figures - names == set()


def test_nothing_that_can_go_wrong_is_told_in_english(german):
    for result in (answers.NO_MEMORY, answers.CRASHED, answers.BROKEN_MODEL, answers.CANCELLED):
        run = answers.run(replace(result, problem=replace(result.problem, message="cancelled", hint="")), None)
        assert english_in(texts_of(report_html(run, None, speaker())), ["Will It Train?"]) == {}


def test_figures_dates_and_prices_are_written_by_locale(german):
    rent = price_words(replace(answers.ADVICE.upgrades[0], kind="cloud", price=2.5, currency="USD", cost=1000.52))
    assert said(rent) == "2,50 USD/h, 1.000,52 je Training"
    card = GpuSpec("Card", "NVIDIA", "desktop", 8 * GIB, 4e11, 1e13, launch_date="2020-09-24", launch_price_usd=1600.0)
    launch = gpu_price(card, ())
    assert launch is not None
    assert said(launch.price_date) == "24.09.2020 (zur Markteinführung)"
    assert said(Figure(3.8 * GIB, "bytes", low=3.8 * GIB, high=4.4 * GIB).range) == "3,8 GiB bis 4,4 GiB"
    before, after = Effect(3 * GIB // 2, 1.5), Effect(5 * GIB // 2, 1.2, 1.1, 1.4)
    one = replace(answers.ADVICE.recommendations[0], before=before, after=after)
    (row,) = change_rows(replace(answers.ADVICE, recommendations=(one,)), "predicted")
    assert said(row.effect) == "Speicher ~ 1,5 GiB → ~ 2,5 GiB · Epoche ~ 1,5 s → ~ 1,2 s (1,1 s bis 1,4 s)"


def test_a_note_stays_as_it_was_written_and_programs_read_the_same_in_every_language(german):
    run = answers.run(note=NOTE)
    page = report_html(run, answers.ADVICE, speaker())
    assert '<html lang="de">' in page
    assert NOTE in texts_of(page)
    inside = re.search(r'id="willittrain">(.*?)</script>', page, re.DOTALL)
    assert json.loads(inside[1]) == json.loads(report_json(run, answers.ADVICE))


def test_markdown_is_german_too(german, told):
    run, advice = told
    rows = report_markdown(run, advice, speaker()).replace("\\", "").splitlines()
    assert english_in(rows, [NOTE, "Will It Train?"]) == {}


def test_an_english_window_writes_what_the_command_line_writes(qapp):
    run = answers.run(note=NOTE)
    ours, plain = (texts_of(report_html(run, answers.ADVICE, *more)) for more in ((speaker(),), ()))
    dates = {plain[plain.index("When") + 1], *(text for text in plain if text.startswith("Written by"))}
    assert {text for text in plain if text not in ours} <= dates


def test_the_window_saves_the_report_in_its_language(german, tmp_path):
    advisor = fake_advisor.make(tmp_path)
    run_id = advisor.history.add(answers.run()).run_id
    for ending in (".html", ".md", ".pdf"):
        save_runs(advisor, (run_id,), tmp_path / f"report{ending}")
    assert "Was trainiert wurde" in (tmp_path / "report.html").read_text("utf-8")
    assert "## Was trainiert wurde" in (tmp_path / "report.md").read_text("utf-8")
    assert (tmp_path / "report.pdf").stat().st_size > 5000
