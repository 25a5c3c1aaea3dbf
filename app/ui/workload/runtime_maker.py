"""Finds Pythons that could train, and has one made: a long download that the user can stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome, Task
from app.ui.session.session import Session
from app.ui.workload.state_runtime import RuntimeState, runtime_rows


class RuntimeMaker(QObject):
    """Emits states for the dialog, and `made` with the path of a Python that shall train from now on."""

    changed = Signal(object)
    made = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._task: Task | None = None
        self.state = RuntimeState()

    def look(self) -> None:
        """Find the Pythons of this machine."""
        self._show(replace(self.state, looking=True))
        self._session.runner.call("runtimes", self._session.advisor.runtimes.find, self._on_found)

    def make(self) -> None:
        """Have a Python made; nothing happens if one is being made."""
        if self._task is None:
            self._show(replace(self.state, making=True, share=None, words="", error=None))
            self._task = self._session.runner.run("make runtime", self._job, self._on_made, self._on_progress)

    def cancel(self) -> None:
        """Stop making one."""
        if self._task is not None:
            self._task.cancel()

    def _job(self, sink: Callable[[Any], None], cancel: Event) -> str:
        """Runs in a thread."""
        return self._session.advisor.runtimes.make(lambda share, words: sink((share, words)), cancel)

    def _on_progress(self, told: tuple[float | None, str]) -> None:
        """Show how far it is."""
        self._show(replace(self.state, share=told[0], words=told[1]))

    def _on_found(self, outcome: Outcome) -> None:
        """Show what there is."""
        if outcome.ending == "succeeded":
            self._show(replace(self.state, looking=False, rows=runtime_rows(outcome.value)))
        else:
            self._show(replace(self.state, looking=False, error=error_state(outcome.error)))

    def _on_made(self, outcome: Outcome) -> None:
        """Take what was made, or say why there is none."""
        self._task = None
        failed = outcome.ending not in ("succeeded", "cancelled")
        error = error_state(outcome.error) if failed else None
        self._show(replace(self.state, making=False, share=None, words="", error=error))
        if outcome.ending == "succeeded":
            self.made.emit(outcome.value)
            self.look()

    def _show(self, state: RuntimeState) -> None:
        """Tell the dialog."""
        self.state = state
        self.changed.emit(state)
