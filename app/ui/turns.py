"""Long work of the window's thread, cut into pieces between which the window answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_OF_WINDOW = "window_turns"


def in_turn(widget: QWidget, piece: Callable[[], object]) -> None:
    """Do something for a widget in a turn of its own, after what other widgets of the window wait for.

    Zero timers of several widgets would all fire in the same turn.
    """
    window = widget.window()
    shared = window.findChild(Turns, _OF_WINDOW, Qt.FindChildOption.FindDirectChildrenOnly)
    if shared is None:
        shared = Turns(window)
        shared.setObjectName(_OF_WINDOW)
    shared.add(lambda: piece() if shiboken6.isValid(widget) else None)


class Turns(QObject):
    """Does one thing in each turn of the event loop.

    Args:
        parent: Ends the rest with it.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], object]] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_turn)

    @property
    def busy(self) -> bool:
        """Something still waits for its turn."""
        return bool(self._waiting)

    def do(self, *pieces: Callable[[], object]) -> None:
        """Do these, in place of what still waits."""
        self._waiting = list(pieces)
        self._timer.start(0)

    def add(self, piece: Callable[[], object]) -> None:
        """Do this too, after what still waits."""
        self._waiting.append(piece)
        if not self._timer.isActive():
            self._timer.start(0)

    def _on_turn(self) -> None:
        """The next piece."""
        if self._waiting:
            self._waiting.pop(0)()
        if self._waiting:
            self._timer.start(0)
