"""Plots on pyqtgraph in the colours of the window.  Imported only when the first plot is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGraphicsItem

from app.core.units import GIB
from app.ui import style
from app.ui.quantities import format_bytes, format_count, localised
from app.ui.state_fit import FitState

Curve = tuple[Sequence[float], Sequence[float]]
LINE_WIDTH = 2.0


class LocalAxis(pg.AxisItem):
    """An axis whose labels are written by locale."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: D102
        return [localised(text) for text in super().tickStrings(values, scale, spacing)]


class Log2Axis(pg.AxisItem):
    """An axis of powers of two: positions are logarithms, labels are counts."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:  # noqa: D102
        return [format_count(2**value) if abs(value - round(value)) < 1e-6 else "" for value in values]

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        every = max(1, math.ceil((last - first + 1) * 58 / max(size, 1)))
        return [(every, [float(v) for v in range(first, last + 1) if v % every == 0])]


class Plot:
    """A pyqtgraph graphics view; subclasses add rows of axes.  ``widget`` goes into a layout."""

    def __init__(self) -> None:
        self.widget = pg.GraphicsLayoutWidget()
        self.widget.setAntialiasing(True)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.ci.layout.setContentsMargins(0, 0, 4, 0)
        self.widget.ci.layout.setSpacing(4)
        self.axes: list[pg.PlotItem] = []
        self._styled: list[tuple[Any, Callable[[Any], None]]] = []

    def add_axes(self, row: int, label: str, units: str, *, bottom: str = "", axis: Any = None) -> pg.PlotItem:
        """One plot area; ``bottom`` names the horizontal axis."""
        items = {"left": LocalAxis("left"), "bottom": axis if axis is not None else LocalAxis("bottom")}
        plot = self.widget.addPlot(row=row, col=0, axisItems=items)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.showGrid(x=False, y=True, alpha=0.18)
        left = plot.getAxis("left")
        left.setWidth(58)
        left.enableAutoSIPrefix(False)
        for side in ("left", "bottom"):
            # Text is slow to draw: keep each axis as a picture until it changes.
            plot.getAxis(side).setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        plot.getAxis("bottom").enableAutoSIPrefix(False)
        plot.setLabel("left", label, units=units)
        if bottom:
            plot.setLabel("bottom", bottom)
        self.axes.append(plot)
        return plot

    def styled(self, item: Any, how: Callable[[Any], None]) -> Any:
        """Remember how an item is coloured, so that a change of theme can do it again."""
        self._styled.append((item, how))
        how(item)
        return item

    def restyle(self) -> None:
        """Take the colours of the present theme."""
        colours = style.current()
        self.widget.setBackground(colours.surface)
        font = QFont(style.scaled_font(self.widget, 0.92))
        for plot in self.axes:
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(colours.border))
                axis.setTextPen(pg.mkPen(colours.muted))
                axis.setTickFont(font)
                axis.label.setFont(font)
                axis.setStyle(tickLength=-4)
        for item, how in self._styled:
            how(item)


def round_up(value: float) -> float:
    """The next number with two figures, so that an axis keeps still while its data wobbles."""
    if value <= 0:
        return 1.0
    unit = 10 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / unit) * unit


def _line_pen(key: str, width: float = LINE_WIDTH, *, dash: bool = False) -> Any:
    """A pen in a colour of the palette or of a part of memory."""
    colours = style.current()
    colour = colours.parts.get(key) or getattr(colours, key)
    return pg.mkPen(colour, width=width, style=Qt.PenStyle.DashLine if dash else Qt.PenStyle.SolidLine)


class _Drag(QObject):
    """Carries the signal of the marker: a `Plot` is no Qt object itself."""

    moved = Signal(int)


class BatchChart(Plot):
    """Memory and throughput against batch size, with the limit and a marker that can be dragged."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._drag = _Drag()
        self._drawn: tuple[object, ...] = ()
        self._ranges: dict[tuple[Any, str], tuple[float, float]] = {}
        self.dragged = self._drag.moved
        self._words = words
        self.memory = self.add_axes(0, words["memory"], "GiB", axis=Log2Axis("bottom"))
        self.speed = self.add_axes(1, words["speed"], "", bottom=words["batch"], axis=Log2Axis("bottom"))
        self.speed.setXLink(self.memory)
        self.widget.ci.layout.setRowStretchFactor(0, 3)
        self.widget.ci.layout.setRowStretchFactor(1, 2)
        self.memory.getAxis("bottom").setStyle(showValues=False)
        self._needed = self._curve(self.memory, "accent")
        self._samples = self._curve(self.speed, "activations")
        self._limit = self._horizontal("does_not_fit")
        self._best = self._vertical("fits", movable=False)
        self._markers = [self._vertical("accent", movable=True) for _ in range(2)]
        for plot, marker in zip((self.memory, self.speed), self._markers, strict=True):
            plot.addItem(marker, ignoreBounds=True)
            marker.sigDragged.connect(self._on_dragged)
        self.memory.addItem(self._best, ignoreBounds=True)
        self._setting = False
        self.restyle()

    def _curve(self, plot: Any, key: str) -> Any:
        """A line with small points."""
        curve = plot.plot([], [], symbol="o", symbolSize=5)

        def colour(item: Any) -> None:
            item.setPen(_line_pen(key))
            item.setSymbolBrush(_line_pen(key).color())
            item.setSymbolPen(None)

        return self.styled(curve, colour)

    def _horizontal(self, key: str) -> Any:
        """The limit, with a label that `set_state` writes."""
        options = {"position": 0.02, "anchors": [(0, 1), (0, 1)]}
        line = pg.InfiniteLine(angle=0, label="", labelOpts=options)
        line.setVisible(False)
        self.memory.addItem(line, ignoreBounds=True)

        def colour(item: Any) -> None:
            item.setPen(_line_pen(key, 1.6, dash=True))
            item.label.setColor(getattr(style.current(), key))

        return self.styled(line, colour)

    def _vertical(self, key: str, *, movable: bool) -> Any:
        """A vertical line."""
        line = pg.InfiniteLine(angle=90, movable=movable)
        line.setVisible(False)
        width = 2.4 if movable else 1.2

        def colour(item: Any) -> None:
            item.setPen(_line_pen(key, width, dash=not movable))
            item.setHoverPen(_line_pen("text", width + 1))

        return self.styled(line, colour)

    def set_state(self, state: FitState) -> None:
        """Draw the curve of a prediction."""
        self._place_marker(state)
        drawn = (state.curve, state.allowed_bytes, state.needed_bytes > (state.allowed_bytes or 0) and state.batch_size)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        points = state.curve
        xs = [math.log2(p.batch_size) for p in points]
        self._needed.setData(xs, [p.needed_bytes / GIB for p in points])
        known = [(math.log2(p.batch_size), p.samples_per_s) for p in points if p.samples_per_s is not None]
        self._samples.setData([x for x, _ in known], [y for _, y in known])
        self._limit.setVisible(state.allowed_bytes is not None)
        if state.allowed_bytes is not None:
            self._limit.setValue(state.allowed_bytes / GIB)
            self._limit.label.setFormat(self._words["limit"].format(size=format_bytes(state.allowed_bytes)))
        self._scale(state, xs)

    def _place_marker(self, state: FitState) -> None:
        """Put the marker on the batch and the thin line on the best one."""
        self._setting = True
        for marker in self._markers:
            marker.setVisible(bool(state.curve))
            marker.setValue(math.log2(max(1, state.batch_size)))
        self._setting = False
        self._best.setVisible(state.best_batch is not None and state.best_batch != state.batch_size)
        if state.best_batch:
            self._best.setValue(math.log2(state.best_batch))

    def _scale(self, state: FitState, xs: Sequence[float]) -> None:
        """Ranges: everything, but the memory axis ends where the limit is well in sight."""
        if not xs:
            return
        marker = math.log2(max(1, state.batch_size))
        low, high = min(*xs, marker), max(*xs, marker)
        self._set_range(self.memory, "x", low - 0.2, high + 0.3)
        most = max(p.needed_bytes for p in state.curve) / GIB
        if state.allowed_bytes is not None:
            limit = state.allowed_bytes / GIB
            most = min(max(most, limit * 1.15), max(limit * 1.6, state.needed_bytes / GIB * 1.15))
        self._set_range(self.memory, "y", 0, round_up(most * 1.08))
        speeds = [p.samples_per_s for p in state.curve if p.samples_per_s is not None]
        if speeds:
            self._set_range(self.speed, "y", 0, round_up(max(speeds) * 1.15))

    def _set_range(self, plot: Any, axis: str, low: float, high: float) -> None:
        """Set a range only if it differs: each change draws an axis anew."""
        if self._ranges.get((plot, axis)) != (low, high):
            self._ranges[plot, axis] = (low, high)
            (plot.setXRange if axis == "x" else plot.setYRange)(low, high, padding=0)

    def batch_size(self) -> int:
        """The batch that the marker stands on."""
        return max(1, round(2 ** self._markers[0].value()))

    def choose(self, batch_size: int) -> None:
        """The user moves the marker by a key."""
        self._markers[0].setValue(math.log2(batch_size))
        self._on_dragged(self._markers[0])

    def _on_dragged(self, line: Any) -> None:
        """The user moves the marker."""
        for marker in self._markers:
            if marker is not line:
                marker.setValue(line.value())
        if not self._setting:
            self._drag.moved.emit(self.batch_size())


