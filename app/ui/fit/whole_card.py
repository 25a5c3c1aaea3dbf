"""The whole of a training on the Fit page: what each phase needs, how long it takes, and what that comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.presentation.fit import FitState
from app.presentation.whole import course
from app.ui.kit.basics import Card, DataTable, sentence, wrapped
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.speech import said, tr

if TYPE_CHECKING:
    from app.ui.fit.plots import CoursePlot

COLUMNS = 6
HEIGHT = 180


class WholeCard(Card):
    """A plot of the phases with its table twin, the table itself, and a few sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("The whole training"), parent)
        self._shown = FitState()
        self.table = DataTable(tr("The whole training"), ("",) * COLUMNS)
        self.lines = wrapped()
        self.plot: PlotCard[CoursePlot] = PlotCard(
            tr("Memory over the whole training"), (tr("Phase"), tr("Device")), self._make_plot, height=HEIGHT
        )
        for part in (self.lines, self.table, self.plot):
            self.body.addWidget(part)
        self.hide()

    def set_state(self, state: FitState) -> None:
        """Show the phases of a training; hidden where there are none."""
        table = state.phase_table
        self.setVisible(table is not None)
        if table is None or (state.phases, state.whole_lines) == (self._shown.phases, self._shown.whole_lines):
            return
        self._shown = state
        self.table.place(table)
        self.lines.setText("\n".join(sentence(said(line)) for line in state.whole_lines))
        rows = [(said(row.name), row.device.amount or 0.0, said(row.device.text)) for row in course(state.phases)]
        self.plot.draw(
            lambda plot: plot.set_course([(name, size) for name, size, _ in rows], state.allowed_bytes),
            lambda: [(name, text) for name, _, text in rows],
        )

    @staticmethod
    def _make_plot() -> CoursePlot:
        """Load pyqtgraph and make the plot."""
        from app.ui.fit.plots import CoursePlot

        return CoursePlot(tr("Needed"), tr("Phases in their order"))
