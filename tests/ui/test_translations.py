"""Nothing in the window is left untranslated, and no figure gets lost on the way."""

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "i18n"
PLACE = re.compile(r"\{\w+\}|%L?n")
sys.path.insert(0, str(ROOT / "packaging"))

import translations  # noqa: E402 - the folder of the command is no package


def texts_of(source):
    """Every (context, text) of tr() and translate() in a Python source."""
    found = []

    def walk(node, context):
        inside = node.name if isinstance(node, ast.ClassDef) else context
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            strings = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if name == "tr":
                found.append((inside, strings[0]))
            elif name == "translate" and len(strings) >= 2:
                found.append((strings[0], strings[1]))
        for child in ast.iter_child_nodes(node):
            walk(child, inside)

    walk(ast.parse(source), "")
    return found


def messages(language):
    """Finished (context, source) → translations of a catalogue."""
    found = {}
    for context in ElementTree.parse(FOLDER / f"willittrain_{language}.ts").getroot().iter("context"):
        for message in context.iter("message"):
            told = message.find("translation")
            forms = [form.text or "" for form in told.findall("numerusform")] or [told.text or ""]
            if told.get("type") is None and all(forms):
                found[context.findtext("name"), message.findtext("source")] = forms
    return found


def missing(texts, catalogue):
    """Texts without a finished translation."""
    return [text for text in texts if text not in catalogue]


def test_every_text_of_the_window_is_translated():
    german = messages("de")
    texts = [text for path in (ROOT / "app" / "ui").rglob("*.py") for text in texts_of(path.read_text("utf-8"))]
    assert len(texts) > 400
    assert missing(texts, german) == []


def test_a_new_text_would_be_found():
    source = 'class Page:\n    def f(self):\n        return self.tr("Something quite new")\n'
    assert missing(texts_of(source), messages("de")) == [("Page", "Something quite new")]


def test_every_sentence_of_the_core_is_known_and_translated():
    known = (FOLDER / "sentences.txt").read_text("utf-8").splitlines()
    assert sorted(set(translations.sentences()) - set(known)) == []
    assert missing([("sentences", text) for text in known], messages("de")) == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_place_for_a_figure_is_lost(language):
    lost = []
    for (context, source), forms in messages(language).items():
        wanted = sorted(set(PLACE.findall(source)))
        for form in forms:
            # "Deleted a run" says its number in words.
            if sorted(set(PLACE.findall(form)) | ({"%Ln"} & set(wanted))) != wanted:
                lost.append((context, source, form))
    assert lost == []


def test_english_has_a_singular_for_every_count():
    counted = {key for key in messages("de") if "%Ln" in key[1]}
    assert counted
    assert counted == set(messages("en"))


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_compiled_catalogue_is_that_of_the_text(language, tmp_path):
    made = tmp_path / "made.qm"
    source = FOLDER / f"willittrain_{language}.ts"
    subprocess.run([translations._tool("lrelease"), "-silent", source, "-qm", made], check=True, capture_output=True)
    assert made.read_bytes() == source.with_suffix(".qm").read_bytes()


def test_figures_are_written_by_locale_in_the_whole_window():
    forbidden = re.compile(r"from app\.core\.units import .*\bformat_")
    guilty = [p.name for p in (ROOT / "app" / "ui").rglob("*.py") if forbidden.search(p.read_text("utf-8"))]
    assert guilty == []


def test_the_wheel_takes_the_languages_along():
    assert '"resources/i18n" = "app/resources/i18n"' in (ROOT / "pyproject.toml").read_text("utf-8")
