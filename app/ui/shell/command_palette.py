"""Ctrl+K: type a few letters, find a model, a card, a page or an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.ui.kit.plain import seen
from app.ui.kit.speech import tr
from app.ui.workload.state_form import model_entries

if TYPE_CHECKING:
    from app.ui.shell.wiring import Wiring


MOST = 40
WIDTH = 520
MARGINS = 60
"""Of the list and its scroll bar, on both sides."""


@dataclass(frozen=True)
class Command:
    """Something that can be found: kind and title are searched."""

    kind: str
    title: str
    do: Callable[[], object]


def matching(commands: Sequence[Command], text: str) -> list[Command]:
    """Commands that hold every word, those that begin with the text first."""
    typed = text.lower().split()
    found = [c for c in commands if all(word in f"{c.kind} {c.title}".lower() for word in typed)]
    start = text.lower().strip()
    return sorted(found, key=lambda c: not c.title.lower().startswith(start))[:MOST]


class CommandPalette(QDialog):
    """A search field over a list; Enter does the chosen thing."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(tr("Find anything"))
        self._commands = list(commands)
        self._found: list[Command] = []
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find a model, a card, a page or an action …"))
        self.field.setAccessibleName(tr("Find"))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list.installEventFilter(self)
        self.list.setFixedHeight(320)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._run_current)
        self._on_text_changed("")

    def open_over(self, window: QWidget) -> None:
        """Show near the top of a window."""
        place = window.mapToGlobal(QPoint((window.width() - self.width()) // 2, 64))
        self.move(place)
        self.open()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = max(0, min(self.list.count() - 1, self.list.currentRow() + step))
                self.list.setCurrentRow(row)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run_current()
                return True
        return super().eventFilter(watched, event)

    def _on_text_changed(self, text: str) -> None:
        """List what matches."""
        self._found = matching(self._commands, text)
        self.list.clear()
        for command in self._found:
            self.list.addItem(QListWidgetItem(seen(f"{self._fitting(command)}    {command.kind}")))
        if self._found:
            self.list.setCurrentRow(0)

    def _fitting(self, command: Command) -> str:
        """The title, shortened to the room beside the kind."""
        metrics = self.list.fontMetrics()
        room = WIDTH - MARGINS - metrics.horizontalAdvance(f"    {command.kind}")
        return metrics.elidedText(command.title, Qt.TextElideMode.ElideRight, room)

    def _run_current(self) -> None:
        """Do the chosen thing."""
        row = self.list.currentRow()
        if 0 <= row < len(self._found):
            chosen = self._found[row]
            self.accept()
            chosen.do()


def commands_of(wiring: Wiring) -> list[Command]:
    """Everything that can be found in a window."""
    pages, tabs = wiring.window.pages, wiring.window.pages.tabs
    page, model, card = (tr("page"), tr("model"), tr("simulate"))
    found = [Command(page, tabs.tabText(i), partial(pages.show_page, i)) for i in range(tabs.count())]
    actions = (
        (tr("Measure now"), wiring.measure),
        (tr("Simulate other hardware"), wiring.dialogs.open_simulate),
        (tr("Return to this machine"), wiring.machine.reset),
        (tr("Trace the model again"), wiring.estimates.trace_again),
        (tr("Which Python trains"), wiring.dialogs.open_runtimes),
        (tr("Settings"), wiring.dialogs.open_settings),
        (tr("Find or make a Python that trains"), wiring.dialogs.open_runtimes),
        (tr("Copy diagnostics"), wiring.dialogs.open_diagnostics),
        (tr("Machine details"), wiring.window.machine.show_details),
    )
    found += [Command(tr("action"), title, do) for title, do in actions]
    catalog = wiring.session.catalog
    for key, text in model_entries(catalog.models):
        found.append(Command(model, text, partial(wiring.pick.choose_model, key)))
    simulation = wiring.session.simulation
    for gpu in catalog.gpus:
        found.append(Command(card, gpu.name, partial(wiring.session.simulate, replace(simulation, gpu=gpu.name))))
    return found
