"""Draw an SVG as PNG: ``python -m app.ui.share.draw_png < DRAWING.svg > PICTURE.png``.

A program of its own, because the command line loads no Qt.  It needs no screen, and opens no file.
"""

from __future__ import annotations

import os
import sys

SHARPNESS = 2
"""Pixels for each one of the drawing, as screens of today have them."""


def png_of_svg(drawing: str) -> bytes:
    """A drawing of ours as PNG.  A `QGuiApplication` must exist."""
    from PySide6.QtCore import QByteArray
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    from app.ui.kit.pictures import png_of

    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    image = QImage(renderer.defaultSize() * SHARPNESS, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return png_of(image)


def main(arguments: list[str]) -> int:
    """Draw what comes on standard input to standard output."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication(arguments[:1])
    sys.stdout.buffer.write(png_of_svg(sys.stdin.buffer.read().decode()))
    sys.stdout.flush()
    application.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
