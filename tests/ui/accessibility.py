"""The window as a screen reader and a keyboard have it: ``python -m tests.ui.accessibility [--language de] [--json]``.

Prints one row for each control and drawing of every page and dialog: role, name, whether Tab reaches it, and the
contrast of its text as it is drawn.  The window is the real one on the recorded advisor.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QProgressBar,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.ui.kit.basics import Drawing
from app.ui.kit.theme import contrast

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView, QTabBar)
"""What takes the keyboard."""
PLOT = "GraphicsLayoutWidget"
"""Class of pyqtgraph's plots; the name stands for it, because loading it takes long."""
SEEN_PIXELS = 4
"""A colour that fewer pixels have is the blur at the edge of another."""


@dataclass(frozen=True)
class Row:
    """One control or drawing."""

    place: str
    role: str
    name: str
    control: bool
    reached: bool
    """By Tab; a disabled control counts as reached, because it is when it can be used."""
    contrast: float | None = None
    """Of the text as drawn; None where the ground alone is seen or the control is disabled."""
    focus_seen: bool | None = None
    """It looks different with the focus; None where it did not get it, as in a dialog."""


def controls(window: QWidget) -> list[QWidget]:
    """Visible controls and drawings of a window, without Qt's own inner parts."""
    return [w for w in own_widgets(window) if w.isVisible() and w.window() is window and _counts(w)]


def own_widgets(widget: QWidget) -> Iterator[QWidget]:
    """The widgets that the program has made, in no order.

    Nothing within a control is touched: for the header of a table, say, PySide makes a Python object that its
    collector of cycles may destroy, and the header with it, while the table lives on.
    """
    inside = [widget.widget()] if isinstance(widget, QScrollArea) else widget.children()
    for child in inside:
        if not isinstance(child, QWidget):
            continue
        yield child
        closed = isinstance(child, QAbstractScrollArea) and not isinstance(child, QScrollArea)
        if not (closed or isinstance(child, CONTROLS)):
            yield from own_widgets(child)


def _counts(widget: QWidget) -> bool:
    """Is a widget a control or a drawing, and not a part of one."""
    drawn = isinstance(widget, Drawing) or type(widget).__name__ == PLOT
    drawn = drawn or (widget.objectName() == "plotPlace" and widget.focusPolicy() != Qt.FocusPolicy.NoFocus)
    return (isinstance(widget, (*CONTROLS, QProgressBar)) or drawn) and not isinstance(widget, QScrollBar)


def name(widget: QWidget) -> str:
    """What a screen reader says.

    On Linux Qt calls a combo box by its value and points to its label instead (qtbase, complexwidgets.cpp).
    """
    spoken = QAccessible.queryAccessibleInterface(widget)
    if isinstance(widget, QComboBox):
        labels = [label.text() for label in widget.parent().findChildren(QLabel) if label.buddy() is widget]
        return labels[0] if labels else ""
    return str(spoken.text(QAccessible.Text.Name))


def role(widget: QWidget) -> str:
    """What a screen reader takes it for."""
    return str(QAccessible.queryAccessibleInterface(widget).role().name)


def tab_order(window: QWidget) -> list[QWidget]:
    """The widgets that the Tab key goes through, from the top of a window; pressed until it comes round."""
    window.activateWindow()
    window.setFocus()
    found: list[QWidget] = []
    while True:
        QTest.keyClick(window, Qt.Key.Key_Tab)
        reached = window.focusWidget()
        if reached is None or reached is window or reached in found:
            return found
        found.append(reached)


def seen_contrast(picture: QImage, area: QRect) -> float | None:
    """Contrast of the ink that stands out most from the ground of an area; None where there is no ink."""
    part = picture.copy(area.intersected(picture.rect())).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(part.constBits(), np.uint32).copy()
    colours, counts = np.unique(pixels, return_counts=True)
    ground = _hex(int(colours[counts.argmax()]))
    inks = [contrast(_hex(int(value)), ground) for value in colours[counts >= SEEN_PIXELS]]
    return max(inks) if max(inks) > 1.05 else None


def _hex(value: int) -> str:
    """A pixel as ``#rrggbb``."""
    return f"#{value & 0xFFFFFF:06X}"


