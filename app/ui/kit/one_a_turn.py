"""Work that can wait, one piece for each turn of the event loop, so that what a person does comes in between."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget


class OneATurn(QObject):
    """What a window's widgets put off.

    A zero timer for each piece would not do: all that are due fire in one turn (qtbase,
    ``QTimerInfoList::activateTimers``), and a page with eight plots stands still for the eight together.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._due: deque[tuple[QObject, Callable[[], None]]] = deque()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._do_one)

    @staticmethod
    def of(widget: QWidget) -> OneATurn:
        """That of the widget's window; made when it is first asked for."""
        window = widget.window()
        for child in window.children():
            if isinstance(child, OneATurn):
                return child
        return OneATurn(window)

    def add(self, owner: QObject, do: Callable[[], None]) -> None:
        """Do something later, unless its owner is gone by then."""
        self._due.append((owner, do))
        self._timer.start()

    def _do_one(self) -> None:
        """The oldest piece."""
        owner, do = self._due.popleft()
        if not self._due:
            self._timer.stop()
        if shiboken6.isValid(owner):
            do()
