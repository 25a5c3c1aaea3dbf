"""The batch chart and the timeline on pyqtgraph.  Imported only when the first plot is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QObject, Signal

from app.core.types.units import GIB
from app.presentation.fit import CurvePoint, FitState
from app.ui.kit import style
from app.ui.kit.plain_plots import PlainAxis
from app.ui.kit.plot_axes import Axes
from app.ui.kit.plot_base import Plot, line_pen, nearest, round_up
from app.ui.kit.quantities import format_bytes, format_count, format_number, whole_size
from app.ui.kit.speech import speaker

LEFT_WIDTH = 70
"""Of the batch chart's vertical axes: a label such as ``128 MiB`` or ``150,000`` beside the title."""
LABEL_LINES_HEIGHT = 52
"""Of an axis whose labels take two lines, and its name."""

FEW = 2
"""Powers of ten in a range that are too few labels by themselves."""


class Log2Axis(PlainAxis):
    """An axis of powers of two: positions are logarithms, labels are counts."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:  # noqa: D102
        return [format_count(2**value) if abs(value - round(value)) < 1e-6 else "" for value in values]

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        every = max(1, math.ceil((last - first + 1) * 58 / max(size, 1)))
        return [(every, [float(v) for v in range(first, last + 1) if v % every == 0])]


class ByteAxis(PlainAxis):
    """An axis of memory: positions are logarithms of GiB to the base of 2, labels are sizes."""

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:  # noqa: D102
        return [whole_size(2**value * GIB) for value in values]

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        if speaker().decimal_sizes:
            return [(1.0, _thousands(low, high))]
        first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        every = max(1, math.ceil((last - first + 1) * 26 / max(size, 1)))
        return [(every, [float(v) for v in range(first, last + 1) if v % every == 0])]


def _thousands(low: float, high: float) -> list[float]:
    """Places of 1, 10, 100 MB and so on; of 2 and 5 of each too, where there are few."""
    first, last = (math.floor(place * math.log10(2) + math.log10(GIB)) for place in (low, high))
    steps = (1, 2, 5) if last - first < FEW else (1,)
    places = [math.log2(step * 10.0**power / GIB) for power in range(first, last + 1) for step in steps]
    return [place for place in places if low <= place <= high]


class _Drag(QObject):
    """Carries the signal of the marker: a `Plot` is no Qt object itself."""

    moved = Signal(int)


class BatchChart(Plot):
    """Memory and throughput against batch size, with the limit and a marker that can be dragged."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._drag = _Drag()
        self._drawn: tuple[object, ...] = ()
        self._ranges: dict[Axes, tuple[float, float]] = {}
        self.dragged = self._drag.moved
        self._words = words
        self._points: tuple[CurvePoint, ...] = ()
        self.memory = self.add_axes(0, words["memory"], "", axis=Log2Axis("bottom"), left=ByteAxis("left"))
        self.speed = self.add_axes(1, words["speed"], "", bottom=words["batch"], axis=Log2Axis("bottom"))
        self.speed.vb.setXLink(self.memory.vb)
        for axes in (self.memory, self.speed):
            axes.left.setWidth(LEFT_WIDTH)
        self.widget.ci.layout.setRowStretchFactor(0, 3)
        self.widget.ci.layout.setRowStretchFactor(1, 2)
        self.memory.bottom.setStyle(showValues=False)
        self._needed = self._curve(self.memory, "accent")
        self._samples = self._curve(self.speed, "activations")
        self._limit = self._horizontal("does_not_fit")
        self._best = self._vertical("fits", movable=False)
        self._markers = [self._vertical("accent", movable=True) for _ in range(2)]
        for plot, marker in zip((self.memory, self.speed), self._markers, strict=True):
            plot.add(marker, beside=True)
            marker.sigDragged.connect(self._on_dragged)
        self.memory.add(self._best, beside=True)
        self._setting = False
        self.restyle()

    def _curve(self, plot: Axes, key: str) -> pg.PlotDataItem:
        """A line with small points."""
        curve = plot.plot([], [], symbol="o", symbolSize=5)

        def colour(item: pg.PlotDataItem) -> None:
            item.setPen(line_pen(key))
            item.setSymbolBrush(line_pen(key).color())
            item.setSymbolPen(None)

        return self.styled(curve, colour)

    def _horizontal(self, key: str) -> pg.InfiniteLine:
        """The limit, with a label that `set_state` writes."""
        options = {"position": 0.02, "anchors": [(0, 1), (0, 1)]}
        line = pg.InfiniteLine(angle=0, label="", labelOpts=options)
        line.setVisible(False)
        self.memory.add(line, beside=True)

        def colour(item: pg.InfiniteLine) -> None:
            item.setPen(line_pen(key, 1.6, dash=True))
            item.label.setColor(getattr(style.current(), key))

        return self.styled(line, colour)

    def _vertical(self, key: str, *, movable: bool) -> pg.InfiniteLine:
        """A vertical line."""
        line = pg.InfiniteLine(angle=90, movable=movable)
        line.setVisible(False)
        width = 2.4 if movable else 1.2

        def colour(item: pg.InfiniteLine) -> None:
            item.setPen(line_pen(key, width, dash=not movable))
            item.setHoverPen(line_pen("text", width + 1))

        return self.styled(line, colour)

    def set_state(self, state: FitState) -> None:
        """Draw the curve of a prediction; without one no axes are shown."""
        self.widget.setVisible(bool(state.curve))
        self._place_marker(state)
        drawn = (state.curve, state.allowed_bytes, state.needed_bytes > (state.allowed_bytes or 0) and state.batch_size)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        points = self._points = state.curve
        xs = [math.log2(p.batch_size) for p in points]
        self._needed.setData(xs, [_height(p.needed_bytes) for p in points])
        known = [(math.log2(p.batch_size), p.samples_per_s) for p in points if p.samples_per_s is not None]
        self._samples.setData([x for x, _ in known], [y for _, y in known])
        self.speed.left.setStyle(showValues=bool(known))
        self._limit.setVisible(state.allowed_bytes is not None)
        if state.allowed_bytes is not None:
            self._limit.setValue(_height(state.allowed_bytes))
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
        """Ranges: everything, the limit included."""
        if not xs:
            return
        marker = math.log2(max(1, state.batch_size))
        low, high = min(*xs, marker), max(*xs, marker)
        for plot in (self.memory, self.speed):
            plot.vb.set_whole(low - 0.2, high + 0.3)
        sizes = [p.needed_bytes for p in state.curve] + [state.allowed_bytes or state.needed_bytes]
        self._set_height(self.memory, _height(min(sizes)) - 0.6, _height(max(sizes)) + 1.2)
        speeds = [p.samples_per_s for p in state.curve if p.samples_per_s is not None]
        if speeds:
            self._set_height(self.speed, 0, round_up(max(speeds) * 1.15))

    def _set_height(self, plot: Axes, low: float, high: float) -> None:
        """Set a range only if it differs: each change draws an axis anew."""
        if self._ranges.get(plot) != (low, high):
            self._ranges[plot] = (low, high)
            plot.set_height(low, high)

    def reading(self, x: float) -> str:
        """Memory and speed of the batch nearest to a place."""
        index = nearest([math.log2(p.batch_size) for p in self._points], x)
        if index is None:
            return ""
        point = self._points[index]
        speed = format_count(point.samples_per_s)
        values = {"batch": format_count(point.batch_size), "memory": format_bytes(point.needed_bytes), "speed": speed}
        return self._words["reading"].format(**values)

    def batch_size(self) -> int:
        """The batch that the marker stands on."""
        return max(1, round(2 ** self._markers[0].value()))

    def choose(self, batch_size: int) -> None:
        """The user moves the marker by a key."""
        self._markers[0].setValue(math.log2(batch_size))
        self._on_dragged(self._markers[0])

    def _on_dragged(self, line: pg.InfiniteLine) -> None:
        """The user moves the marker."""
        for marker in self._markers:
            if marker is not line:
                marker.setValue(line.value())
        if not self._setting:
            self._drag.moved.emit(self.batch_size())


