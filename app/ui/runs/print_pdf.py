"""Print a plain HTML page as PDF: ``python -m app.ui.runs.print_pdf < PAGE.html > FILE.pdf``.

A program of its own, because the command line loads no Qt.  It needs no screen, and opens no file.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

MARGIN_MM = 18.0
FONT_POINTS = 9
SHARPNESS = 4
WIDTH_PIXELS = 480
"""Of a drawing, at 72 or so to the inch: the text's width on A4."""
_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


def pdf_of(html: str) -> bytes:
    """Draw a page on A4.  A `QGuiApplication` must exist."""
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
    from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
    document = _own_document()
    document.setDefaultFont(QFont("", FONT_POINTS))
    document.setHtml(_with_pictures(html, document))
    writer.setTitle(document.metaInformation(document.MetaInformation.DocumentTitle))
    area = writer.pageLayout().paintRectPixels(writer.resolution())
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(area.size()))
    document.print_(writer)
    return bytes(buffer.data().data())


def _own_document() -> QTextDocument:
    """A document that opens no file and no address: it has what was put into it and nothing else."""
    from PySide6.QtGui import QTextDocument

    class Page(QTextDocument):
        def loadResource(self, _kind: int, _name: object) -> None:
            """Qt asks here for what was not put into the document."""

    return Page()


def _with_pictures(html: str, document: QTextDocument) -> str:
    """The page with its drawings as pictures, which a text document can place; they are kept in the document."""
    from PySide6.QtCore import QByteArray, QUrl
    from PySide6.QtGui import QImage, QPainter, QTextDocument
    from PySide6.QtSvg import QSvgRenderer

    def picture(found: re.Match[str]) -> str:
        drawing = QSvgRenderer(QByteArray(found[0].encode()))
        size = drawing.defaultSize()
        image = QImage(size * SHARPNESS, QImage.Format.Format_ARGB32)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        name = f"drawing:{found.start()}"
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        return f'<img src="{name}" width="{WIDTH_PIXELS}" height="{WIDTH_PIXELS * size.height() // size.width()}">'

    return _DRAWING.sub(picture, html)


def main(arguments: list[str]) -> int:
    """Print the page on standard input to standard output."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication(arguments[:1])
    sys.stdout.buffer.write(pdf_of(sys.stdin.buffer.read().decode()))
    sys.stdout.flush()
    application.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
