"""The side of the window: a scroll area as wide as what it holds, whatever the font and the language."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.basics import Scroll


class Side(Scroll):
    """Keeps a wished width unless a wider font, a longer language or a new line needs more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._wished_width = 0
        super().__init__(parent, margin=0)
        self.body.setContentsMargins(14, 14, 4, 14)

    def wish_width(self, pixels: int) -> None:
        """Be this wide if the contents can."""
        self._wished_width = pixels
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        handled = super().viewportEvent(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def _fit(self) -> None:
        """The wished width, or what the contents and the scroll bar need side by side."""
        contents = self.widget()
        if contents is not None:
            needed = contents.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
            self.setFixedWidth(max(self._wished_width, needed))
