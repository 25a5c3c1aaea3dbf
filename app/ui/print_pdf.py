"""Print a plain HTML page to a PDF file: ``python -m app.ui.print_pdf PAGE.html FILE.pdf``.

A program of its own, because the command line loads no Qt.  It needs no screen.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

MARGIN_MM = 18.0
FONT_POINTS = 9


def print_pdf(page: Path, target: Path) -> None:
    """Draw ``page`` on A4.  A `QGuiApplication` must exist.

    Raises:
        OSError: The page cannot be read or the file not written.
    """
    from PySide6.QtCore import QMarginsF, QSizeF
    from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

    html = page.read_text(encoding="utf-8")
    # QPdfWriter only prints a warning when it cannot write; opening the file says it clearly.
    with target.open("wb"):
        pass
    writer = QPdfWriter(str(target))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
    document = QTextDocument()
    document.setDefaultFont(QFont("", FONT_POINTS))
    document.setHtml(html)
    writer.setTitle(document.metaInformation(QTextDocument.MetaInformation.DocumentTitle))
    area = writer.pageLayout().paintRectPixels(writer.resolution())
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(area.size()))
    document.print_(writer)


def main(arguments: list[str]) -> int:
    """Print one page; 0 if it worked."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication(arguments[:1])
    try:
        print_pdf(Path(arguments[1]), Path(arguments[2]))
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    finally:
        application.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
