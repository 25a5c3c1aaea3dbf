"""Curves over seconds that grow while a run goes on, with the run's phases as bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from app.core.types.measurement import PhaseSpan
from app.ui.kit import style
from app.ui.kit.plot_base import Plot, line_pen, nearest, round_up
from app.ui.kit.quantities import axis_unit, format_number

Curve = tuple[Sequence[float], Sequence[float]]
SMOOTH_POINTS = 600
"""A longer curve is as dense as the pixels: smoothing would cost three times the time and not be seen."""
KEYS = ("accent", "activations", "workspace", "gradients", "optimizer_state")
LEGEND_COLUMNS = 3


class LivePlot(Plot):
    """One curve for each name.

    Args:
        label: Of the vertical axis.
        units: Of the vertical axis.
        seconds: Name of the horizontal axis.
        curves: Key and word of each curve.
        top: Where the vertical axis ends; None where the data does.
        limit: Word for a line that nothing may reach, if there is one.
    """

    def __init__(
        self,
        label: str,
        units: str,
        seconds: str,
        curves: Mapping[str, str],
        *,
        top: float | None = None,
        limit: str = "",
    ) -> None:
        super().__init__()
        self._top, self._names = top, dict(curves)
        self._unit, self._factor = axis_unit(units)
        self._unlisted: dict[str, str] = {}
        self._data: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._bands: list[pg.LinearRegionItem] = []
        self._phases: tuple[PhaseSpan, ...] = ()
        self._highest = -1.0
        self.axis = self.add_axes(0, label, units, bottom=seconds)
        self.axis.add_legend((8, 2), colCount=min(len(curves), LEGEND_COLUMNS), labelTextSize="9pt")
        self.curves: dict[str, pg.PlotDataItem] = {}
        for (name, text), key in zip(curves.items(), KEYS, strict=False):
            curve = self.axis.plot([], [])
            # More points than pixels are drawn as their highest and lowest: a step that stood out stays in sight.
            curve.setDownsampling(auto=True, method="peak")
            if len(curves) > 1:
                self._unlisted[name] = text
            self.curves[name] = self.styled(curve, partial(_colour_curve, key))
        self._limit = pg.InfiniteLine(angle=0, label=limit, labelOpts={"position": 0.98, "anchors": [(1, 1), (1, 1)]})
        self._limit.setVisible(False)
        self.axis.add(self._limit, beside=True)
        self.styled(self._limit, _colour_limit)
        self.restyle()

    def restyle(self) -> None:
        """Also colour the legend and the bands."""
        super().restyle()
        legend = self.axis.legend
        if legend is not None:
            legend.setLabelTextColor(style.current().text)
            for _sample, label in legend.items:
                label.setText(label.text)
        self._colour_bands()

    def set_curves(self, curves: Mapping[str, Curve]) -> None:
        """Draw curves; unknown names are left out."""
        highest = last = 0.0
        for name, curve in self.curves.items():
            times, values = (np.asarray(side, dtype=np.float64) for side in curves.get(name, ((), ())))
            drawn = self._data.get(name)
            if drawn is None or not (np.array_equal(times, drawn[0]) and np.array_equal(values, drawn[1])):
                curve.setData(times, values, antialias=len(times) < SMOOTH_POINTS)
                self._data[name] = (times, values)
            if len(times):
                highest, last = max(highest, float(values.max())), max(last, float(times[-1]))
                if name in self._unlisted and self.axis.legend is not None:
                    self.axis.legend.addItem(curve, self._unlisted.pop(name))
        room = 1.25 if len(self.curves) == 1 else 1.5
        top = self._top or round_up(highest * room)
        if top != self._highest:
            self._highest = top
            self.axis.set_height(0, top)
        self.axis.vb.set_whole(0.0, _whole_seconds(last))

    def set_limit(self, value: float | None) -> None:
        """Draw the line that nothing may reach, if it is known."""
        self._limit.setVisible(value is not None)
        if value is not None:
            self._limit.setValue(value)

    def set_phases(self, phases: Sequence[PhaseSpan]) -> None:
        """Lay the phases of the run under the curves."""
        if tuple(phases) == self._phases:
            return
        self._phases = tuple(phases)
        while len(self._bands) < len(self._phases):
            band = pg.LinearRegionItem(movable=False, pen=None)
            band.setZValue(-20)
            for line in band.lines:
                line.setVisible(False)
            self.axis.add(band, beside=True)
            self._bands.append(band)
        for band in self._bands[len(self._phases) :]:
            band.setVisible(False)
        for band, phase in zip(self._bands, self._phases, strict=False):
            band.setVisible(True)
            band.setRegion((phase.start_s, phase.end_s if phase.end_s is not None else 1e7))
        self._colour_bands()

    def reading(self, x: float) -> str:
        """The values of all curves at a time."""
        found, moment = [], x
        for name, (times, values) in self._data.items():
            index = nearest(times, x)
            if index is not None:
                moment = times[index]
                found.append(f"{self._names[name]} {format_number(values[index] * self._factor, '.4g', self._unit)}")
        return " · ".join((format_number(moment, ".1f", "s"), *found)) if found else ""

    def _colour_bands(self) -> None:
        """The measurement in the accent, every second one of the others a little darker."""
        colours = style.current()
        for number, (band, phase) in enumerate(zip(self._bands, self._phases, strict=False)):
            measuring = phase.name == "measure"
            colour, alpha = (colours.accent, 0.09) if measuring else (colours.text, 0.06 if number % 2 else 0.02)
            band.setBrush(style.qcolor(colour, alpha))


def _colour_curve(key: str, item: pg.PlotDataItem) -> None:
    """A curve in its colour."""
    item.setPen(line_pen(key))


def _colour_limit(item: pg.InfiniteLine) -> None:
    """The limit in the colour of what does not fit."""
    item.setPen(line_pen("does_not_fit", 1.6, dash=True))
    item.label.setColor(style.current().does_not_fit)


def _whole_seconds(last: float) -> float:
    """Where the time axis ends: it grows in steps, because every other end draws the axis anew."""
    if last <= 1:
        return 1.0
    step = 10.0 ** math.floor(math.log10(last)) / 10
    return math.ceil(last * 1.02 / step) * step
