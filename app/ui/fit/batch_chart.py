"""The batch chart as a card: memory and samples per second against batch size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.presentation.fit import FitState
from app.ui.kit.marker_keys import MarkerKeys
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import format_bytes, format_count
from app.ui.kit.speech import tr

if TYPE_CHECKING:
    from app.ui.fit.plots import BatchChart

HEIGHT = 300


class BatchChartCard(QWidget):
    """Renders the curve of a `FitState`; emits `batch_chosen` while the marker is dragged."""

    batch_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        headers = (tr("Batch"), tr("Memory needed"), tr("Samples per second"))
        title = tr("Memory and speed against batch size")
        self.card: PlotCard[BatchChart] = PlotCard(title, headers, self._make, height=HEIGHT)
        self._batch_size = 1
        place = self.card.place
        place.setAccessibleName(title)
        keys = tr("The arrow keys change the batch, Page up and Page down double and halve it.")
        place.setAccessibleDescription(keys)
        MarkerKeys(place, lambda: self._batch_size, self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.card)

    def set_state(self, state: FitState) -> None:
        """Draw a prediction."""
        self._batch_size = state.batch_size
        text, short = tr("drag the line to change the batch"), ""
        if state.best_batch is not None and state.best_batch != state.batch_size:
            text = tr("drag the line to change the batch; {best} is the best one")
            short = tr("{best} is the best batch")
        if not state.curve:
            text, short = tr("appears when the model is traced"), ""
        best = format_count(state.best_batch)
        self.card.subtitle.set_full_text(text.format(best=best), short.format(best=best))
        self.card.draw(lambda plot: plot.set_state(state), lambda: _rows(state))

    def _choose(self, batch_size: int) -> None:
        """The marker was moved by a key."""
        self._batch_size = batch_size
        if self.card.plot is not None:
            self.card.plot.choose(batch_size)

    def _make(self) -> BatchChart:
        """Load pyqtgraph and make the plot."""
        from app.ui.fit.plots import BatchChart

        words = {
            "memory": tr("Memory"),
            "speed": tr("Samples/s"),
            "batch": tr("Batch size"),
            "limit": tr("limit {size}"),
            "reading": tr("batch {batch}: {memory}, {speed} samples per second"),
        }
        chart = BatchChart(words)
        chart.dragged.connect(self.batch_chosen)
        return chart


def _rows(state: FitState) -> list[tuple[str, str, str]]:
    """The table twin."""
    return [
        (format_count(p.batch_size), format_bytes(p.needed_bytes), format_count(p.samples_per_s)) for p in state.curve
    ]
