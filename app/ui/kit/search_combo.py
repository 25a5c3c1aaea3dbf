"""A combo box to search in: type any part of a name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QSizePolicy, QWidget

from app.ui.kit.plain import add_choice, set_tooltip

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LISTED = 14
"""Entries that are seen at once."""


class WordsFilter(QSortFilterProxyModel):
    """The entries of a combo box whose text or key holds every typed word."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def set_words(self, typed: str) -> None:
        """Keep what holds these words."""
        self._words = typed.lower().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:  # noqa: D102 - Qt's name
        entry = self.sourceModel().index(row, 0, parent)
        text = f"{entry.data() or ''} {entry.data(Qt.ItemDataRole.UserRole) or ''}".lower()
        return all(word in text for word in self._words)


class SearchCombo(QComboBox):
    """Entries are (key, text); emits `chosen` with a key when the user picks one.

    A click selects the whole name, so that typing replaces it; Enter takes the first match, Esc restores the name.
    """

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMinimumWidth(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(LISTED)
        self._matches = WordsFilter(self)
        self._matches.setSourceModel(self.model())
        self._list = QCompleter(self._matches, self)
        self._list.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._list.setMaxVisibleItems(LISTED)
        self._field = QLineEdit()
        self._field.setAccessibleName(name)
        self.setLineEdit(self._field)
        self.setCompleter(self._list)
        self._field.installEventFilter(self)
        popup = self._list.popup()
        assert popup is not None
        self._popup = popup
        self._popup.installEventFilter(self)
        self._field.textEdited.connect(self._matches.set_words)
        self._field.returnPressed.connect(self._on_return)
        self.activated.connect(self._choose)
        self._current = self._shown = ""

    def set_entries(self, entries: Sequence[tuple[str, str]]) -> None:
        """Replace all entries, keeping the chosen one; an empty key is a line."""
        typed = self._field.text() if self._typing() else None
        self.blockSignals(True)
        self.clear()
        for key, text in entries:
            if not key:
                self.insertSeparator(self.count())
                continue
            add_choice(self, text, key)
        self.blockSignals(False)
        self._show(self._current, self._shown)
        if typed is not None:
            self._field.setText(typed)

    def set_key(self, key: str, text: str = "") -> None:
        """Show an entry without telling anybody; ``text`` stands in if it is not in the list.

        What somebody types is not taken away by the same answer once more.
        """
        if key != self._current or not self._typing():
            self._show(key, text)

    def _show(self, key: str, text: str) -> None:
        """Show an entry; where the field has the focus, the next letter replaces it."""
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
        if self._field.hasFocus():
            self._select_all()

    def _select_all(self) -> None:
        """Select the name from its end, so that its beginning is what is seen of a long one."""
        length = len(self._field.text())
        self._field.setSelection(length, -length)

    def _typing(self) -> bool:
        """Somebody is searching."""
        return self._field.hasFocus() and self._field.text() != self._shown

    @property
    def key(self) -> str:
        """The chosen entry."""
        return self._current

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        kind = event.type()
        if kind == QEvent.Type.FocusIn and not self._typing():
            self._select_all()
        elif kind == QEvent.Type.FocusOut and not self._popup.isVisible():
            self._show(self._current, self._shown)
        elif watched is self._field and kind == QEvent.Type.MouseButtonRelease:
            if not self._typing() and not self._field.hasSelectedText():
                self._select_all()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._typing():
            return self._restore(event)
        elif watched is self._popup and isinstance(event, QKeyEvent) and event.key() in ENTER:
            return self._take(event)
        return super().eventFilter(watched, event)

    def _restore(self, event: QKeyEvent) -> bool:
        """The name as it was; the key is taken before it becomes the window's shortcut."""
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self._popup.hide()
            self._show(self._current, self._shown)
        return True

    def _take(self, event: QKeyEvent) -> bool:
        """The row of the list that is marked, else its first, once: Qt would tell it and then what has moved there."""
        if event.type() == QEvent.Type.KeyPress:
            marked = max(0, self._popup.currentIndex().row())
            self._popup.hide()
            self._choose(self._matches.mapToSource(self._matches.index(marked, 0)).row())
        return True

    def wheelEvent(self, event: QEvent) -> None:
        """Leave the wheel to the page: a model is not changed by scrolling past."""
        event.ignore()

    def _choose(self, index: int) -> None:
        """Take an entry."""
        key = self.itemData(index)
        if isinstance(key, str) and key:
            self._show(key, self.itemText(index))
            self.chosen.emit(key)

    def _on_return(self) -> None:
        """Take what was typed in full, or the first match."""
        typed = self._field.text()
        if typed in ("", self._shown):
            return
        index = self.findText(typed, Qt.MatchFlag.MatchFixedString)
        if index < 0:
            self._matches.set_words(typed)
            index = self._matches.mapToSource(self._matches.index(0, 0)).row()
        self._popup.hide()
        self._choose(index)
