"""What an upgrade costs against the time of an epoch with it: cheap and quick lies below on the left."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QObject, Signal

from app.presentation.upgrades import UpgradeRow, dated_price
from app.ui.kit import style
from app.ui.kit.plain import plain_tip
from app.ui.kit.plain_plots import PlainAxis
from app.ui.kit.plot_base import Plot, line_pen
from app.ui.kit.quantities import format_number, format_seconds, written
from app.ui.kit.speech import said

SYMBOLS = {"gpu": "o", "cloud": "t1", "ram": "s", "disk": "d", "cpu": "+"}
COLOURS = {"gpu": "accent", "cloud": "optimizer_state", "ram": "activations", "disk": "workspace", "cpu": "inputs"}
SIZE = 10
CHOSEN_SIZE = 17
LEFT_WIDTH = 84
"""Of the vertical axis: a label such as ``8.3 min`` beside the title."""
LABEL_SHARE = 0.12
"""Of the height, for the words above the line of today."""


class TimeAxis(PlainAxis):
    """Positions are logarithms of seconds to the base of 10, labels are durations."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:  # noqa: D102
        return [format_seconds(10**value) for value in values]

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        return [(1.0, decades(low, high))]


class MoneyAxis(PlainAxis):
    """Positions are logarithms of a price to the base of 10."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:  # noqa: D102
        return [format_number(10**value, ",.10g") for value in values]

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        return [(1.0, decades(low, high))]


def decades(low: float, high: float) -> list[float]:
    """Logarithms of 1, 2 and 5 times powers of ten in a range; only the powers where there are many."""
    whole = range(math.floor(low), math.ceil(high) + 1)
    steps = (0.0, math.log10(2), math.log10(5)) if len(whole) <= 4 else (0.0,)
    return [n + step for n in whole for step in steps if low <= n + step <= high]


class _Chosen(QObject):
    """Carries the signal of a clicked point."""

    number = Signal(int)


class CostPlot(Plot):
    """One point for each upgrade with a price and a time; emits `picked.number` when one is clicked."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self.picked = _Chosen()
        self._words = words
        self._rows: dict[int, UpgradeRow] = {}
        self._chosen: int | None = None
        self.axis = self.add_axes(
            0, words["time"], "", bottom=words["cost"], axis=MoneyAxis("bottom"), left=TimeAxis("left")
        )
        self.axis.left.setWidth(LEFT_WIDTH)
        self.points = pg.ScatterPlotItem(hoverable=True, tip=self._tip)
        self.points.sigClicked.connect(self._on_clicked)
        self.axis.add(self.points)
        self._today = pg.InfiniteLine(
            angle=0, label=words["today"], labelOpts={"position": 0.03, "anchors": [(0, 1), (0, 1)]}
        )
        self._today.setVisible(False)
        self.axis.add(self._today, beside=True)
        self.styled(self._today, _colour_today)
        self.restyle()

    def restyle(self) -> None:
        """Also colour the points."""
        super().restyle()
        self._draw()

    def set_rows(self, rows: Sequence[UpgradeRow], chosen: int | None, today_s: float | None) -> None:
        """Show upgrades; ``chosen`` is the number of the one that is selected."""
        self._rows = {row.number: row for row in rows if row.spend and row.item.epoch_s}
        self._chosen = chosen
        self._today.setVisible(bool(today_s))
        if today_s:
            self._today.setValue(math.log10(today_s))
        self._draw()
        if not self._rows:
            return
        costs = [math.log10(row.spend or 1) for row in self._rows.values()]
        times = [math.log10(row.item.epoch_s or 1) for row in self._rows.values()]
        times += [math.log10(today_s)] if today_s else []
        self.axis.vb.set_whole(min(costs) - 0.15, max(costs) + 0.15)
        self.axis.set_height(min(times) - 0.12, max(times) + 0.18 + LABEL_SHARE * (max(times) - min(times)))

    def reading(self, x: float) -> str:
        """The upgrade whose price is nearest."""
        if not self._rows:
            return ""
        return self._words_of(min(self._rows.values(), key=lambda row: abs(math.log10(row.spend or 1) - x)))

    def _draw(self) -> None:
        """Points with the symbol and colour of their kind."""
        spots = [
            {
                "pos": (math.log10(row.spend or 1), math.log10(row.item.epoch_s or 1)),
                "data": number,
                "symbol": SYMBOLS[row.item.kind],
                "size": CHOSEN_SIZE if number == self._chosen else SIZE,
                "brush": line_pen(COLOURS[row.item.kind]).color(),
                "pen": line_pen("text" if number == self._chosen else "surface", 1.5),
            }
            for number, row in self._rows.items()
        ]
        self.points.setData(spots)

    def _tip(self, x: float, y: float, data: int) -> str:
        """Words for a point under the mouse."""
        return plain_tip(self._words_of(self._rows[data]))

    def _words_of(self, row: UpgradeRow) -> str:
        """Name, price and time."""
        return f"{said(row.item.shown)} · {said(dated_price(row.item))} · {written(row.epoch)}"

    def _on_clicked(self, _item: Any, points: Sequence[Any], *_event: Any) -> None:
        """Tell which point was clicked."""
        if len(points):
            self.picked.number.emit(int(points[0].data()))


def _colour_today(item: pg.InfiniteLine) -> None:
    """The line of today's time, quiet."""
    item.setPen(line_pen("muted", 1.2, dash=True))
    item.label.setColor(style.current().muted)
