"""What was tried and does not help, what would need less memory, and what would have to be different."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.presentation.layout import Points, Table
from app.ui.kit.basics import Card, DataTable, clear_layout, sentence, wrapped
from app.ui.kit.speech import said

MOST_TRIED = 12
"""Rows of a table that are seen at once."""


class TriedCards(QWidget):
    """A card for each block that was laid out; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tables: list[DataTable] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self.hide()

    def set_blocks(self, blocks: tuple[Table | Points, ...]) -> None:
        """Replace all cards."""
        clear_layout(self._column)
        self.tables = []
        for block in blocks:
            card = Card(said(block.title), self)
            if isinstance(block, Table):
                self.tables.append(self._table(block, card))
            else:
                card.body.addWidget(wrapped("\n".join(map(sentence, block.lines))))
            self._column.addWidget(card)
        self.setVisible(bool(blocks))

    @staticmethod
    def _table(block: Table, card: Card) -> DataTable:
        """A table, whose last column says why and takes the spare room."""
        table = DataTable(said(block.title), block.columns, card)
        table.stretch(len(block.columns) - 1)
        table.place(block, MOST_TRIED)
        card.body.addWidget(table)
        return table
