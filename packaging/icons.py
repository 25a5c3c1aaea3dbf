"""The program's icon in the sizes and formats that systems ask for, drawn from its one SVG by Qt.

python packaging/icons.py FOLDER
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
"""What the freedesktop icon theme's folders are named after (https://specifications.freedesktop.org/icon-theme)."""
NAME = "willittrain"


def write_icons(svg: Path, folder: Path) -> list[Path]:
    """Draw the icon: PNG in every size, SVG, and what Windows and macOS take if Qt can write it here.

    Returns:
        The files that were written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for size in SIZES:
        path = folder / f"{NAME}-{size}.png"
        if not draw(svg, size).save(str(path)):
            raise OSError(f"cannot write {path}")
        written.append(path)
    for suffix, size in ((".ico", 256), (".icns", 512)):
        path = folder / f"{NAME}{suffix}"
        if draw(svg, size).save(str(path)):
            written.append(path)
    written.append(Path(shutil.copyfile(svg, folder / f"{NAME}.svg")))
    del application
    return written


def draw(svg: Path, size: int):
    """The icon as an image of ``size`` times ``size`` pixels, on nothing."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    return image


if __name__ == "__main__":
    sources = Path(__file__).resolve().parent.parent / "resources" / "icons" / "app.svg"
    for file in write_icons(sources, Path(sys.argv[1])):
        print(file)
