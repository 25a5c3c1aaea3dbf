"""Long work of the window's thread, cut into pieces between which the window answers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


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

    def _on_turn(self) -> None:
        """The next piece."""
        if self._waiting:
            self._waiting.pop(0)()
        if self._waiting:
            self._timer.start(0)
