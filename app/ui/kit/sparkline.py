"""A small live graph of the last minute, painted by hand: cheap enough to run all day."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.kit import style
from app.ui.kit.basics import Drawing

POINTS = 60
DOT = 3.0
"""Across, in pixels: the newest reading, which is seen even while it is the only one."""


class Sparkline(Drawing):
    """Keeps `POINTS` readings; a missing one leaves a gap."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._values: deque[float | None] = deque(maxlen=POINTS)
        self._full_scale: float | None = None

    @property
    def values(self) -> tuple[float | None, ...]:
        """The readings, oldest first."""
        return tuple(self._values)

    def set_full_scale(self, full_scale: float | None) -> None:
        """The value at the top; None scales to the highest reading."""
        self._full_scale = full_scale

    def add(self, value: float | None) -> None:
        """Append a reading."""
        self._values.append(value)
        self.update()

    def clear(self) -> None:
        """Forget all readings."""
        self._values.clear()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(56, 22)

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = style.current()
        painter.setPen(QPen(style.qcolor(colours.border), 1))
        bottom = self.height() - 1.5
        painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
        known = [value for value in self._values if value is not None]
        if not known:
            return
        scale = self._full_scale or max(*known, 1.0)
        step = (self.width() - DOT) / (POINTS - 1)
        start = POINTS - len(self._values)
        line = [
            QPointF((start + i) * step, bottom - min(1.0, value / scale) * (self.height() - 4))
            for i, value in enumerate(self._values)
            if value is not None
        ]
        area = QPolygonF([QPointF(line[0].x(), bottom), *line, QPointF(line[-1].x(), bottom)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.qcolor(colours.accent, 0.16))
        painter.drawPolygon(area)
        painter.setPen(QPen(style.qcolor(colours.accent), 1.4))
        painter.drawPolyline(QPolygonF(line))
        painter.setBrush(style.qcolor(colours.accent))
        painter.drawEllipse(line[-1], DOT / 2, DOT / 2)
