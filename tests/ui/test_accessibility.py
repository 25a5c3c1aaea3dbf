"""Every control can be named by a screen reader, reached by keyboard, and read."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QComboBox, QProgressBar

from app.ui import accessibility, style
from app.ui.main_window import BENCHMARK, FIT, RUNS
from app.ui.theme import TEXT_CONTRAST, THEMES
from app.ui.widgets.plot_card import PlotCard
from tests.ui.accessibility import area_in, bring_into_view, controls, name, role, rows, tab_order

JUMP = 80
"""Pixels that Tab may go up within a page: the next column of a card."""


@pytest.fixture
def measured(story):
    """A window with a run and everything unfolded."""
    story.window.form.more.toggle.setChecked(True)
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    return story


def shown(story, index):
    """A page with its plots made."""
    page = story.page(index)
    if index == RUNS:
        story.until(lambda: page.table.rowCount() > 0)
        page.table.selectRow(0)
        story.until(page.details.result.isVisible)
    story.until(lambda: all(card.plot is not None for card in page.findChildren(PlotCard) if card.isVisible()))
    return page


@pytest.mark.parametrize("index", range(5))
def test_every_control_and_drawing_has_a_name_and_controls_are_reached(measured, index):
    shown(measured, index)
    found = list(rows("window", measured.window))
    assert [row for row in found if not row.name] == []
    assert [row for row in found if row.control and not row.reached] == []


@pytest.mark.parametrize("opener", ["open_settings", "open_simulate", "open_palette"])
def test_every_control_of_a_dialog_has_a_name_and_is_reached(story, opener):
    getattr(story.wiring, opener)()
    opened = QApplication.activeModalWidget()
    assert [row for row in rows("dialog", opened) if not (row.name and row.reached)] == []
    opened.close()


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_written_on_controls_can_be_read(measured, qapp, theme):
    style.apply(qapp, theme)
    shown(measured, BENCHMARK)
    found = [row for row in rows("window", measured.window) if row.control and row.contrast is not None]
    assert len(found) > 40
    assert [row for row in found if row.contrast < TEXT_CONTRAST] == []


def test_weak_ink_would_be_seen(measured):
    measured.window.top.find_button.setStyleSheet("color: #C8C8C8; background: white")
    weak = [row for row in rows("window", measured.window) if row.contrast is not None and row.contrast < TEXT_CONTRAST]
    assert "Find models, pages and actions" in {row.name for row in weak}


@pytest.mark.parametrize("index", range(5))
def test_tab_goes_from_top_to_bottom(measured, index):
    shown(measured, index)
    window = measured.window
    order = tab_order(window)
    side, page = window.side, window.pages.page(index)
    regions = [window.top, side, window.verdict, window.pages.tabs, page]
    places = [next((i for i, r in enumerate(regions) if w is r or r.isAncestorOf(w)), None) for w in order]
    assert places == sorted(places)
    for region in (side, page):
        heights = [w.mapTo(window, QPoint(0, 0)).y() for w in order if region.isAncestorOf(w)]
        assert all(b >= a - JUMP for a, b in pairwise(heights)), heights


def test_the_focus_is_seen_on_every_control(measured):
    measured.window.activateWindow()
    measured.until(measured.window.isActiveWindow)
    shown(measured, FIT)
    window, unseen = measured.window, []
    for widget in tab_order(window):
        bring_into_view(widget)
        window.centralWidget().setFocus()
        QApplication.processEvents()
        without = window.grab(area_in(window, widget)).toImage()
        widget.setFocus()
        QApplication.processEvents()
        if window.grab(area_in(window, widget)).toImage() == without:
            unseen.append(name(widget))
    assert unseen == []


def test_drawings_are_charts_and_bars_say_how_far_they_are(measured):
    shown(measured, FIT)
    drawn = {type(w).__name__: role(w) for w in controls(measured.window) if type(w).__name__ in accessibility.DRAWINGS}
    assert drawn == dict.fromkeys(("GraphicsLayoutWidget", "MemoryBar", "MemoryLegend", "Sparkline"), "Chart")
    assert all(name(w) for w in controls(measured.window) if isinstance(w, QProgressBar))


def test_a_combo_box_has_a_caption_that_belongs_to_it(measured):
    boxes = [w for w in controls(measured.window) if isinstance(w, QComboBox)]
    relation = QAccessible.RelationFlag.Label
    for box in boxes:
        found = QAccessible.queryAccessibleInterface(box).relations(relation)
        assert found, box.accessibleName()
    assert len(boxes) > 8


def test_the_verdict_is_spoken_as_a_sentence(story):
    header = story.window.verdict
    interface = QAccessible.queryAccessibleInterface(header)
    assert interface.text(QAccessible.Text.Name) == "Verdict"
    assert interface.text(QAccessible.Text.Description).startswith("Fits. Needs")


def test_a_new_verdict_is_announced_once_the_slider_rests(story, monkeypatch):
    said = []
    monkeypatch.setattr("app.ui.widgets.verdict_header.announce", lambda _widget, text: said.append(text))
    for batch in (300, 400, 500):
        story.window.form.batch.spin.setValue(batch)
        story.answered()
    story.until(lambda: said)
    story.qtbot.wait(200)
    assert len(said) == 1
    assert said[0].startswith("Fits. Needs")