def _height(size_bytes: float) -> float:
    """Where a size stands on a `ByteAxis`."""
    return math.log2(max(1.0, size_bytes) / GIB)


class TimelinePlot(Plot):
    """Live memory over one step."""

    def __init__(self, memory: str, share: str) -> None:
        super().__init__()
        self._timeline: Sequence[tuple[float, int]] = ()
        self.axis = self.add_axes(0, memory, "GiB", bottom=share)
        self._curve = self.axis.plot([], [], fillLevel=0)

        def colour(item: pg.PlotDataItem) -> None:
            item.setPen(line_pen("accent"))
            item.setFillBrush(pg.mkBrush(style.qcolor(style.current().accent, 0.16)))

        self.styled(self._curve, colour)
        self.restyle()

    def set_timeline(self, timeline: Sequence[tuple[float, int]]) -> None:
        """Draw (share of the step, bytes)."""
        self._timeline = timeline
        self._curve.setData([100 * share for share, _ in timeline], [size / GIB for _, size in timeline])
        self.axis.set_height(0, max((size for _, size in timeline), default=1) / GIB * 1.1)
        self.axis.vb.set_whole(0, 101)

    def reading(self, x: float) -> str:
        """Memory at a share of the step."""
        index = nearest([100 * share for share, _ in self._timeline], x)
        if index is None:
            return ""
        share, size = self._timeline[index]
        return f"{format_number(100 * share, '.0f', '%')} · {format_bytes(size)}"


