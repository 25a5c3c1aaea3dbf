"""Peak memory of several runs as bars, with the answer in words, the moments as a table and the curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.ui.benchmark.state_profile import PeakBar, PeaksState
from app.ui.kit import style
from app.ui.kit.basics import Card, DataTable, Drawing, wrapped
from app.ui.kit.plot_card import PlotCard
from app.ui.kit.quantities import axis_unit, format_bytes, format_number
from app.ui.kit.speech import said, tr

if TYPE_CHECKING:
    from app.ui.benchmark.live_plot import LivePlot

BAR_HEIGHT = 18
ROW_HEIGHT = 44
CURVES_HEIGHT = 200
MOST_CURVES = 4
"""Lines that can be told apart in one plot."""


class PeakBars(Drawing):
    """Paints one bar for each run, longest for the one that needs most."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[PeakBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Peak memory of the runs"))

    def set_bars(self, bars: tuple[PeakBar, ...]) -> None:
        """Show the peaks of runs."""
        self._bars = bars
        self.setAccessibleDescription(". ".join(f"{said(bar.name)}: {_size(bar)}" for bar in bars))
        self.updateGeometry()
        self.update()

    def widths(self) -> list[float]:
        """Length of each bar in pixels."""
        most = max((bar.size_bytes or 0 for bar in self._bars), default=0) or 1
        return [(self.width() - 2) * (bar.size_bytes or 0) / most for bar in self._bars]

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(400, ROW_HEIGHT * len(self._bars))

    def minimumSizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(200, self.sizeHint().height())

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = style.current()
        for number, (bar, width) in enumerate(zip(self._bars, self.widths(), strict=True)):
            top = number * ROW_HEIGHT
            painter.setPen(style.qcolor(colours.text))
            text = QRectF(1, top, self.width() - 2, ROW_HEIGHT - BAR_HEIGHT - 4)
            shown = f"{said(bar.name)}   {_size(bar)}"
            fitting = painter.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, int(text.width()))
            painter.drawText(text, fitting)
            painter.fillRect(QRectF(1, text.bottom() + 2, width, BAR_HEIGHT), style.qcolor(colours.accent))


def _size(bar: PeakBar) -> str:
    """The size of a bar, or that nobody counted it."""
    return said(format_bytes(bar.size_bytes))


class PeaksCards(QWidget):
    """Renders a `PeaksState`, hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        card = Card(tr("Peak memory"), self)
        self.answer = wrapped()
        self.bars = PeakBars()
        card.body.addWidget(self.answer)
        card.body.addWidget(self.bars)
        self._moments_at = QVBoxLayout()
        card.body.addLayout(self._moments_at)
        self.moments: DataTable | None = None
        column.addWidget(card)
        self._curves_at = QVBoxLayout()
        column.addLayout(self._curves_at)
        self.curves: PlotCard[LivePlot] | None = None
        self.hide()

    def set_state(self, state: PeaksState | None) -> None:
        """Show the peaks of runs."""
        self.setVisible(state is not None)
        for old in (self.moments, self.curves):
            if old is not None:
                old.hide()
                old.deleteLater()
        self.moments = self.curves = None
        if state is None:
            return
        self.answer.setText(said(state.answer))
        self.bars.set_bars(state.bars)
        if state.moments.rows:
            self.moments = DataTable(tr("Peaks at each moment"), state.moments.columns)
            self.moments.place(state.moments)
            self._moments_at.addWidget(self.moments)
        if len(state.curves) > 1:
            self.curves = self._curves_card(state)
            self._curves_at.addWidget(self.curves)

    def _curves_card(self, state: PeaksState) -> PlotCard[LivePlot]:
        """The memory of the runs over time, one over the other."""
        chosen = dict(list(state.curves.items())[:MOST_CURVES])

        def make() -> LivePlot:
            from app.ui.benchmark.live_plot import LivePlot

            return LivePlot(tr("Needed now"), "GiB", tr("Seconds"), {name: said(name) for name in chosen})

        unit, factor = axis_unit("GiB")
        headers = (tr("Run"), tr("Seconds"), tr("Needed now ({unit})").format(unit=unit))
        card: PlotCard[LivePlot] = PlotCard(tr("Memory over time"), headers, make, height=CURVES_HEIGHT)
        rows = [
            (name, format_number(t_s, ".1f"), format_number(size * factor, ".3f"))
            for name, (times, sizes) in chosen.items()
            for t_s, size in zip(times, sizes, strict=True)
        ]
        card.draw(lambda plot: plot.set_curves(chosen), lambda: rows)
        return card
