"""The answer to "RAM, disk, another card, or rent?": the best of each kind on a card, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.presentation.upgrades import UpgradeRow, best_words
from app.ui.kit.basics import Card, clear_layout, heading, section, wrapped
from app.ui.kit.speech import said

NARROW = 760
"""Below this the cards stand two by two."""


class BestCards(QWidget):
    """Renders the best rows of an advice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[Card] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(10)
        self._columns = 0

    def set_rows(self, rows: Sequence[UpgradeRow]) -> None:
        """Show the best of each kind."""
        clear_layout(self._grid)
        self.cards = [self._card(row) for row in rows]
        self._columns = 0
        self._arrange()

    def _card(self, row: UpgradeRow) -> Card:
        """Kind, name, and what it gains and costs."""
        name, answer = said(row.item.shown), said(best_words(row))
        card = Card("", self, margin=10)
        card.setAccessibleName(f"{said(row.kind)}: {name}")
        card.setAccessibleDescription(answer)
        card.body.setSpacing(2)
        title = heading(name)
        title.setWordWrap(True)
        for label in (section(said(row.kind)), title, wrapped(answer)):
            card.body.addWidget(label)
        card.body.addStretch(1)
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """All beside each other where there is room."""
        columns = max(1, len(self.cards)) if self.width() >= NARROW else 2
        if columns == self._columns:
            return
        self._columns = columns
        for number, card in enumerate(self.cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, number // columns, number % columns)
        for column in range(4):
            self._grid.setColumnStretch(column, int(column < columns))
