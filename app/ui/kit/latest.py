"""One question at a time in a thread, and of those that wait only the newest: nobody needs an answer to an old one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from app.ui.kit.bridge import Outcome, Runner, Task


class LatestWins(QObject):
    """A slot for questions.

    Args:
        runner: Asks the questions.
        name: Of its tasks.
        ended: Called for each answer in this thread, with whether it is the last one that was asked for.
    """

    def __init__(
        self, runner: Runner, name: str, ended: Callable[[Outcome, bool], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._name, self._ended = runner, name, ended
        self._running: Task | None = None
        self._about: object = None
        self._waiting: tuple[object, Callable[[], Any]] | None = None

    def ask(self, about: object, question: Callable[[], Any]) -> None:
        """Answer a question, dropping an older one that waits.

        Args:
            about: What it is about; a running question about something else is asked to stop.
            question: Called in a thread.
        """
        if self._running is not None:
            self._waiting = (about, question)
            if about != self._about:
                self._running.cancel()
            return
        self._about = about
        self._running = self._runner.call(self._name, question, self._on_ended, in_turn=True)

    def _on_ended(self, outcome: Outcome) -> None:
        """Tell the answer and go on with what waits."""
        self._running = None
        waiting, self._waiting = self._waiting, None
        self._ended(outcome, waiting is None)
        if waiting is not None:
            self.ask(*waiting)
