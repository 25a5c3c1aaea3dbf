"""How good the predictions of this version are: their errors against measured runs, and others beside them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app.presentation.layout import Block, Line, Points, Table
from app.ui.kit.basics import DataTable, Scroll, button, heading, muted, section, wrapped
from app.ui.kit.speech import said, tr

MOST_ROWS = 20
"""Rows of a table that are seen at once; none has more."""


class AccuracyDialog(QDialog):
    """Shows laid-out blocks from top to bottom."""

    def __init__(self, blocks: Iterable[Block], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("How good is it?"))
        self.resize(920, 620)
        self.tables: list[DataTable] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 12)
        scroll = Scroll(self)
        for block in blocks:
            for widget in self._shown(block):
                scroll.body.addWidget(widget)
        scroll.body.addStretch(1)
        layout.addWidget(scroll)
        buttons = QDialogButtonBox()
        buttons.setContentsMargins(12, 0, 12, 0)
        buttons.addButton(button(tr("Close")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def _shown(self, block: Block) -> list[QWidget]:
        """One block."""
        if isinstance(block, Line):
            text = said(block.text)
            return [heading(text, 1.3) if block.weight == "title" else muted(text, wrap=True)]
        title: QLabel = section(said(block.title))
        if isinstance(block, Points):
            return [title, *(wrapped(said(line)) for line in block.lines)]
        return [title, self._table(block)]

    def _table(self, block: Table) -> DataTable:
        """Its rows, all of them."""
        table = DataTable(said(block.title), tuple(map(said, block.columns)), self)
        table.place(block, MOST_ROWS)
        self.tables.append(table)
        return table
