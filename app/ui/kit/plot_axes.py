"""One plot area: a view with an axis on the left and one below, and a legend where one is asked for.

`pyqtgraph.PlotItem` is that and more: with every plot it makes the seventy widgets of a context menu that this window
does not show, which takes longer than the plot itself, and each change of the theme restyles them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QSizePolicy

from app.ui.kit.plain_plots import PlainAxis, PlainLegend
from app.ui.kit.zoom_box import ZoomBox

GRID_ALPHA = 46
"""Of the lines at the ticks of the left axis, of 255."""
ABOVE_CURVES = 0.5


class Axes(pg.GraphicsWidget):
    """Places a `ZoomBox` and its axes.

    Args:
        left: The vertical axis.
        bottom: The horizontal one.
    """

    def __init__(self, left: PlainAxis, bottom: PlainAxis) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.vb, self.left, self.bottom = ZoomBox(), left, bottom
        self.legend: PlainLegend | None = None
        grid = QGraphicsGridLayout(self)
        grid.setContentsMargins(1, 1, 1, 1)
        grid.setSpacing(0)
        grid.setRowStretchFactor(0, 1)
        grid.setColumnStretchFactor(1, 1)
        for item, row, column in ((self.vb, 0, 1), (left, 0, 0), (bottom, 1, 1)):
            grid.addItem(item, row, column)
        for axis in (left, bottom):
            axis.linkToView(self.vb)
            axis.setZValue(ABOVE_CURVES)
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
        left.setGrid(GRID_ALPHA)

    def add(self, item: QGraphicsItem, *, beside: bool = False) -> None:
        """Draw an item; one ``beside`` the data does not count when a range is found."""
        self.vb.addItem(item, ignoreBounds=beside)

    def plot(self, xs: Sequence[float], ys: Sequence[float], **options: Any) -> pg.PlotDataItem:
        """Draw a curve; ``options`` as for a `pyqtgraph.PlotDataItem`."""
        curve = pg.PlotDataItem(xs, ys, **options)
        self.add(curve)
        return curve

    def add_legend(self, offset: tuple[int, int], **options: Any) -> None:
        """A legend over the curves, empty at first."""
        self.legend = PlainLegend(offset=offset, **options)
        self.legend.setParentItem(self.vb)

    def set_height(self, low: float, high: float) -> None:
        """The range of the vertical axis."""
        self.vb.setYRange(low, high, padding=0)
