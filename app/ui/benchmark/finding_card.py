"""What a search for the batch size found: the largest, the fastest, and every trial."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.core.types.units import NOT_AVAILABLE
from app.presentation.figure import Figure, measured
from app.presentation.variants import TRIALS
from app.ui.benchmark.state_compare import FoundState
from app.ui.kit import words
from app.ui.kit.basics import Card, DataTable, button, heading, muted
from app.ui.kit.number_label import NumberTile
from app.ui.kit.quantities import format_count
from app.ui.kit.speech import said, tr


class FindingCard(Card):
    """Renders a `FoundState`, hidden while there is none; emits `acted` with the batch to use."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(tr("Batch sizes that were tried"))
        self.verdict = heading("", 1.35)
        self.body.addWidget(self.verdict)
        row = QHBoxLayout()
        row.setSpacing(24)
        self.largest = NumberTile(tr("Largest batch that ran"))
        self.best = NumberTile(tr("Smallest batch at full speed"))
        self.pair = NumberTile(tr("Batch × steps"))
        for tile in (self.largest, self.best, self.pair):
            row.addWidget(tile, 1)
        self.use = button(tr("Use it"), primary=True)
        self.use.clicked.connect(lambda: self.acted.emit(f"apply_batch:{self._best}"))
        row.addWidget(self.use)
        self.body.addLayout(row)
        self.table = DataTable(tr("Trials"), tuple(map(said, TRIALS)), self)
        self.body.addWidget(self.table)
        self.why = muted(wrap=True)
        self.body.addWidget(self.why)
        self._best: int | None = None
        self.hide()

    def set_state(self, state: FoundState | None) -> None:
        """Show a search that has ended."""
        self.setVisible(state is not None)
        if state is None:
            return
        self._best = state.best
        none = tr("No batch ran")
        self.verdict.setText(self._verdict(state) if state.best else none)
        self.largest.set_number(_batch(state.largest))
        self.best.set_number(_batch(state.best))
        self.pair.set_number(Figure(mark="scaled", wording=state.pair) if state.pair else Figure())
        self.pair.setVisible(bool(state.pair))
        self.use.setVisible(state.best is not None)
        self.use.setText(tr("Use batch {size}").format(size=format_count(state.best)))
        self.table.place(state.table)
        self.why.setText(self._why(state))

    def _verdict(self, state: FoundState) -> str:
        """The answer in one line."""
        text = tr("Train with batch {size}")
        return text.format(size=format_count(state.best))

    def _why(self, state: FoundState) -> str:
        """Why the search ended, and what it may take."""
        limit = tr("Limit: {size}.").format(size=said(state.limit)) if state.limit != NOT_AVAILABLE else ""
        return " ".join(filter(None, (words.stopped_by(state.stopped_by), limit)))


def _batch(size: int | None) -> Figure:
    """A batch that was measured."""
    return measured(size, "count")
