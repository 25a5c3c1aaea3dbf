"""Every control can be named by a screen reader and reached by keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QTableWidget,
    QWidget,
)

from app.ui.main_window import RUNS
from app.ui.widgets.memory_bar import MemoryBar
from app.ui.widgets.phase_strip import PhaseStrip
from app.ui.widgets.plot_card import PlotCard
from app.ui.widgets.sparkline import Sparkline

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QTableWidget)
DRAWN = (MemoryBar, PhaseStrip, Sparkline)


def shown(story, kinds):
    """Visible widgets of a kind, without Qt's own inner parts."""
    found = []
    for widget in story.window.findChildren(QWidget):
        inner = isinstance(widget.parent(), QAbstractSpinBox | QTabBar | QTableWidget | QComboBox)
        if isinstance(widget, kinds) and widget.isVisible() and not inner and not isinstance(widget, QScrollBar):
            found.append(widget)
    return found


def name(widget):
    """What a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@pytest.mark.parametrize("index", range(5))
def test_every_control_and_drawing_has_a_name(story, index):
    page = story.page(index)
    if index == RUNS:
        story.until(lambda: story.wiring.runs.state.loaded)
    story.until(lambda: story.wiring.session.prediction is not None)
    for card in page.findChildren(PlotCard):
        if card.isVisible():
            card.make_plot()
            assert name(card.plot.widget)
    unnamed = [widget for widget in shown(story, CONTROLS + DRAWN) if not name(widget)]
    assert unnamed == []


def test_every_control_is_reached_by_tab(story):
    reached, widget = set(), story.window.centralWidget()
    for _ in range(300):
        widget = widget.nextInFocusChain()
        reached.add(widget)
    skipped = (QTableWidget,)
    controls = [w for w in shown(story, CONTROLS) if not isinstance(w, skipped)]
    missing = [w for w in controls if w not in reached or w.focusPolicy() == Qt.FocusPolicy.NoFocus]
    assert missing == []


def test_the_verdict_is_spoken_as_a_sentence(story):
    header = story.window.verdict
    interface = QAccessible.queryAccessibleInterface(header)
    assert interface.text(QAccessible.Text.Name) == "Verdict"
    assert interface.text(QAccessible.Text.Description).startswith("Fits. Needs")
