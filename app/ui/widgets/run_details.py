"""One run in full, or several side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.ui import words
from app.ui.state_runs import ComparisonState, DetailRow, RunDetails
from app.ui.turns import Turns
from app.ui.widgets.basics import Card, DataTable, button, muted
from app.ui.widgets.live_plots import LivePlots
from app.ui.widgets.peak_bars import CURVES_HEIGHT, MOST_CURVES, PeaksCards
from app.ui.widgets.plot_card import PlotCard
from app.ui.widgets.profile_card import ProfileCards
from app.ui.widgets.result_card import ResultCard

if TYPE_CHECKING:
    from app.ui.widgets.live_plot import LivePlot


class RunDetailsView(QWidget):
    """Emits `note_changed` and `reuse_requested`."""

    note_changed = Signal(int, str)
    reuse_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run_id = 0
        self._details: RunDetails | None = None
        self._turns = Turns(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(10)
        self.result = ResultCard(self)
        layout.addWidget(self.result)
        self._note_row = QWidget(self)
        row = QHBoxLayout(self._note_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(muted(self.tr("Note")))
        self.note = QLineEdit()
        self.note.setAccessibleName(self.tr("Note on this run"))
        self.note.setPlaceholderText(self.tr("What you want to remember about this run"))
        self.note.editingFinished.connect(self._on_note_edited)
        row.addWidget(self.note, 1)
        self.reuse = button(self.tr("Use this workload"), name=self.tr("Put this run's workload into the form"))
        self.reuse.clicked.connect(lambda: self.reuse_requested.emit(self._run_id))
        row.addWidget(self.reuse)
        layout.addWidget(self._note_row)
        self.profile = ProfileCards(self)
        self.peaks = PeaksCards(self)
        self._steps = QWidget(self)
        self._steps_at = QVBoxLayout(self._steps)
        self._steps_at.setContentsMargins(0, 0, 0, 0)
        self.steps: PlotCard[LivePlot] | None = None
        layout.addWidget(self.profile)
        layout.addWidget(self.peaks)
        layout.addWidget(self._steps)
        self._facts_card = Card(self.tr("Everything about this run"), self)
        self.facts = DataTable(self.tr("Facts of the run"), (self.tr("Fact"), self.tr("Value")), self._facts_card)
        self.facts.stretch(1)
        self._facts_card.body.addWidget(self.facts)
        layout.addWidget(self._facts_card)
        # Its plots are made late, and Tab reaches last what was made last.
        self.plots = LivePlots(self.tr("While it ran"), self)
        layout.addWidget(self.plots)
        self.comparison_card = Card(self.tr("What differs"), self)
        self._comparison_layout = self.comparison_card.body
        self.comparison: DataTable | None = None
        layout.addWidget(self.comparison_card)
        for part in (self._note_row, self._facts_card, self.plots):
            part.hide()
        self.set_comparison(None)

    @property
    def busy(self) -> bool:
        """Some of it still waits for its turn."""
        return self._turns.busy or self.plots.drawing

    def set_details(self, details: RunDetails | None) -> None:
        """Show one run."""
        if details is self._details:
            return
        self._details = details
        for widget in (self._note_row, self._facts_card):
            widget.setVisible(details is not None)
        self.result.set_state(details.result if details else None)
        if details is None:
            self._turns.do()
            self.profile.set_state(None)
            self.plots.hide()
            return
        self._run_id = details.run_id
        if not self.note.hasFocus():
            self.note.setText(details.note)
        self._turns.do(
            partial(self._show_facts, details),
            partial(self.profile.set_state, details.result.profile),
            partial(self._show_curves, details),
        )

    def _show_facts(self, details: RunDetails) -> None:
        """Everything that was kept about a run."""
        self.facts.fill([(fact_name(row), *fact_values(row)) for row in details.facts], numbers_from=9)
        self.facts.fit_height(40)

    def _show_curves(self, details: RunDetails) -> None:
        """The readings of a run."""
        self.plots.setVisible(bool(details.curves))
        self.plots.set_curves(details.curves, details.phases, None)

    def set_comparison(self, comparison: ComparisonState | None) -> None:
        """Show runs side by side."""
        self.comparison_card.setVisible(comparison is not None)
        self.peaks.set_state(comparison.peaks if comparison else None)
        self._show_steps(comparison)
        if self.comparison is not None:
            self._comparison_layout.removeWidget(self.comparison)
            self.comparison.deleteLater()
            self.comparison = None
        if comparison is None:
            return
        table = DataTable(self.tr("Runs side by side, only what differs"), (self.tr("Fact"), *comparison.titles))
        table.fill([(fact_name(row), *fact_values(row)) for row in comparison.rows], numbers_from=9)
        table.fit_height(40)
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
        words = self.tr("Time"), self.tr("Seconds")

        def make() -> LivePlot:
            from app.ui.widgets.live_plot import LivePlot

            return LivePlot(words[0], "ms", words[1], {name: name for name in curves})

        headers = (self.tr("Run"), self.tr("Seconds"), self.tr("Step time (ms)"))
        self.steps = PlotCard(self.tr("Step times"), headers, make, height=CURVES_HEIGHT, plain=True)
        rows = [
            (name, f"{t_s:.1f}", f"{step:.4g}")
            for name, pair in curves.items()
            for t_s, step in zip(*pair, strict=True)
        ]
        self.steps.draw(lambda plot: plot.set_curves(curves), lambda: rows)
        self._steps_at.addWidget(self.steps)

    def _on_note_edited(self) -> None:
        """Tell a changed note."""
        self.note_changed.emit(self._run_id, self.note.text())


def fact_name(row: DetailRow) -> str:
    """A fact's key as words; versions and variables keep their names."""
    head, _, tail = row.key.partition(".")
    return tail if head == "environment" else words.fact(tail or row.key)


def fact_values(row: DetailRow) -> tuple[str, ...]:
    """A fact's values as words where they are keys."""
    told = {"outcome": words.outcome, "bound_by": words.bound}.get(row.key, words.plan_value)
    return row.values if row.key.startswith("environment.") else tuple(map(told, row.values))
