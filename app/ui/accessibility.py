"""What a screen reader is told beyond names: the roles of drawings, and news that nobody has the focus on.

Qt has no role for widgets that paint themselves; a factory of accessible interfaces gives them one
(``QAccessible::installFactory``).  News go out as ``QAccessibleAnnouncementEvent`` (Qt 6.8).
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget

DRAWINGS = frozenset({"GraphicsLayoutWidget", "MemoryBar", "MemoryLegend", "PeakBars", "PhaseStrip", "Sparkline"})
"""Classes whose widgets are pictures of numbers; each has a name, and a text or a table that says the same."""

_PROPERTY = "willittrain_accessible"


def install(app: QApplication) -> None:
    """Give drawings their role; once for each application object."""
    if app.property(_PROPERTY) is not None:
        return
    # Qt deletes an interface with its widget, and Python must not do it a second time.
    made: list[QAccessibleInterface] = []

    def chart(name: str, drawn: QObject) -> QAccessibleInterface | None:
        if name not in DRAWINGS or not isinstance(drawn, QWidget):
            return None
        made.append(QAccessibleWidget(drawn, QAccessible.Role.Chart))
        return made[-1]

    QAccessible.installFactory(chart)
    app.setProperty(_PROPERTY, chart)


def announce(widget: QWidget, text: str) -> None:
    """Have a text read aloud when the reader is done with what it reads; nothing without a screen reader."""
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
