"""A combo box to search in: type any part of a name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QSizePolicy, QWidget

from app.ui.kit.plain import add_choice, set_tooltip


class SearchCombo(QComboBox):
    """Entries are (key, text); emits `chosen` with a key when the user picks one."""

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMinimumWidth(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(14)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self._field = QLineEdit()
        self._field.setAccessibleName(name)
        self.setLineEdit(self._field)
        self.setCompleter(completer)
        self._field.installEventFilter(self)
        self._field.returnPressed.connect(self._on_return)
        self.activated.connect(self._on_activated)
        completer.activated.connect(self._on_completed)
        self._current = self._shown = ""

    def set_entries(self, entries: Sequence[tuple[str, str]]) -> None:
        """Replace all entries, keeping the chosen one; an empty key is a line."""
        self.blockSignals(True)
        self.clear()
        for key, text in entries:
            if not key:
                self.insertSeparator(self.count())
                continue
            add_choice(self, text, key)
        self.blockSignals(False)
        self.set_key(self._current)

    def set_key(self, key: str, text: str = "") -> None:
        """Show an entry without telling anybody; ``text`` stands in if it is not in the list."""
        self._current = key
        index = self.findData(key)
        self.blockSignals(True)
        self.setCurrentIndex(index)
        shown = self.itemText(index) if index >= 0 else text or key
        self.setEditText(shown)
        self._field.setCursorPosition(0)
        set_tooltip(self, shown)
        self._shown = shown
        self.blockSignals(False)

    @property
    def key(self) -> str:
        """The chosen entry."""
        return self._current

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.FocusIn:
            self._field.selectAll()
        elif event.type() == QEvent.Type.FocusOut and not self._suggesting():
            self.set_key(self._current, self._shown)
        return super().eventFilter(watched, event)

    def _suggesting(self) -> bool:
        """The list of what fits the typed letters is open."""
        completer = self.completer()
        popup = completer.popup() if completer is not None else None
        return popup is not None and popup.isVisible()

    def wheelEvent(self, event: QEvent) -> None:
        """Leave the wheel to the page: a model is not changed by scrolling past."""
        event.ignore()

    def _choose(self, index: int) -> None:
        """Take an entry."""
        key = self.itemData(index)
        if isinstance(key, str) and key:
            text = self.itemText(index)
            self.set_key(key, text)
            self.chosen.emit(key)

    def _on_activated(self, index: int) -> None:
        """An entry of the list was picked."""
        self._choose(index)

    def _on_completed(self, text: str) -> None:
        """A suggestion was picked."""
        self._choose(self.findText(text))

    def _on_return(self) -> None:
        """Take the best match of what was typed."""
        typed = self._field.text()
        exact = self.findText(typed, Qt.MatchFlag.MatchFixedString)
        index = exact if exact >= 0 else self.findText(typed, Qt.MatchFlag.MatchContains)
        if index >= 0:
            self._choose(index)