class LivePlot(Plot):
    """Curves over seconds; grows while a run goes on."""

    def __init__(
        self, label: str, units: str, seconds: str, curves: Mapping[str, str], *, top: float | None = None
    ) -> None:
        super().__init__()
        self._top = top
        self._unlisted: dict[str, str] = {}
        self.axis = self.add_axes(0, label, units, bottom=seconds)
        self.axis.addLegend(offset=(8, 2), colCount=len(curves), labelTextSize="9pt")
        self.curves = {}
        keys = ("accent", "activations", "workspace", "gradients")
        for (name, text), key in zip(curves.items(), keys, strict=False):
            curve = self.axis.plot([], [])
            if len(curves) > 1:
                self._unlisted[name] = text
            self.curves[name] = self.styled(curve, lambda item, key=key: item.setPen(_line_pen(key)))
        self.restyle()

    def restyle(self) -> None:
        """Also colour the legend."""
        super().restyle()
        legend = self.axis.legend
        if legend is not None:
            legend.setLabelTextColor(style.current().text)
            for _sample, label in legend.items:
                label.setText(label.text)

    def set_curves(self, curves: Mapping[str, Curve]) -> None:
        """Draw curves; unknown names are left out."""
        highest = last = 0.0
        for name, curve in self.curves.items():
            times, values = curves.get(name, ((), ()))
            curve.setData(list(times), list(values))
            highest = max(highest, max(values, default=0.0))
            last = max(last, times[-1] if times else 0.0)
            if times and name in self._unlisted:
                self.axis.legend.addItem(curve, self._unlisted.pop(name))
        room = 1.25 if len(self.curves) == 1 else 1.5
        self.axis.setYRange(0, self._top or round_up(highest * room), padding=0)
        self.axis.setXRange(0, max(last, 1.0), padding=0.02)


class TimelinePlot(Plot):
    """Live memory over one step."""

    def __init__(self, memory: str, share: str) -> None:
        super().__init__()
        self.axis = self.add_axes(0, memory, "GiB", bottom=share)
        self._curve = self.axis.plot([], [], fillLevel=0)

        def colour(item: Any) -> None:
            item.setPen(_line_pen("accent"))
            item.setFillBrush(pg.mkBrush(style.qcolor(style.current().accent, 0.16)))

        self.styled(self._curve, colour)
        self.restyle()

    def set_timeline(self, timeline: Sequence[tuple[float, int]]) -> None:
        """Draw (share of the step, bytes)."""
        self._curve.setData([100 * share for share, _ in timeline], [size / GIB for _, size in timeline])
        self.axis.setYRange(0, max((size for _, size in timeline), default=1) / GIB * 1.1, padding=0)
        self.axis.setXRange(0, 100, padding=0.01)


