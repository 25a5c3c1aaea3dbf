"""One run in full, or several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.core.types.units import format_number
from app.presentation.layout import Table
from app.ui.benchmark.live_plots import LivePlots, has_lines
from app.ui.benchmark.peak_bars import CURVES_HEIGHT, MOST_CURVES, PeaksCards
from app.ui.benchmark.profile_card import ProfileCards
from app.ui.benchmark.result_card import ResultCard
from app.ui.kit.basics import Card, DataTable, button, muted
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.speech import said, tr
from app.ui.runs.state_runs import ComparisonState, RunDetails, RunsState

if TYPE_CHECKING:
    from app.ui.benchmark.live_plot import LivePlot


MOST_FACTS = 40
"""Rows of a table of facts that are seen at once."""


class RunDetailsView(QWidget):
    """Emits `note_changed` and `reuse_requested`."""

    note_changed = Signal(int, str)
    reuse_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run_id = 0
        self._details: RunDetails | None = None
        self._compared: ComparisonState | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(10)
        self.result = ResultCard(self)
        layout.addWidget(self.result)
        self._note_row = QWidget(self)
        row = QHBoxLayout(self._note_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(muted(tr("Note")))
        self.note = QLineEdit()
        self.note.setAccessibleName(tr("Note on this run"))
        self.note.setPlaceholderText(tr("What you want to remember about this run"))
        self.note.editingFinished.connect(self._on_note_edited)
        row.addWidget(self.note, 1)
        self.reuse = button(tr("Use this workload"), name=tr("Put this run's workload into the form"))
        self.reuse.clicked.connect(lambda: self.reuse_requested.emit(self._run_id))
        row.addWidget(self.reuse)
        layout.addWidget(self._note_row)
        self.profile = ProfileCards(self)
        layout.addWidget(self.profile)
        self.comparison_card = Card(tr("Runs side by side"), self)
        self._comparison_layout = self.comparison_card.body
        self.comparison: DataTable | None = None
        layout.addWidget(self.comparison_card)
        self.peaks = PeaksCards(self)
        layout.addWidget(self.peaks)
        self._steps = QWidget(self)
        self._steps_at = QVBoxLayout(self._steps)
        self._steps_at.setContentsMargins(0, 0, 0, 0)
        self.steps: PlotCard[LivePlot] | None = None
        layout.addWidget(self._steps)
        self.trained = FactsCard(tr("What was trained"), tr("What was trained"), self)
        layout.addWidget(self.trained)
        self.plots = LivePlots(tr("While it ran"), self)
        self.plots.hide()
        layout.addWidget(self.plots)
        self.facts = FactsCard(tr("Everything about this run"), tr("Facts of the run"), self)
        layout.addWidget(self.facts)
        for part in (self._note_row, self._steps, self.comparison_card):
            part.hide()

    def set_state(self, state: RunsState) -> None:
        """Show what is chosen: one run, several, or none."""
        self.set_details(state.details)
        self.set_comparison(state.comparison)

    def set_details(self, details: RunDetails | None) -> None:
        """Show one run."""
        if details is self._details:
            return
        self._details = details
        self._note_row.setVisible(details is not None)
        self.result.set_state(details.result if details else None)
        self.profile.set_state(details.result.profile if details else None)
        self.trained.set_table(details.facts if details else None)
        self.facts.set_table(details.settings if details else None)
        self._show_curves(details)
        if details is None:
            return
        self._run_id = details.run_id
        if not self.note.hasFocus():
            self.note.setText(said(details.note))

    def _show_curves(self, details: RunDetails | None) -> None:
        """Draw the readings of a run, or hide the plots; Tab goes through them before the facts below."""
        self.plots.setVisible(details is not None and has_lines(details.curves))
        if details is not None:
            self.plots.set_curves(details.curves, details.phases, None, live=False)
        for card in self.plots.cards.values():
            self.setTabOrder(card.menu_button, self.facts.table)

    def set_comparison(self, comparison: ComparisonState | None) -> None:
        """Show runs side by side."""
        if comparison is self._compared:
            return
        self._compared = comparison
        self.peaks.set_state(comparison.peaks if comparison else None)
        self._show_steps(comparison)
        self._show_differences(comparison)

    def _show_differences(self, comparison: ComparisonState | None) -> None:
        """What was measured, and what differs."""
        self.comparison_card.setVisible(comparison is not None)
        if self.comparison is not None:
            self._comparison_layout.removeWidget(self.comparison)
            self.comparison.hide()
            self.comparison.deleteLater()
            self.comparison = None
        if comparison is None:
            return
        table = DataTable(tr("Runs side by side"), comparison.table.columns, self.comparison_card)
        table.place(comparison.table, MOST_FACTS)
        self._comparison_layout.addWidget(table)
        self.comparison = table

    def _show_steps(self, comparison: ComparisonState | None) -> None:
        """The step times of the runs, one over the other."""
        if self.steps is not None:
            self.steps.hide()
            self.steps.deleteLater()
            self.steps = None
        shown = comparison is not None and len(comparison.steps) > 1
        self._steps.setVisible(shown)
        if comparison is None or not shown:
            return
        curves = dict(list(comparison.steps.items())[:MOST_CURVES])
        words = tr("Time"), tr("Seconds")

        def make() -> LivePlot:
            from app.ui.benchmark.live_plot import LivePlot

            return LivePlot(words[0], "ms", words[1], {name: said(name) for name in curves})

        headers = (tr("Run"), tr("Seconds"), tr("Step time (ms)"))
        self.steps = PlotCard(tr("Step times"), headers, make, height=CURVES_HEIGHT, parent=self._steps)
        rows = [
            (name, format_number(t_s, ".1f"), format_number(step, ".4g"))
            for name, pair in curves.items()
            for t_s, step in zip(*pair, strict=True)
        ]
        self.steps.draw(lambda plot: plot.set_curves(curves), lambda: rows)
        self._steps_at.addWidget(self.steps)

    def _on_note_edited(self) -> None:
        """Tell a changed note; one of the program stays a text that every language says."""
        if self.note.isModified():
            self.note.setModified(False)
            self.note_changed.emit(self._run_id, self.note.text())


class FactsCard(Card):
    """What was kept about a run, as a table."""

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.table = DataTable(name, ("", ""), self)
        self.table.stretch(1)
        self.body.addWidget(self.table)
        self.hide()

    def set_table(self, table: Table | None) -> None:
        """Show facts, or nothing."""
        self.setVisible(table is not None)
        if table is not None:
            self.table.place(table, MOST_FACTS)
