"""What is seen, as the bytes of a file: PNG of an image, SVG of a plot."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsView


def png_of(image: QImage) -> bytes:
    """An image as PNG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload] # the stub asks for bytes, which Qt refuses
    return bytes(buffer.data().data())


def svg_of(widget: QGraphicsView) -> bytes:
    """A plot as a drawing, titled by its accessible name."""
    from PySide6.QtSvg import QSvgGenerator

    buffer = QBuffer()
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    drawing.setSize(widget.size())
    drawing.setViewBox(QRectF(widget.rect()))
    drawing.setTitle(widget.accessibleName())
    painter = QPainter(drawing)
    widget.render(painter)
    painter.end()
    return bytes(buffer.data().data())
