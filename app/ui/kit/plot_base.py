"""What all plots share: colours of the theme, hover values, zoom, and saving as a picture."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QFont, QPen
from PySide6.QtWidgets import QGraphicsItem

from app.ui.kit import style
from app.ui.kit.pictures import png_of, svg_of
from app.ui.kit.plain_plots import PlainAxis
from app.ui.kit.plot_axes import Axes
from app.ui.kit.quantities import axis_unit, format_number
from app.ui.kit.zoom_box import STEP

ItemT = TypeVar("ItemT")
LINE_WIDTH = 2.0
LEFT_WIDTH = 58
LABELLED = 2
"""Levels of ticks that have labels where there is room."""


class Pointer(QObject):
    """Tells what lies under the mouse; a `Plot` is no Qt object itself."""

    hovered = Signal(str)
    """Values at the place of the mouse, empty when it has left."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot.widget)
        self._plot = plot
        plot.widget.viewport().installEventFilter(self)
        plot.widget.scene().sigMouseMoved.connect(self._on_moved)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.Leave:
            self._plot.point_at(None)
            self.hovered.emit("")
        return super().eventFilter(watched, event)

    def _on_moved(self, place: QPointF) -> None:
        """Say what is there."""
        x = self._plot.x_at(place)
        self._plot.point_at(x)
        self.hovered.emit("" if x is None else self._plot.reading(x))


class LocalAxis(PlainAxis):
    """An axis whose labels are written by locale, all with the same decimals."""

    _finest = math.inf

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: D102
        levels: list[tuple[float, list[float]]] = super().tickValues(low, high, size)
        self._finest = min((spacing for spacing, values in levels[:LABELLED] if len(values)), default=math.inf)
        return levels

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: D102
        decimals = max(0, math.ceil(-math.log10(min(spacing, self._finest) * scale) - 1e-9))
        return [format_number(value * scale, f",.{decimals}f") for value in values]


class Plot:
    """A pyqtgraph graphics view; subclasses add rows of axes.  ``widget`` goes into a layout."""

    def __init__(self) -> None:
        self.widget = pg.GraphicsLayoutWidget()
        self.widget.setAntialiasing(True)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.ci.layout.setContentsMargins(0, 0, 4, 0)
        self.widget.ci.layout.setSpacing(4)
        self.axes: list[Axes] = []
        self._pointers: list[pg.InfiniteLine] = []
        self._styled: list[tuple[Any, Callable[[Any], None]]] = []
        self.pointer = Pointer(self)

    def add_axes(
        self,
        row: int,
        label: str,
        units: str,
        *,
        bottom: str = "",
        axis: PlainAxis | None = None,
        left: PlainAxis | None = None,
    ) -> Axes:
        """One plot area; ``bottom`` names the horizontal axis, ``axis`` and ``left`` are axes of their own kind."""
        plot = Axes(left or LocalAxis("left"), axis or LocalAxis("bottom"))
        self.widget.addItem(plot, row=row, col=0)
        plot.left.setWidth(LEFT_WIDTH)
        for side in (plot.left, plot.bottom):
            # Text is slow to draw: keep each axis as a picture until it changes.
            side.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
            side.enableAutoSIPrefix(False)
        unit, factor = axis_unit(units)
        plot.left.setLabel(label, units=unit)
        plot.left.setScale(factor)
        if bottom:
            plot.bottom.setLabel(bottom)
        line = pg.InfiniteLine(angle=90, movable=False)
        line.setVisible(False)
        plot.add(line, beside=True)
        self._pointers.append(self.styled(line, lambda item: item.setPen(line_pen("muted", 1.0))))
        self.axes.append(plot)
        return plot

    def styled(self, item: ItemT, how: Callable[[ItemT], None]) -> ItemT:
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
            for axis in (plot.left, plot.bottom):
                axis.setPen(pg.mkPen(colours.border))
                axis.setTextPen(pg.mkPen(colours.muted))
                axis.setTickFont(font)
                axis.label.setFont(font)
                axis.setStyle(tickLength=-4)
        for item, how in self._styled:
            how(item)

    # Looking closer

    def reading(self, _x: float) -> str:
        """The values at a place of the horizontal axis, in words; a subclass knows them."""
        return ""

    def x_at(self, place: QPointF) -> float | None:
        """The place on the horizontal axis under a point of the scene, if it lies in a plot area."""
        for plot in self.axes:
            if plot.vb.sceneBoundingRect().contains(place):
                return float(plot.vb.mapSceneToView(place).x())
        return None

    def point_at(self, x: float | None) -> None:
        """Draw the thin line under the mouse, or none."""
        for line in self._pointers:
            line.setVisible(x is not None)
            if x is not None:
                line.setValue(x)

    def zoom_in(self) -> None:
        """Show less of the horizontal axis."""
        self.axes[0].vb.zoom(1 / STEP)

    def zoom_out(self) -> None:
        """Show more of the horizontal axis."""
        self.axes[0].vb.zoom(STEP)

    def show_all(self) -> None:
        """Show everything again."""
        for plot in self.axes:
            plot.vb.show_whole()

    def png(self) -> bytes:
        """The picture in twice its size on screen."""
        from PySide6.QtGui import QImage, QPainter

        image = QImage(self.widget.size() * 2, QImage.Format.Format_RGB32)
        image.fill(style.qcolor(style.current().surface))
        painter = QPainter(image)
        self.widget.render(painter)
        painter.end()
        return png_of(image)

    def svg(self) -> bytes:
        """The plot as a drawing."""
        return svg_of(self.widget)


def round_up(value: float) -> float:
    """The next number with two figures, so that an axis keeps still while its data wobbles."""
    if value <= 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(math.ceil(value / unit) * unit)


def line_pen(key: str, width: float = LINE_WIDTH, *, dash: bool = False) -> QPen:
    """A pen in a colour of the palette or of a part of memory."""
    colours = style.current()
    colour = colours.parts.get(key) or getattr(colours, key)
    return pg.mkPen(colour, width=width, style=Qt.PenStyle.DashLine if dash else Qt.PenStyle.SolidLine)


def nearest(places: Sequence[float] | NDArray[np.float64], x: float) -> int | None:
    """Index of the place nearest to ``x`` in an ascending sequence; None if there is none."""
    if not len(places):
        return None
    after = bisect.bisect_left(places, x)
    around = [i for i in (after - 1, after) if 0 <= i < len(places)]
    return min(around, key=lambda i: abs(places[i] - x))
