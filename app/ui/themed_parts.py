"""Gives the parts of the windows the sheet of the theme, one part in each turn of the event loop.

A style sheet of the whole application would be simpler, but every change of it restyles each widget again for each of
its ancestors (qtbase, qstylesheetstyle.cpp, ``updateObjects`` walks down from every widget that it is given): half a
second for this window.  A part's own sheet restyles that part once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.ui.turns import Turns


class ThemedParts(QObject):
    """Knows the parts that follow the theme.

    Args:
        sheet: Writes the sheet of the present theme.
        parent: The application.
    """

    def __init__(self, sheet: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._write = sheet
        self._sheet = ""
        self._parts: list[QWidget] = []
        self._turns = Turns(self)

    @property
    def busy(self) -> bool:
        """Some parts still have the last theme."""
        return self._turns.busy

    def add(self, part: QWidget) -> None:
        """Give a part the sheet now, and whenever the theme changes."""
        self._sheet = self._sheet or self._write()
        self._parts = [*filter(shiboken6.isValid, self._parts), part]
        part.setStyleSheet(self._sheet)

    def change(self) -> None:
        """The theme has changed: what is seen gets its sheet first, then the rest."""
        self._sheet = self._write()
        self._parts = [*filter(shiboken6.isValid, self._parts)]
        ordered = sorted(self._parts, key=lambda part: not part.isVisible())
        self._turns.do(*(partial(self._apply, part) for part in ordered))

    def change_at_once(self) -> None:
        """The theme has changed: everything gets its sheet before going on."""
        self.change()
        self._turns.finish()

    def _apply(self, part: QWidget) -> None:
        """Give a part that is still there the sheet."""
        if shiboken6.isValid(part):
            part.setStyleSheet(self._sheet)
