from dataclasses import fields

import pytest
from PySide6.QtCore import QLocale

from app.core.types.plan import Plan, plan_options
from app.ui.kit import language
from app.ui.kit.speech import said, speaker, tr, tr_many
from app.ui.session.ui_settings import WindowSettings


@pytest.mark.parametrize(
    ("chosen", "system", "texts"),
    [
        ("system", "de_AT", "de"),
        ("system", "en_GB", "en"),
        ("system", "fr_FR", "en"),
        ("system", "C", "en"),
        ("de", "en_US", "de"),
        ("en", "de_DE", "en"),
    ],
)
def test_the_texts_speak_the_chosen_language_or_that_of_the_desktop(chosen, system, texts):
    assert language.spoken(chosen, QLocale(system)) == texts


@pytest.mark.parametrize(
    ("chosen", "system", "country"),
    [("system", "fr_FR", "FR"), ("de", "de_CH", "CH"), ("de", "en_US", "DE"), ("en", "de_DE", "US")],
)
def test_figures_are_those_of_the_desktop_unless_another_language_was_chosen(chosen, system, country):
    assert language.locale_of(chosen, QLocale(system)).name().endswith(country)


def test_one_is_singular_in_both_languages(qapp):
    told = {}
    for name in ("en", "de"):
        language.install(qapp, name)
        told[name] = [tr_many("{n} epoch", "{n} epochs", n) for n in (1, 1500)]
    assert told == {"en": ["1 epoch", "1,500 epochs"], "de": ["1 Epoche", "1.500 Epochen"]}


def test_a_second_choice_replaces_the_first(qapp):
    language.install(qapp, "de")
    assert language.install(qapp, "en") == "en" == speaker().code
    assert tr("Fits") == "Fits"


def test_the_choice_is_remembered_and_the_dialog_says_when_it_counts(story):
    story.wiring.dialogs.open_settings()
    dialog = next(w for w in story.window.children() if type(w).__name__ == "SettingsDialog")
    story.until(dialog.isVisible)
    dialog.language.setCurrentIndex(dialog.language.findData("de"))
    assert dialog._restart.isVisible()
    assert WindowSettings().language == "de"
    dialog.close()


def test_the_units_are_remembered_and_count_from_the_next_start_on(story):
    story.wiring.dialogs.open_settings()
    dialog = next(w for w in story.window.children() if type(w).__name__ == "SettingsDialog")
    story.until(dialog.isVisible)
    dialog.sizes.setCurrentIndex(1)
    assert dialog._restart.isVisible()
    assert WindowSettings().decimal_sizes
    dialog.close()


def test_every_field_of_a_plan_has_a_name_of_its_own(qapp):
    language.install(qapp, "en")
    assert {option.name for option in plan_options()} == {field.name for field in fields(Plan)}
    english = {option.name: said(option.label) for option in plan_options()}
    language.install(qapp, "de")
    same = {option.name for option in plan_options() if said(option.label) == english[option.name]}
    assert same <= {"jit", "weight_decay", "threads", "backend", "momentum", "amsgrad"}


def test_a_damaged_choice_is_that_of_the_desktop():
    settings = WindowSettings()
    settings.language = "klingon"
    assert settings.language == "system"
