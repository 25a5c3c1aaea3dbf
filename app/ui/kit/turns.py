"""Long work of the window's thread, cut into pieces between which the window answers.

A turn of the event loop fires every timer that is due, so that work of two places would come together in it, each
short and both too long.  What belongs to one window therefore waits in one line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Piece = Callable[[], object]
BETWEEN_MS = 1
"""Timers fire in the order in which they are due: what became due while a piece was done comes before the next."""
_OF_WINDOW = "window_turns"
_END = object()


def in_turn(widget: QWidget, piece: Piece, *, first: bool = False) -> None:
    """Do something for a widget in a turn of its own, unless it goes meanwhile.

    Args:
        widget: Whose window has the line to wait in.
        piece: What is to be done.
        first: Before what else waits there, not after it.
    """

    def do() -> bool:
        piece()
        return True

    _line_of(widget).add(widget, do, first=first)


class Turns(QObject):
    """The pieces of one place, done one in each turn of the event loop.

    Args:
        parent: Ends the rest with it; its window has the line to wait in.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._left = 0
        self._asked = 0

    @property
    def busy(self) -> bool:
        """Something still waits for its turn."""
        return self._left > 0

    def do(self, *pieces: Piece) -> None:
        """Do these, in place of what still waits."""
        self._asked += 1
        self._left = 0
        self.add(*pieces)

    def add(self, *pieces: Piece) -> None:
        """Do these too, after what still waits."""
        line = _line_of(self)
        for piece in pieces:
            self._left += 1
            line.add(self, partial(self._do, piece, self._asked))

    def go_through(self, work: Iterator[object]) -> None:
        """Begin work now that gives way to the window wherever it yields, in place of what still waits."""

        def further() -> None:
            if next(work, _END) is not _END:
                self.add(further)

        self.do()
        further()

    def _do(self, piece: Piece, asked: int) -> bool:
        """The next piece, unless others were asked for since; False if there was nothing to do."""
        if asked != self._asked:
            return False
        self._left -= 1
        piece()
        return True


class _Line(QObject):
    """What waits in one window: the first of it is done in each turn."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName(_OF_WINDOW)
        self._waiting: deque[tuple[QObject, Callable[[], bool]]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_turn)

    def add(self, owner: QObject, piece: Callable[[], bool], *, first: bool = False) -> None:
        """Wait behind what waits already, or before it; a piece that returns False did nothing."""
        if first:
            self._waiting.appendleft((owner, piece))
        else:
            self._waiting.append((owner, piece))
        if not self._timer.isActive():
            self._timer.start(BETWEEN_MS)

    def _on_turn(self) -> None:
        """The first for which there still is something to do."""
        done = False
        try:
            while self._waiting and not done:
                owner, piece = self._waiting.popleft()
                done = shiboken6.isValid(owner) and piece()
        finally:
            if self._waiting:
                self._timer.start(BETWEEN_MS)


def _line_of(owner: QObject) -> _Line:
    """The line of the window that something belongs to, made when it is first needed."""
    window = owner
    while (above := window.parent()) is not None:
        window = above
    line = window.findChild(_Line, _OF_WINDOW, Qt.FindChildOption.FindDirectChildrenOnly)
    return line if line is not None else _Line(window)
