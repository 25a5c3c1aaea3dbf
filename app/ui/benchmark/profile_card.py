"""A run's memory over time and its profiled step: curve, moments, timeline and the layers at the peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.presentation.profile import LAYERS, MOMENTS
from app.ui.benchmark.state_profile import ProfileState
from app.ui.kit.basics import Card, DataTable, muted, sentence
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import format_bytes, format_number
from app.ui.kit.speech import said, tr

if TYPE_CHECKING:
    from app.ui.benchmark.live_plot import LivePlot
    from app.ui.fit.plots import TimelinePlot

HEIGHT = 190


class ProfileCards(QWidget):
    """Renders a `ProfileState`, hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self.over_time: PlotCard[LivePlot] = PlotCard(
            tr("Memory over time"), tuple(map(said, MOMENTS)), self._make_curves, height=HEIGHT, parent=self
        )
        self.timeline: PlotCard[TimelinePlot] = PlotCard(
            tr("Memory over the profiled step"),
            (tr("Share of the step"), tr("In use")),
            self._make_timeline,
            height=HEIGHT,
            parent=self,
        )
        self.layers_card = Card(tr("Layers at the peak of the profiled step"), self)
        self.layers = DataTable(self.layers_card.title.text(), tuple(map(said, LAYERS)), self.layers_card)
        self.times = DataTable(tr("Time of the operations"), ("",), self.layers_card)
        self.layers_card.body.addWidget(self.layers)
        self.layers_card.body.addWidget(self.times)
        self.skipped = muted(wrap=True)
        for widget in (self.over_time, self.timeline, self.layers_card, self.skipped):
            column.addWidget(widget)
        self.hide()

    def set_state(self, state: ProfileState | None) -> None:
        """Show a run's memory."""
        self.setVisible(state is not None)
        if state is None:
            return
        self.over_time.setVisible(bool(state.moments.rows))
        self.over_time.draw(lambda plot: plot.set_curves(state.curves), lambda: state.moments.rows)
        self.timeline.setVisible(bool(state.timeline))
        self.timeline.draw(
            lambda plot: plot.set_timeline(state.timeline),
            lambda: [(format_number(100 * share, ".0f", "%"), format_bytes(size)) for share, size in state.timeline],
        )
        self.timeline.subtitle.set_full_text(said(state.peak))
        self.layers_card.setVisible(state.layers is not None and bool(state.layers.rows))
        if state.layers is not None and state.times is not None:
            self.layers.place(state.layers)
            self.times.place(state.times)
        self.skipped.setText(sentence(state.skipped))
        self.skipped.setVisible(bool(state.skipped))

    def _make_curves(self) -> LivePlot:
        """Load pyqtgraph and make the plot."""
        from app.ui.benchmark.live_plot import LivePlot

        curves = {
            "needed_gib": tr("needed, peak"),
            "current_gib": tr("needed now"),
            "held_gib": tr("held"),
            "seen_gib": tr("driver sees"),
        }
        return LivePlot(tr("Memory"), "GiB", tr("Seconds"), curves)

    def _make_timeline(self) -> TimelinePlot:
        """Load pyqtgraph and make the plot."""
        from app.ui.fit.plots import TimelinePlot

        return TimelinePlot(tr("In use"), tr("Share of the step (%)"))