def area_in(window: QWidget, widget: QWidget) -> QRect:
    """What is seen of a widget, in the window's pixels."""
    seen = widget.visibleRegion().boundingRect()
    return QRect(widget.mapTo(window, QPoint(0, 0)) + seen.topLeft(), seen.size())


def facts(place: str, window: QWidget) -> list[Row]:
    """One row for each control and drawing that is shown, without looking at pixels."""
    order = set(tab_order(window))
    return [
        Row(place, role(w), name(w), isinstance(w, CONTROLS), w in order or not w.isEnabled()) for w in controls(window)
    ]


def rows(place: str, window: QWidget) -> Iterator[Row]:
    """The same, with the contrast as drawn and whether the focus is seen.

    Hundreds of pictures of window after window are more than Qt, PySide and pyqtgraph bear in one process; the
    tests run this module as a program, for one window.
    """
    order = set(tab_order(window))
    for row, widget in zip(facts(place, window), controls(window), strict=True):
        bring_into_view(widget)
        area = area_in(window, widget)
        (window.centralWidget() if isinstance(window, QMainWindow) else window).setFocus()
        picture = window.grab().toImage()
        ink = seen_contrast(picture, area) if widget.isEnabled() and not area.isEmpty() else None
        focus_seen = None
        if widget in order and isinstance(window, QMainWindow):
            widget.setFocus()
            if widget.hasFocus():
                focus_seen = window.grab().toImage().copy(area) != picture.copy(area)
        yield replace(row, contrast=ink, focus_seen=focus_seen)


def bring_into_view(widget: QWidget) -> None:
    """Scroll what holds a widget until it is seen.

    No events are processed: a widget of Qt's own that is deleted while Python holds it takes Python down.
    """
    holder = widget.parentWidget()
    while holder is not None:
        if isinstance(holder, QScrollArea):
            holder.ensureWidgetVisible(widget)
        holder = holder.parentWidget()


def table(found: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [f"{'place':<12} {'role':<14} {'Tab':<4} {'focus':<5} {'contrast':>8}  name"]
    for row in found:
        ink = "" if row.contrast is None else f"{row.contrast:.1f}"
        tab = "yes" if row.reached else ("NO" if row.control else "–")
        seen = {True: "seen", False: "NO", None: ""}[row.focus_seen]
        lines.append(f"{row.place:<12} {row.role:<14} {tab:<4} {seen:<5} {ink:>8}  {row.name}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a control has no name or is out of reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="en", choices=("en", "de"))
    parser.add_argument("--theme", default="light", choices=("light", "dark", "contrast"))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        found = list(_whole_window(Path(folder), chosen.language, chosen.theme))
    print(json.dumps([asdict(row) for row in found], indent=1, ensure_ascii=False) if chosen.json else table(found))
    return 1 if any(row.control and not (row.name and row.reached) for row in found) else 0


def _whole_window(folder: Path, language_name: str, theme: str) -> Iterator[Row]:
    """Every page and dialog of a window on the recorded advisor, after a run."""
    from app.ui.kit import language, style
    from app.ui.shell import application
    from app.ui.shell.main_window import RUNS
    from tests.ui.gallery import Scene

    app = application.make_application([])
    language.install(app, language_name)
    style.apply(app, theme)  # type: ignore[arg-type]
    scene = Scene(folder, {})
    window, camera = scene.window, scene.camera
    window.show()
    scene.wiring.start()
    scene.answered()
    window.form.more.toggle.setChecked(True)
    scene.measure()
    shown: set[int] = set()
    for index in range(window.pages.tabs.count()):
        page = scene.page(index)
        window.activateWindow()
        camera.pause(0.2)
        if index == RUNS:
            page.table.select_row(0, add=False)
            camera.pause(0.3)
            camera.wait(page.details.result.isVisible)
        new = {id(widget) for widget in controls(window)} - shown
        place = window.pages.tabs.tabText(index) if shown else "window"
        for widget, row in zip(controls(window), rows(place, window), strict=True):
            if id(widget) in new:
                yield row
        shown |= new
    dialogs = scene.wiring.dialogs
    for opener in (dialogs.open_settings, dialogs.open_simulate, dialogs.open_palette, window.machine.show_details):
        scene.dialog(opener)
        yield from rows("dialog", scene.shown)
        scene.shown.close()
        camera.pause(0.05)
    window.close()


if __name__ == "__main__":
    sys.exit(main())
