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
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.ui.accessibility import DRAWINGS
from app.ui.theme import contrast

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView, QTabBar)
"""What takes the keyboard."""
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
    contrast: float | None
    """Of the text as drawn; None where the ground alone is seen or the control is disabled."""


def controls(window: QWidget) -> list[QWidget]:
    """Visible controls and drawings of a window, without Qt's own inner parts."""
    return [w for w in window.findChildren(QWidget) if w.isVisible() and w.window() is window and _counts(w)]


def _counts(widget: QWidget) -> bool:
    """Is a widget a control or a drawing, and not a part of one."""
    inner = isinstance(widget.parent(), QAbstractSpinBox | QTabBar | QAbstractItemView | QComboBox)
    drawn = type(widget).__name__ in DRAWINGS
    known = isinstance(widget, (*CONTROLS, QProgressBar)) or drawn
    return known and not inner and not isinstance(widget, QScrollBar)


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
    """The visible widgets that Tab goes through, in its order."""
    found, widget = [], window.nextInFocusChain()
    while widget is not window:
        own = widget.focusProxy() is None and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if own and widget.isVisible() and widget.isEnabled():
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def seen_contrast(picture: QImage, area: QRect) -> float | None:
    """Contrast of the ink that stands out most from the ground of an area; None where there is no ink."""
    part = picture.copy(area.intersected(picture.rect())).convertToFormat(QImage.Format.Format_RGB32)
    colours: Counter[int] = Counter()
    for y in range(part.height()):
        line = part.constScanLine(y).cast("I")[: part.width()]  # type: ignore[attr-defined]
        colours.update(line)
    if not colours:
        return None
    ground = _hex(colours.most_common(1)[0][0])
    inks = [contrast(_hex(value), ground) for value, count in colours.items() if count >= SEEN_PIXELS]
    return max(inks) if max(inks) > 1.05 else None


def _hex(value: int) -> str:
    """A pixel as ``#rrggbb``."""
    return f"#{value & 0xFFFFFF:06X}"


def area_in(window: QWidget, widget: QWidget) -> QRect:
    """What is seen of a widget, in the window's pixels."""
    seen = widget.visibleRegion().boundingRect()
    return QRect(widget.mapTo(window, QPoint(0, 0)) + seen.topLeft(), seen.size())


def rows(place: str, window: QWidget) -> Iterator[Row]:
    """One row for each control and drawing that is shown."""
    order = set(tab_order(window))
    picture = window.grab().toImage()
    for widget in controls(window):
        if area_in(window, widget).size() != widget.size():
            bring_into_view(widget)
            picture = window.grab().toImage()
        control = isinstance(widget, CONTROLS)
        ink = seen_contrast(picture, area_in(window, widget)) if widget.isEnabled() else None
        reached = widget in order or not widget.isEnabled()
        yield Row(place, role(widget), name(widget), control, reached, ink)


def bring_into_view(widget: QWidget) -> None:
    """Scroll what holds a widget until it is seen."""
    holder = widget.parentWidget()
    while holder is not None:
        if isinstance(holder, QScrollArea):
            holder.ensureWidgetVisible(widget)
        holder = holder.parentWidget()
    QCoreApplication.processEvents()


def table(found: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [f"{'place':<12} {'role':<14} {'Tab':<4} {'contrast':>8}  name"]
    for row in found:
        ink = "" if row.contrast is None else f"{row.contrast:.1f}"
        tab = "yes" if row.reached else ("NO" if row.control else "–")
        lines.append(f"{row.place:<12} {row.role:<14} {tab:<4} {ink:>8}  {row.name}")
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


def _work(until: Callable[[], bool] = lambda: False, for_s: float = 8.0) -> None:
    """Let the window work until something is true, or for a time."""
    end = time.monotonic() + for_s
    while not until() and time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def _whole_window(folder: Path, language_name: str, theme: str) -> Iterator[Row]:
    """Every page and dialog of a window on the recorded advisor, after a run."""
    from app.ui import accessibility, application, language, style
    from app.ui.bridge import Runner
    from app.ui.main_window import RUNS, MainWindow
    from app.ui.ui_settings import WindowSettings
    from app.ui.wiring import Wiring
    from tests.ui.fake_advisor import make

    app = application.make_application([])
    accessibility.install(app)
    language.install(app, language_name)
    style.apply(app, theme)  # type: ignore[arg-type]
    window = MainWindow(WindowSettings())
    wiring = Wiring(window, make(folder), Runner(window), None)
    window.show()
    wiring.start()
    _work(lambda: window.verdict.state.stage == "predicted")
    window.form.more.toggle.setChecked(True)
    wiring.measure()
    _work(lambda: not wiring.bench.running)
    shown: set[int] = set()
    for index in range(window.pages.tabs.count()):
        window.pages.show_page(index)
        _work(for_s=0.6)
        if index == RUNS:
            window.pages.page(index).table.selectRow(0)  # type: ignore[attr-defined]
            _work(for_s=0.3)
        new = {id(widget) for widget in controls(window)} - shown
        place = window.pages.tabs.tabText(index) if shown else "window"
        for widget, row in zip(controls(window), rows(place, window), strict=True):
            if id(widget) in new:
                yield row
        shown |= new
    for opener in (wiring.open_settings, wiring.open_simulate, wiring.open_palette, window.machine.show_details):
        opener()
        _work(for_s=0.1)
        dialog = app.activeModalWidget()
        yield from rows("dialog", dialog)
        dialog.close()
        _work(for_s=0.05)
    window.close()


if __name__ == "__main__":
    sys.exit(main())
