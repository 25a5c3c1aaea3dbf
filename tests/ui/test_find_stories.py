"""Ctrl+K finds every action and place by the words that a person would use."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.ui.kit import language, style
from app.ui.runs.preview_dialog import PreviewDialog
from app.ui.session.session import Simulation
from app.ui.shell.command_palette import CommandPalette
from app.ui.shell.main_window import RUNS


def opened(story):
    """The open palette."""
    story.wiring.dialogs.open_palette()
    story.until(lambda: story.wiring.runs.state.loaded)
    return story.window.findChildren(CommandPalette)[-1]


def typed(palette, text):
    """What is listed for some words, from top to bottom."""
    palette.field.clear()
    QTest.keyClicks(palette.field, text)
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def take(palette):
    """Enter."""
    QTest.keyClick(palette.field, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("report", "Save a report (HTML)"),
        ("save", "Save a report (HTML)"),
        ("export", "Save a report (HTML)"),
        ("pdf", "Save a report (PDF)"),
        ("language", "Language: English"),
        ("dark", "Dark theme"),
        ("compare", "Compare runs"),
        ("install TensorFlow", "Find or make a Python that trains"),
        ("cancel", "Stop what runs"),
        ("rent", "Upgrades"),
        ("gb", "Sizes in GB"),
        ("freeze", "Freeze layers"),
        ("quit", "Close the window"),
        ("how good is it", "How good is it?"),
        ("accuracy", "How good is it?"),
        ("gpu 4060", "RTX 4060"),
        ("graphics card 2060", "RTX 2060"),
        ("ahead", "Prepare batches ahead"),
        ("clipboard", "Copy diagnostics"),
    ],
)
def test_the_words_of_a_person_find_it(story, words, first):
    palette = opened(story)
    assert typed(palette, words)[0].startswith(first)
    palette.close()


def test_german_words_find_it_too(qapp, open_window):
    language.install(qapp, "de")
    story = open_window()
    story.answered()
    palette = opened(story)
    for words, first in (("bericht", "Bericht speichern"), ("dunkel", "Farbschema: dunkel"), ("sprache", "Sprache")):
        assert typed(palette, words)[0].startswith(first)
    palette.close()


def test_what_cannot_be_done_now_says_why_and_does_nothing(story):
    palette = opened(story)
    assert "not now: there is no run yet: measure first" in typed(palette, "report html")[0]
    take(palette)
    assert palette.isVisible()
    assert "not now: nothing is simulated" in typed(palette, "return to this machine")[0]
    palette.close()
    story.wiring.session.simulate(Simulation("RTX 2060 6GB"))
    again = opened(story)
    assert "not now" not in typed(again, "return to this machine")[0]
    assert "simulated hardware cannot be measured" in typed(again, "measure now")[0]
    again.close()
    story.answered()


def test_nothing_found_says_so(story):
    palette = opened(story)
    assert typed(palette, "qwertz") == []
    assert palette.nothing.isVisible()
    assert palette.nothing.text().startswith("Nothing is called “qwertz”.")
    size = palette.size()
    typed(palette, "fit")
    assert not palette.nothing.isVisible()
    assert palette.size() == size
    gap = palette.list.mapTo(palette, QPoint()).y() - palette.field.geometry().bottom()
    assert 0 < gap < palette.field.height()
    palette.close()


def test_a_report_of_the_newest_run_is_two_steps_away(story):
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    palette = opened(story)
    typed(palette, "save report")
    take(palette)
    story.until(lambda: story.window.findChildren(PreviewDialog))
    assert story.window.pages.current() == RUNS
    shown = story.window.findChildren(PreviewDialog)[0]
    assert "Run 1: fashion" in shown.text.toPlainText()
    shown.close()


def test_a_theme_and_an_option_are_taken(story, qapp):
    palette = opened(story)
    typed(palette, "dark")
    take(palette)
    assert style.current().name == "dark"
    palette = opened(story)
    typed(palette, "option freeze")
    take(palette)
    assert story.window.form.more.fields["freeze"].widget.isVisible()
    style.apply(qapp, "light")
