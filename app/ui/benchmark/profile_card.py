"""A run's memory over time and its profiled step: curve, moments, timeline and the layers at the peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.types.units import NOT_AVAILABLE
from app.presentation.figure import MARKS, Mark
from app.ui.benchmark.state_profile import LayerLine, MomentLine, ProfileState
from app.ui.kit.basics import Card, DataTable, muted, sentence
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import format_bytes, format_number, written
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
            tr("Memory over time"),
            (
                tr("After"),
                tr("Time"),
                tr("Needed now"),
                tr("Peak"),
                tr("Held"),
                tr("Process in RAM"),
                tr("Driver sees"),
            ),
            self._make_curves,
            height=HEIGHT,
            parent=self,
        )
        self.timeline: PlotCard[TimelinePlot] = PlotCard(
            tr("Memory over the profiled step"),
            (tr("Share of the step"), tr("In use")),
            self._make_timeline,
            height=HEIGHT,
            parent=self,
        )
        self.layers_card = Card(tr("Layers at the peak of the profiled step"), self)
        headers = (tr("Layer"), tr("Kind"), tr("Measured"), tr("Predicted"), tr("Time"), tr("Share of the time"))
        self.layers = DataTable(self.layers_card.title.text(), headers, self.layers_card)
        self.layers_card.body.addWidget(self.layers)
        self.skipped = muted(wrap=True)
        for widget in (self.over_time, self.timeline, self.layers_card, self.skipped):
            column.addWidget(widget)
        self.hide()

    def set_state(self, state: ProfileState | None) -> None:
        """Show a run's memory."""
        self.setVisible(state is not None)
        if state is None:
            return
        self.over_time.setVisible(bool(state.moments))
        self.over_time.draw(lambda plot: plot.set_curves(state.curves), lambda: [_moment(m) for m in state.moments])
        self.timeline.setVisible(bool(state.timeline))
        self.timeline.draw(
            lambda plot: plot.set_timeline(state.timeline),
            lambda: [(format_number(100 * share, ".0f", "%"), format_bytes(size)) for share, size in state.timeline],
        )
        self.timeline.subtitle.set_full_text(self._peak_text(state))
        self.layers_card.setVisible(bool(state.layers))
        self.layers.fill([_layer(line, state.predicted_mark) for line in state.layers], numbers_from=2)
        self.layers.fit_height()
        self.skipped.setText(sentence(state.skipped))
        self.skipped.setVisible(bool(state.skipped))

    def _peak_text(self, state: ProfileState) -> str:
        """How much at the peak, and in which operation."""
        if not state.peak.known:
            return ""
        text = tr("{mark} {size} in {operation}, {held} held by the allocator")
        where = state.operation or tr("an unnamed operation")
        mark = MARKS[state.peak.mark]
        return text.format(mark=mark, size=written(state.peak), operation=where, held=said(state.held))

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


def _moment(line: MomentLine) -> tuple[str, ...]:
    """One moment as cells."""
    return (line.name, line.time, line.now, line.peak, line.held, line.process, line.seen)


def _layer(line: LayerLine, mark: Mark) -> tuple[str, ...]:
    """One layer as cells, each number with its mark."""

    def marked(text: str, key: Mark) -> str:
        return text if text == NOT_AVAILABLE else f"{MARKS[key]} {text}".strip()

    return (
        line.name,
        line.kind,
        marked(line.measured, "measured"),
        marked(line.predicted, mark),
        marked(line.time, "measured"),
        line.share,
    )
