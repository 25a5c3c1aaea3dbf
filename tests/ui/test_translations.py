"""Nothing that people read is left untranslated, and no value gets lost on the way."""

import gettext
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "i18n"
sys.path.insert(0, str(ROOT / "packaging"))

import translations  # noqa: E402 - the folder of the command is no package
from babel.messages.catalog import Catalog  # noqa: E402


def test_german_is_complete_and_the_files_are_up_to_date():
    run = subprocess.run(
        [sys.executable, ROOT / "packaging" / "translations.py", "--check"], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, "")


def test_a_new_text_would_be_found():
    source = 'label.setText(tr("Something quite new"))\nx = phrase("needs {n}", n=plural("{a} b", "{a} bs", 2, a=2))'
    found = set(translations.of_source(source, "a.py"))
    assert {one.template for one in found} == {"Something quite new", "needs {n}", "{a} b"}
    catalogue = translations.updated("de", [*translations.messages(), *found])
    assert sorted(translations.unfinished(catalogue)) == ["Something quite new", "needs {n}", "{a} b"]


def test_a_template_that_is_no_literal_is_refused():
    with pytest.raises(SystemExit, match=r"a\.py, line 1: the template of tr"):
        list(translations.of_source("tr(name)", "a.py"))


@pytest.mark.parametrize(
    ("template", "told"), [("needs {n}", "braucht"), ("needs", "braucht {n}"), ("needs {n}", "braucht {m}")]
)
def test_a_lost_or_unknown_place_is_no_finished_translation(template, told):
    catalogue = Catalog("de")
    catalogue.add(template, told)
    assert translations.unfinished(catalogue) == [template]


def test_the_compiled_catalogue_speaks_german():
    with (FOLDER / "de" / "LC_MESSAGES" / "willittrain.mo").open("rb") as file:
        german = gettext.GNUTranslations(file)
    assert german.gettext("Fits") == "Passt"
    assert [german.ngettext("{n} epoch", "{n} epochs", n) for n in (1, 2)] == ["{n} Epoche", "{n} Epochen"]
    assert german.pgettext("price", "Free") == "Kostenlos"
    assert german.gettext("Free") == "Frei"


def test_every_translation_of_the_catalogue_can_be_filled():
    single = re.compile(r"\{(?!\w+\})|(?<!\w)\}")
    for one in translations.updated("de", translations.messages()):
        for told in (one.string,) if isinstance(one.string, str) else one.string:
            assert not single.search(told.replace("{{", "").replace("}}", "")), told


def test_texts_of_the_window_go_through_its_language_and_not_through_qts():
    qt = re.compile(r"\.tr\(|QCoreApplication\.translate")
    assert [p.name for p in (ROOT / "app" / "ui").rglob("*.py") if qt.search(p.read_text("utf-8"))] == []


def test_the_wheel_takes_the_languages_along():
    assert '"resources/i18n" = "app/resources/i18n"' in (ROOT / "pyproject.toml").read_text("utf-8")
