"""Every control can be named by a screen reader, reached by keyboard, and read."""

import json
import os
import subprocess
import sys
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QProgressBar

from app.ui.kit.basics import Drawing
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.theme import TEXT_CONTRAST, THEMES
from app.ui.shell.main_window import FIT, RUNS
from tests.ui.accessibility import Row, controls, facts, name, role, seen_contrast, tab_order

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
        page.table.select_row(0, add=False)
        story.until(page.details.result.isVisible)
    story.until(lambda: all(card.plot is not None for card in page.findChildren(PlotCard) if card.isVisible()))
    return page


@pytest.mark.parametrize("index", range(5))
def test_every_control_and_drawing_has_a_name_and_controls_are_reached(measured, index):
    shown(measured, index)
    found = facts("window", measured.window)
    assert [row for row in found if not row.name] == []
    assert [row for row in found if row.control and not row.reached] == []


@pytest.mark.parametrize("opener", ["open_settings", "open_simulate", "open_accuracy", "open_palette"])
def test_every_control_of_a_dialog_has_a_name_and_is_reached(story, opener):
    getattr(story.wiring.dialogs, opener)()
    story.until(QApplication.activeModalWidget)
    opened = QApplication.activeModalWidget()
    assert [row for row in facts("dialog", opened) if not (row.name and row.reached)] == []
    opened.close()


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_written_on_controls_can_be_read_and_the_focus_is_seen(theme, own_folder):
    command = [sys.executable, "-m", "tests.ui.accessibility", "--theme", theme, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": "."})
    assert ran.returncode == 0, ran.stderr
    found = [Row(**row) for row in json.loads(ran.stdout) if row["control"]]
    inks = [row for row in found if row.contrast is not None]
    assert len(inks) > 60
    assert [row for row in inks if row.contrast < TEXT_CONTRAST] == []
    assert sum(row.focus_seen is True for row in found) > 25
    assert [row for row in found if row.focus_seen is False] == []


def test_weak_ink_would_be_seen(qtbot):
    label = QLabel("weak")
    label.setStyleSheet("color: #C8C8C8; background: white")
    qtbot.addWidget(label)
    picture = label.grab().toImage()
    assert 1.3 < seen_contrast(picture, picture.rect()) < TEXT_CONTRAST


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


def test_drawings_are_graphics_and_bars_say_how_far_they_are(measured):
    shown(measured, FIT)
    drawn = {type(w).__name__: role(w) for w in controls(measured.window) if isinstance(w, Drawing)}
    assert drawn == dict.fromkeys(("MemoryBar", "MemoryLegend", "Sparkline"), "Graphic")
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
    monkeypatch.setattr("app.ui.fit.verdict_header.announce", lambda _widget, text: said.append(text))
    for batch in (300, 400, 500):
        story.window.form.batch.spin.setValue(batch)
        story.answered()
    story.until(lambda: said)
    story.qtbot.wait(200)
    assert len(said) == 1
    assert said[0].startswith("Fits. Needs")
