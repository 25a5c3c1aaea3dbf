"""Ctrl+K: type a few letters, find a model, data, a card, a page, an option or an action."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from app.ui.kit import style
from app.ui.kit.basics import muted
from app.ui.kit.plain import seen
from app.ui.kit.speech import tr
from app.ui.shell.commands import Command, matching

WIDTH = 560
HEIGHT = 320
MARGIN = 10
MARGINS = 60
"""Of the list and its scroll bar, on both sides."""


class CommandPalette(QDialog):
    """A search field over a list; Enter does the chosen thing."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(tr("Find anything"))
        self._commands = list(commands)
        self._found: list[Command] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find a model, a card, a page or an action …"))
        self.field.setAccessibleName(tr("Find"))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list.installEventFilter(self)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout.addWidget(self.field)
        self.nothing = muted(wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.nothing.setContentsMargins(8, 8, 8, 8)
        self._results = QStackedWidget()
        self._results.setFixedSize(WIDTH - 2 * MARGIN, HEIGHT)
        for widget in (self.list, self.nothing):
            self._results.addWidget(widget)
        layout.addWidget(self._results)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
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
            self.list.addItem(self._item(command))
        if self._found:
            self.list.setCurrentRow(0)
        self._results.setCurrentWidget(self.list if self._found else self.nothing)
        words = tr("Nothing is called “{text}”. Try the name of a model or a card, or what you want to do.")
        self.nothing.setText(words.format(text=text.strip()))

    def _item(self, command: Command) -> QListWidgetItem:
        """Title and kind, or why it cannot be done now; the title is shortened to the room beside that."""
        refused = command.refused()
        beside = tr("not now: {why}").format(why=refused) if refused else command.kind
        metrics = self.list.fontMetrics()
        room = WIDTH - MARGINS - metrics.horizontalAdvance(f"    {beside}")
        title = metrics.elidedText(command.title, Qt.TextElideMode.ElideRight, max(room, WIDTH // 3))
        item = QListWidgetItem(seen(f"{title}    {beside}"))
        if refused:
            item.setForeground(style.qcolor(style.current().muted))
        return item

    def _run_current(self) -> None:
        """Do the chosen thing; one that cannot be done now stays there with its reason."""
        row = self.list.currentRow()
        if 0 <= row < len(self._found) and not self._found[row].refused():
            chosen = self._found[row]
            self.accept()
            chosen.do()
