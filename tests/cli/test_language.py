"""The terminal speaks the language of the window or of the environment; what programs read stays English."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.language import terminal_language
from app.cli.main import run
from app.core.types.units import GIB, format_bytes, format_number
from app.services.settings import Settings
from app.services.store.history import History
from app.ui.session.ui_settings import WindowSettings
from tests.cli import answers
from tests.cli.test_profile import measured
from tests.ui.english import english_words


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("variables", "code", "figure"),
    [
        ({"LANG": "de_CH.UTF-8"}, "de", "1’234.5"),
        ({"LANG": "de_DE.UTF-8"}, "de", "1.234,5"),
        ({"LANG": "de"}, "de", "1.234,5"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en", "1,234.5"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en", "1,234.5"),
        ({"LANG": "fr_FR.UTF-8"}, "en", "1,234.5"),
        ({"LANG": ""}, "en", "1,234.5"),
    ],
)
def test_the_environment_says_the_language(monkeypatch, variables: dict[str, str], code: str, figure: str):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    language = terminal_language()
    assert (language.code, language.say(format_number(1234.5, ",.1f"))) == (code, figure)


def test_what_was_chosen_in_the_window_counts_for_more(monkeypatch):
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    settings = WindowSettings()
    settings.language, settings.decimal_sizes = "de", True
    settings.flush()
    assert terminal_language().say(format_bytes(GIB)) == "1,1 GB"
    settings.language = "en"
    settings.flush()
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert terminal_language().say(format_bytes(GIB)) == "1.1 GB"


def test_a_damaged_settings_file_of_the_window_is_passed_over(monkeypatch, folder: Path):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    (folder / "window").mkdir()
    (folder / "window/window.ini").write_bytes(b"\xff[General\nlanguage=en")
    assert terminal_language().code == "de"


@pytest.fixture
def german(monkeypatch) -> History:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    history = History(Settings.load().history_path)
    for note, result in (("", answers.SUCCEEDED), ("meins", answers.NO_MEMORY)):
        history.add(answers.run(result, note=note))
    return history


@pytest.mark.parametrize(
    "words",
    [
        "runs",
        "runs show 1",
        "runs show 2",
        "runs show 3",
        "runs compare 1 2",
        "runs compare 1 3",
        "runs delete 2",
        "models resnet",
        "datasets mnist",
        "gpus 4090",
        "clouds h100",
        "cache",
        "estimate fashion_mnist_cnn --on 4090",
        "estimate resnet50 --on 4090 --batch-size 4096 --dataset fashion_mnist",
    ],
)
def test_a_german_terminal_says_no_english(german: History, capsys: pytest.CaptureFixture[str], words: str):
    german.add(answers.run(replace(answers.SUCCEEDED, measurement=measured(300))))
    assert run(words.split()) == 0
    told = capsys.readouterr()
    names = {"he first step failed", "operations run in order", "loss cross-entropy", "on battery", "try batch 128"}
    lines = [line for line in (told.out + told.err).splitlines() if not any(name in line for name in names)]
    assert {line: english_words(line) for line in lines if english_words(line)} == {}


def test_a_mistake_is_told_in_german_with_what_was_typed(german: History, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "show", "hundred"]) == 2
    assert capsys.readouterr().err == "Fehler: kein Lauf; erwartet eine Nummer oder „last“; erhalten hundred\n"


def test_programs_read_english(german: History, capsys: pytest.CaptureFixture[str], folder: Path):
    assert run(["runs", "show", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["message"] == "the first step failed"
    assert run(["report", "1", "-o", str(folder / "run.md")]) == 0
    assert "## Was trainiert wurde" in (folder / "run.md").read_text("utf-8")
    assert run(["report", "1", "-o", str(folder / "run.json")]) == 0
    assert json.loads((folder / "run.json").read_text("utf-8"))["run"]["result"]["outcome"] == "succeeded"
