"""What to buy or rent: comparable rows."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QSizePolicy, QVBoxLayout, QWidget

from app.ui import words
from app.ui.state_advice import UpgradeRow, UpgradesState
from app.ui.widgets.basics import Card, DataTable, heading, muted, sentence, wrapped
from app.ui.widgets.error_card import ErrorCard


class UpgradesPage(QWidget):
    """Renders an `UpgradesState`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Upgrades"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 16)
        layout.setSpacing(8)
        self.title = heading("", 1.15)
        self.subtitle = muted(wrap=True)
        self.error = ErrorCard()
        for widget in (self.title, self.subtitle, self.error):
            layout.addWidget(widget)
        card = Card(margin=4)
        headers = (
            self.tr("Upgrade"), self.tr("Kind"), self.tr("Fits"), self.tr("Largest batch"), self.tr("One epoch"),
            self.tr("Gain at most"), self.tr("Price"), self.tr("Price of"), self.tr("Pays off after"),
        )  # fmt: skip
        self.table = DataTable(self.tr("Upgrades"), headers)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setSectionResizeMode(8, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(0, 190)
        self.table.itemSelectionChanged.connect(self._on_selected)
        card.body.addWidget(self.table)
        layout.addWidget(card, 1)
        self.why = wrapped()
        layout.addWidget(self.why)
        self._rows: tuple[UpgradeRow, ...] = ()
        self.set_state(UpgradesState())

    def set_state(self, state: UpgradesState) -> None:
        """Show an advice's upgrades."""
        self.title.setText(self._title_text(state))
        bound = self.tr("Training waits for {what}, so only what speeds that up helps.")
        self.subtitle.setText(bound.format(what=words.bound(state.bound_by)) if state.bound_by else "")
        self.error.set_error(state.error)
        if state.rows == self._rows:
            return
        self._rows = state.rows
        self.table.fill([self._cells(row) for row in state.rows], numbers_from=3)
        for index, row in enumerate(state.rows):
            item = self.table.item(index, 0)
            item.setToolTip("\n".join(filter(None, (row.name, sentence(row.why), sentence(row.basis)))))
        self._on_selected()

    def _cells(self, row: UpgradeRow) -> tuple[str, ...]:
        """One row as texts."""
        epoch = row.epoch.text if not row.epoch.interval else f"{row.epoch.text} ({row.epoch.interval})"
        mark = words.MARKS[row.epoch.mark]
        return (
            row.name, words.upgrade_kind(row.kind), words.yes_no(row.fits), row.largest_batch,
            f"{epoch} {mark}".strip(), row.gain, row.price, row.price_date, row.break_even,
        )  # fmt: skip

    def _title_text(self, state: UpgradesState) -> str:
        """The headline."""
        if state.rows:
            return self.tr("What to buy or rent, most useful first")
        if state.stage == "working":
            return self.tr("Comparing hardware …")
        if state.stage == "ready":
            return self.tr("No hardware in the tables would help this workload")
        return self.tr("Upgrades appear here once the model is known")

    def _on_selected(self) -> None:
        """Say why the chosen row is worth it or not."""
        index = self.table.currentRow()
        if not 0 <= index < len(self._rows):
            self.why.setText(self.tr("Choose a row to see why it helps or not.") if self._rows else "")
            return
        row = self._rows[index]
        text = " · ".join(filter(None, (sentence(row.why), sentence(row.basis))))
        self.why.setText(text or self.tr("There is no more to say about it."))
