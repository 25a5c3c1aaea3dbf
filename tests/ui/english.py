"""Finds English in a German window: words that German does not have, in everything that is seen or read aloud."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget, QTabBar, QTableWidget, QWidget

from app.ui.kit.basics import ElidedLabel
from tests.ui.accessibility import own_widgets

ENGLISH = frozenset(
    "a after against all and any are as at available be because between but by can cannot card change choose each "
    "every fact fits for free from has have held here how if in-use is it its kept known largest layers less machine "
    "measure measured memory model more most needed needs no none not nothing of off on one only open or other out "
    "peak predicted run runs samples seconds size step steps than that the there this time to too traced train "
    "trained twice use used waits weights what when which while why with without works would yes your".split()
) - {"an", "in", "so", "war", "was", "am", "a", "to", "model", "card", "on", "off", "use"}
"""Words of this window that are neither German nor part of a name."""
_CODE = re.compile(r"`[^`]*`|--[\w-]+|\S*[_/.=()]\S*|„[^“]*“|\b[A-Z]{2,}\b")
"""Names of files, options and functions stay what they are in every language."""


def english_words(text: str) -> set[str]:
    """English words in a text, without what is a name."""
    return {word for word in re.findall(r"[A-Za-z']+", _CODE.sub(" ", text).lower()) if word in ENGLISH}


def seen_texts(window: QWidget) -> Iterator[str]:
    """Everything that is written in a window, told by its tooltips, and read aloud."""
    for widget in (window, *own_widgets(window)):
        if widget is not window and not widget.isVisible():
            continue
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        if isinstance(widget, ElidedLabel):
            yield widget.full_text()
        elif isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit):
            yield from (widget.text(), widget.placeholderText())
        elif isinstance(widget, QComboBox):
            yield widget.currentText()
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(i) for i in range(widget.count()))
        elif isinstance(widget, QListWidget):
            yield from (widget.item(i).text() for i in range(widget.count()))
        elif isinstance(widget, QTableWidget):
            yield from _cells(widget)
        spoken = QAccessible.queryAccessibleInterface(widget)
        if spoken is not None:
            yield from (spoken.text(QAccessible.Text.Name), spoken.text(QAccessible.Text.Description))


def _cells(table: QTableWidget) -> Iterator[str]:
    """Heads and cells of a table."""
    for column in range(table.columnCount()):
        head = table.horizontalHeaderItem(column)
        yield head.text() if head is not None else ""
        for row in range(table.rowCount()):
            cell = table.item(row, column)
            yield cell.text() if cell is not None else ""


def recorded(folder: Path) -> list[str]:
    """What a recorded advisor makes up, longest first, and the program's name: no sentences of the program."""
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(folder.glob("*.py"))]
    constants = (node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    texts = {text.strip() for text in constants if isinstance(text, str) and len(text) > 6}
    return [*sorted(texts, key=len, reverse=True), "Will It Train?"]


def english_in(texts: Iterable[str], made_up: Iterable[str] = ()) -> dict[str, set[str]]:
    """Texts that hold English words, with these words."""
    ours = re.compile("|".join(map(re.escape, made_up)) or r"(?!)", re.IGNORECASE)
    spaced = {text.replace("\N{NO-BREAK SPACE}", " ") for text in texts}
    found = {text: english_words(ours.sub(" ", text)) for text in spaced}
    return {text: words for text, words in found.items() if words}
