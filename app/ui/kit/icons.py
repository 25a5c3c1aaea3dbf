"""Icons: our own SVG files, drawn in a colour of the active palette."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.ui.kit import style
from app.ui.kit.resources import icon_text

_SCALE = 2
"""Icons are drawn at twice their size, so that they stay sharp on dense screens."""


def pixmap(name: str, size: int = 18, colour: str | None = None) -> QPixmap:
    """Draw an icon.

    Args:
        name: File name in ``resources/icons`` without ``.svg``.
        size: Edge in device-independent pixels.
        colour: ``#rrggbb``; the text colour of the active palette if left out.
    """
    text = icon_text(name).replace("currentColor", colour or style.current().text)
    image = QPixmap(QSize(size, size) * _SCALE)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(text.encode())).render(painter)
    painter.end()
    image.setDevicePixelRatio(_SCALE)
    return image


def icon(name: str, colour: str | None = None) -> QIcon:
    """An icon for a button or an action, in the active palette."""
    return QIcon(pixmap(name, 20, colour))
