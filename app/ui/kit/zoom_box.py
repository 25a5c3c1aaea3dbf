"""The area of a plot: zooms along the horizontal axis and leaves the plain wheel to the page."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt

from app.ui.kit import style

STEP = 1.25
"""One step of the wheel, or one "zoom in" of the menu."""
WHEEL_STEP = 120.0
"""Qt counts eighths of a degree; a notch of a mouse wheel is 15 degrees (QWheelEvent.angleDelta)."""
LEAST_SHARE = 1e-4
"""No part of an axis smaller than this share of the whole is shown."""


class ZoomBox(pg.ViewBox):
    """Ctrl and wheel, or a drag over a part, zoom in; a double click shows everything again."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setMouseEnabled(x=False, y=False)
        # Every range is set here or by the plot; found from the data, it would be computed with every curve.
        self.disableAutoRange()
        self._whole = (0.0, 1.0)
        self._part: tuple[float, float] | None = None
        self._band: pg.LinearRegionItem | None = None

    @property
    def part(self) -> tuple[float, float] | None:
        """What is shown of the axis; None for everything."""
        return self._part

    def set_whole(self, low: float, high: float) -> None:
        """Say what there is to show; a part that is zoomed into stays."""
        if (low, high) != self._whole:
            self._whole = (low, high)
            if self._part is None:
                self.setXRange(low, high, padding=0)

    def show_part(self, low: float, high: float) -> None:
        """Show a part of the axis, or everything if the part is no smaller."""
        first, last = self._whole
        low, high = max(first, min(low, high)), min(last, max(low, high))
        if high - low >= 0.999 * (last - first):
            self.show_whole()
        elif high - low > LEAST_SHARE * (last - first):
            self._part = (low, high)
            self.setXRange(low, high, padding=0)

    def show_whole(self) -> None:
        """Show everything."""
        self._part = None
        self.setXRange(*self._whole, padding=0)

    def zoom(self, factor: float, at: float | None = None) -> None:
        """Show ``factor`` times as much as now around a place, by default the middle."""
        low, high = self._part or self._whole
        centre = (low + high) / 2 if at is None else min(max(at, low), high)
        self.show_part(centre - (centre - low) * factor, centre + (high - centre) * factor)

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: D102 - pyqtgraph's name
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        event.accept()
        self.zoom(STEP ** (-event.delta() / WHEEL_STEP), self.mapSceneToView(event.scenePos()).x())

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: D102 - pyqtgraph's name
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        start, now = self.mapToView(event.buttonDownPos()).x(), self.mapToView(event.pos()).x()
        if self._band is None:
            self._band = pg.LinearRegionItem(movable=False, pen=None, brush=style.qcolor(style.current().accent, 0.2))
            self.addItem(self._band, ignoreBounds=True)
        self._band.setRegion((start, now))
        if event.isFinish():
            self.removeItem(self._band)
            self._band = None
            self.show_part(start, now)

    def mouseClickEvent(self, event: Any) -> None:  # noqa: D102 - pyqtgraph's name
        if event.double():
            event.accept()
            self.show_whole()
