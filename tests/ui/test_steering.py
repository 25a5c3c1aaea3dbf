"""Characters that deceive a reader are seen in every text of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from app.core.types.workload import Dataset, ModelRef
from app.presentation.problem import ErrorState
from app.ui.kit.basics import ElidedLabel
from app.ui.kit.diagnostics_dialog import DiagnosticsDialog
from app.ui.kit.plain import WORD_JOINER
from app.ui.kit.plot_card import PlotCard
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES
from tests.fakes.advisor import make
from tests.fakes.script import Script
from tests.steering import NAMED, STEERING, steering
from tests.ui import hostile as strangers
from tests.ui.gallery import WITH_CARD

SHOWN = "\\x1b]52"


def texts(top: QWidget) -> Iterator[str]:
    """Everything that a widget and those below it say."""
    for widget in (top, *top.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
        if isinstance(widget, ElidedLabel):
            yield widget.full_text()
        elif isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QPlainTextEdit):
            yield widget.toPlainText()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(index) for index in range(widget.count()))
        elif isinstance(widget, QGraphicsView) and widget.scene() is not None:
            yield from (i.toPlainText() for i in widget.scene().items() if isinstance(i, QGraphicsTextItem))
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model() is not None:
            yield from _cells(widget.model())


def _cells(model: QAbstractItemModel) -> Iterator[str]:
    """Cells and headings of a table."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) or "")
        for row in range(min(model.rowCount(QModelIndex()), strangers.MOST_ROWS)):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(model.index(row, column).data(role) or "")


def unseen(top: QWidget) -> list[str]:
    """Texts with characters that no reader sees; lines and tabs are laid out by us."""
    return [text for text in texts(top) if steering(text, f"\n\t{WORD_JOINER}")]


@pytest.fixture
def advisor(tmp_path, monkeypatch):
    monkeypatch.setattr(strangers, "MARKUP", f"{STEERING} ")
    plain = make(tmp_path)
    return strangers.HostileAdvisor(plain.settings, plain.history, Script(real_machine=strangers.poisoned(WITH_CARD)))


@pytest.fixture
def hostile(story):
    """A window on a stranger's model and data, with everything unfolded."""
    model = ModelRef("file", f"{NAMED}net.keras", f"/{NAMED}/net.keras")
    data = Dataset(f"cats{NAMED}", "images", f"/{NAMED}", 600, (32, 32, 3), "uint8", 10, 6000, 600, real=True)
    story.wiring.session.set_workload(replace(story.wiring.session.workload, model=model, dataset=data))
    story.answered()
    story.window.form.more.toggle.setChecked(True)
    return story


def test_every_page_shows_what_cannot_be_seen(hostile):
    hostile.wiring.bench.set_measure("plan")
    hostile.wiring.measure()
    hostile.until(lambda: hostile.wiring.bench.running)
    hostile.until(lambda: not hostile.wiring.bench.running)
    for index in (FIT, BENCHMARK, ADVICE, UPGRADES, RUNS):
        page = hostile.page(index)
        if index == ADVICE:
            hostile.until(lambda page=page: bool(page.cards))
        elif index in (UPGRADES, RUNS):
            hostile.until(lambda page=page: page.table.rowCount() > 0)
            page.table.select_row(0, add=False)
        if index == RUNS:
            hostile.until(page.details.result.isVisible)
        plots = [card for card in page.findChildren(PlotCard) if card.isVisible()]
        hostile.until(lambda plots=plots: all(card.plot is not None for card in plots))
        assert unseen(hostile.window) == []
        assert any(SHOWN in text for text in texts(page))


def test_an_error_a_toast_and_what_is_copied_show_it(hostile):
    window, wiring = hostile.window, hostile.wiring
    wiring.session.fail(ErrorState(*[STEERING] * 5, needed_bytes=2, had_bytes=1))
    wiring.session.say(STEERING, STEERING, lambda: None)
    assert unseen(window) == []
    assert SHOWN in window.toast.text.text()
    hostile.qtbot.mouseClick(window.error.diagnostics, Qt.MouseButton.LeftButton)
    hostile.until(lambda: window.findChildren(DiagnosticsDialog))
    shown = window.findChildren(DiagnosticsDialog)[0]
    assert unseen(shown) == []
    assert SHOWN in shown.text.toPlainText()
    shown.reject()


@pytest.mark.parametrize("opener", ["open_settings", "open_simulate", "open_palette", "open_runtimes"])
def test_every_dialog_shows_it(hostile, opener, qapp):
    getattr(hostile.wiring.dialogs, opener)()
    hostile.until(qapp.activeModalWidget)
    opened = qapp.activeModalWidget()
    assert unseen(opened) == []
    opened.close()


def test_the_walk_can_fail(qtbot):
    top = QWidget()
    qtbot.addWidget(top)
    QLabel(STEERING, top)
    top.setToolTip(STEERING)
    assert len(unseen(top)) == 2
