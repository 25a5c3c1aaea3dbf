"""News that a screen reader tells although nobody has the focus on them: ``QAccessibleAnnouncementEvent`` (Qt 6.8)."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.plain import seen


def announce(widget: QWidget, text: str) -> None:
    """Have a text read aloud when the reader is done with what it reads; nothing without a screen reader."""
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, seen(text)))
