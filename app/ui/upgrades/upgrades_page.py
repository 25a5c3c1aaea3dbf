"""What to buy or rent: comparable rows to filter and sort, and cost against time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QLineEdit, QWidget

from app.presentation.upgrades import QUESTION, UpgradeRow, best_rows, dated_price
from app.presentation.words import KINDS
from app.ui.advice.state_advice import UpgradesState
from app.ui.kit.basics import Card, Scroll, button, caption_of, heading, muted, sentence, wrapped
from app.ui.kit.choice import choice
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import written
from app.ui.kit.rows_table import RowsTable
from app.ui.kit.speech import said, tr
from app.ui.upgrades.best_cards import BestCards
from app.ui.upgrades.price_dialog import PriceDialog
from app.ui.upgrades.rows import answer_lines, cells, sorted_by

if TYPE_CHECKING:
    from app.ui.upgrades.cost_plot import CostPlot

ORDER = ("gpu", "cloud", "ram", "disk", "cpu")
LISTED = 6
NUMBERS = range(3, 11)
DROPPED = (8, 1, 5, 10, 9, 3, 7, 2)
"""Energy, kind, all epochs, interval, break-even, batch, date of the price and verdict give way in this order."""
EPOCH, INTERVAL = 4, 10
PLOT_HEIGHT = 168
NARROW = 800
"""Below this the chart stands under the table."""


class UpgradesPage(Scroll):
    """Renders an `UpgradesState`; emits `price_changed`."""

    price_changed = Signal(int, float, str, str)
    """Number of the upgrade, price, currency, day."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Upgrades"))
        self.title = heading("", 1.15)
        self.subtitle = muted(wrap=True)
        self.error = ErrorCard(self.widget())
        self.best = BestCards(self.widget())
        for widget in (self.title, self.subtitle, self.error, self.best, self._tools()):
            self.body.addWidget(widget)
        headers = (tr("Upgrade"), tr("Price"), tr("One epoch"))
        self.plot: PlotCard[CostPlot] = PlotCard(
            tr("Cost against time"), headers, self._make_plot, height=PLOT_HEIGHT, parent=self.widget()
        )
        self.plot.subtitle.set_full_text(tr("cheap and quick lies below on the left; a click selects"))
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(10)
        self._pair.addWidget(self._table_card(), 5, Qt.AlignmentFlag.AlignTop)
        self._pair.addWidget(self.plot, 4)
        self.body.addLayout(self._pair)
        self.body.addWidget(self._answer())
        self.body.addStretch(1)
        for widget in (self.best, self.tools, self._card, self._answer_row, self.plot):
            widget.hide()
        self._state = UpgradesState()
        self._shown: list[UpgradeRow] = []
        self._order: tuple[int, bool] | None = None
        self._chosen: int | None = None
        self.set_state(UpgradesState())

    def _tools(self) -> QWidget:
        """What the list is narrowed by."""
        self.tools = QWidget(self.widget())
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter by name …"))
        self.filter.setAccessibleName(tr("Filter upgrades"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(240)
        self.kind = choice(tr("Kind of upgrade"), [("", tr("everything"))])
        self.kind.setFixedWidth(150)
        spoken = caption_of(self.kind, tr("Kind of upgrade"))
        spoken.hide()
        row.addWidget(spoken)
        self.fitting = QCheckBox(tr("Only what fits"))
        self.worthy = QCheckBox(tr("Only what is worth it"))
        for widget in (self.filter, self.kind, self.fitting, self.worthy):
            row.addWidget(widget)
        row.addStretch(1)
        self.count = muted()
        row.addWidget(self.count)
        self.filter.textChanged.connect(self._show_rows)
        self.kind.currentIndexChanged.connect(self._show_rows)
        self.fitting.toggled.connect(self._show_rows)
        self.worthy.toggled.connect(self._show_rows)
        return self.tools

    def _table_card(self) -> Card:
        """The comparable rows."""
        self._card = Card("", self.widget(), margin=4)
        headers = (
            tr("Upgrade"),
            tr("Kind"),
            tr("Fits"),
            tr("Largest batch"),
            tr("One epoch"),
            tr("All epochs"),
            tr("Price"),
            tr("As of"),
            tr("Energy"),
            tr("Pays off after"),
            tr("Between"),
        )
        self.table = RowsTable(
            tr("Upgrades"), headers, numbers=NUMBERS, whole=(1, 2), stretched=0, dropped=DROPPED, parent=self._card
        )
        self.table.horizontalHeader().moveSection(INTERVAL, EPOCH + 1)
        self.table.setSelectionMode(RowsTable.SelectionMode.SingleSelection)
        self.table.sort_requested.connect(self._on_sort)
        self.table.selected.connect(self._on_selected)
        self._card.body.addWidget(self.table)
        return self._card

    def _answer(self) -> QWidget:
        """Why the chosen row is worth it or not, and a price of one's own."""
        self._answer_row = QWidget(self.widget())
        row = QHBoxLayout(self._answer_row)
        row.setContentsMargins(0, 0, 0, 0)
        self.why = wrapped()
        row.addWidget(self.why, 1)
        self.own_price = button(tr("Change the price …"))
        self.own_price.clicked.connect(self._on_own_price)
        row.addWidget(self.own_price)
        return self._answer_row

    def set_state(self, state: UpgradesState) -> None:
        """Show an advice's upgrades."""
        old, self._state = self._state, state
        self.title.setText(self._title_text(state))
        only = tr("{waits}, so only what speeds that up helps.")
        self.subtitle.setText(only.format(waits=sentence(state.waits)) if state.waits else "")
        self.subtitle.setVisible(bool(self.subtitle.text()))
        self.error.set_error(state.error)
        if state.rows != old.rows:
            self._show_table()

    def _show_table(self) -> None:
        """The rows, with what narrows and explains them, and their points."""
        for widget in (self.best, self.tools, self._card, self._answer_row, self.plot):
            widget.setVisible(bool(self._state.rows))
        self.best.set_rows(best_rows([row.item for row in self._state.rows]))
        self._offer_kinds()
        self._show_rows()

    def _offer_kinds(self) -> None:
        """Only kinds that there are."""
        there = [kind for kind in ORDER if any(row.item.kind == kind for row in self._state.rows)]
        chosen = self.kind.currentData()
        self.kind.blockSignals(True)
        while self.kind.count() > 1:
            self.kind.removeItem(1)
        for kind in there:
            self.kind.addItem(said(KINDS[kind]), kind)
        self.kind.setCurrentIndex(max(0, self.kind.findData(chosen)))
        self.kind.blockSignals(False)

    def _show_rows(self) -> None:
        """Filter and sort."""
        typed, kind = self.filter.text().lower().split(), self.kind.currentData()
        rows = [row for row in self._state.rows if not kind or row.item.kind == kind]
        rows = [row for row in rows if all(word in _searched(row) for word in typed)]
        rows = [row for row in rows if row.item.fits or not self.fitting.isChecked()]
        rows = [row for row in rows if row.item.worth or not self.worthy.isChecked()]
        if self._order is not None:
            column, descending = self._order
            rows.sort(key=lambda row: sorted_by(column, row.item), reverse=descending)
            self.table.show_order(column, descending=descending)
        self._shown = rows
        chosen = [index for index, row in enumerate(rows) if row.number == self._chosen]
        self.table.fill([cells(row) for row in rows], chosen)
        self.table.fit_height(LISTED)
        text = tr("{shown} of {all}").format(shown=len(rows), all=len(self._state.rows))
        self.count.setText(text if len(rows) != len(self._state.rows) else "")
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The answer to the chosen row, and its point."""
        row = next((row for row in self._shown if row.number == self._chosen), None)
        self.own_price.setEnabled(row is not None and row.item.price is not None)
        if row is None:
            self.why.setText(tr("Choose a row to see why it helps or not."))
        else:
            self.why.setText("\n".join(answer_lines(row)) or tr("There is no more to say about it."))
        shown, chosen, today = list(self._shown), self._chosen, self._state.today_s
        self.plot.draw(
            lambda plot: plot.set_rows(shown, chosen, today),
            lambda: [(r.item.shown, dated_price(r.item), written(r.epoch)) for r in shown],
        )

    def _title_text(self, state: UpgradesState) -> str:
        """The headline."""
        if state.rows:
            return said(QUESTION)
        if state.stage == "working":
            return tr("Comparing hardware …")
        if state.stage == "ready":
            return tr("No hardware in the tables would help this workload")
        return tr("Upgrades appear here once the model is known")

    def _on_sort(self, column: int) -> None:
        """Sort by a column; a second click turns the order round, a third returns to "most useful first"."""
        turns = {None: (column, False), (column, False): (column, True), (column, True): None}
        self._order = turns.get(self._order, (column, False))
        if self._order is None:
            self.table.horizontalHeader().setSortIndicatorShown(False)
        self._show_rows()

    def _on_selected(self, rows: tuple[int, ...]) -> None:
        """Remember which row is chosen."""
        self._chosen = self._shown[rows[0]].number if rows else None
        self._show_chosen()

    def _on_point(self, number: int) -> None:
        """Choose the row of a point."""
        index = next((i for i, row in enumerate(self._shown) if row.number == number), None)
        if index is not None:
            self.table.select_row(index, add=False)

    def _on_own_price(self) -> None:
        """Ask for the price."""
        row = next((row for row in self._shown if row.number == self._chosen), None)
        if row is not None:
            dialog = PriceDialog(row, self)
            dialog.changed.connect(self.price_changed)
            dialog.finished.connect(dialog.deleteLater)
            dialog.open()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        way = QBoxLayout.Direction.TopToBottom if self.width() < NARROW else QBoxLayout.Direction.LeftToRight
        self._pair.setDirection(way)

    def _make_plot(self) -> CostPlot:
        """Load pyqtgraph and make the plot."""
        from app.ui.upgrades.cost_plot import CostPlot

        words = {
            "cost": tr("Price, or rent of one training"),
            "time": tr("One epoch"),
            "today": tr("this machine as it is"),
        }
        plot = CostPlot(words)
        plot.picked.number.connect(self._on_point)
        return plot


def _searched(row: UpgradeRow) -> str:
    """What a filter looks into: what it is, and what its seller calls it."""
    return f"{said(row.item.shown)} {row.item.name}".lower()
