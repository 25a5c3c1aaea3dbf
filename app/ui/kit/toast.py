"""A short message over the page, with one action at most; goes away by itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.ui.kit.accessibility import announce
from app.ui.kit.basics import button
from app.ui.kit.plain import PlainLabel, seen

SHOWN_MS = 6000


class Toast(QFrame):
    """Floats at the bottom of its parent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName("toast")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 12, 8)
        self.text = PlainLabel()
        self.action = button("")
        self.action.clicked.connect(self._on_clicked)
        layout.addWidget(self.text)
        layout.addWidget(self.action)
        self._do: Callable[[], None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str, action: str = "", do: Callable[[], None] | None = None) -> None:
        """Show a message."""
        self.text.setText(text)
        self.setAccessibleName(seen(text))
        self.action.setText(seen(action))
        self.action.setAccessibleName(seen(action))
        self.action.setVisible(do is not None)
        self._do = do
        self.adjustSize()
        self._place()
        self.show()
        self.raise_()
        self._timer.start(SHOWN_MS)
        announce(self, text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Bottom centre of the parent."""
        parent = self._over
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 48)

    def _on_clicked(self) -> None:
        """Do the action and go."""
        self.hide()
        if self._do is not None:
            self._do()