class CoursePlot(Plot):
    """What each phase of a training needs, in the order in which they come, with the limit; not to scale in time."""

    def __init__(self, memory: str, phases: str) -> None:
        super().__init__()
        self._rows: Sequence[tuple[str, float]] = ()
        self.axis = self.add_axes(0, memory, "GiB", bottom=phases)
        self.axis.bottom.setHeight(LABEL_LINES_HEIGHT)
        self._curve = self.axis.plot([], [], fillLevel=0, stepMode="center")
        self._limit = pg.InfiniteLine(angle=0)
        self.axis.add(self._limit, beside=True)

        def colour(item: pg.PlotDataItem) -> None:
            item.setPen(line_pen("accent"))
            item.setFillBrush(pg.mkBrush(style.qcolor(style.current().accent, 0.16)))

        self.styled(self._curve, colour)
        self.styled(self._limit, lambda item: item.setPen(line_pen("does_not_fit", 1.6, dash=True)))
        self.restyle()

    def set_course(self, rows: Sequence[tuple[str, float]], limit_bytes: int | None) -> None:
        """Draw (name of a phase, bytes)."""
        self._rows = rows
        heights = [size / GIB for _, size in rows]
        self._curve.setData([float(edge) for edge in range(len(rows) + 1)], heights)
        limit = (limit_bytes or 0) / GIB
        self._limit.setVisible(0 < limit < 3 * max(heights, default=0.0))
        self._limit.setValue(limit)
        tallest = max([*heights, limit if self._limit.isVisible() else 0.0], default=1.0)
        self.axis.set_height(0, tallest * 1.1)
        self.axis.vb.set_whole(0, len(rows))
        self.axis.bottom.setTicks([[(at + 0.5, name.replace(" ", "\n", 1)) for at, (name, _) in enumerate(rows)]])

    def reading(self, x: float) -> str:
        """The phase at a place and what it needs."""
        index = int(x)
        if not 0 <= index < len(self._rows):
            return ""
        name, size = self._rows[index]
        return f"{name} · {format_bytes(size)}"
