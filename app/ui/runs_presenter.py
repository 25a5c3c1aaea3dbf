"""Fills the Runs page from the history; every access in a thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.bridge import Outcome
from app.ui.session import Session
from app.ui.state import error_state
from app.ui.state_runs import RunsState, compare_runs, run_details, run_row

if TYPE_CHECKING:
    from app.services.history import Run, RunSummary

FILTER_DELAY_MS = 200


class RunsPresenter(QObject):
    """Emits states for the Runs page."""

    changed = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._history = session.advisor.history
        self.state = RunsState()
        self._wanted: tuple[int, ...] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FILTER_DELAY_MS)
        self._timer.timeout.connect(self.refresh)
        session.measured.connect(self.refresh)

    def set_active(self, active: bool) -> None:
        """The page is looked at."""
        if active and not self.state.loaded:
            self.refresh()

    def set_filter(self, text: str) -> None:
        """List only runs that hold every word."""
        self.state = replace(self.state, filter_text=text)
        self._timer.start()

    def refresh(self) -> None:
        """Read the list again."""
        history, text = self._history, self.state.filter_text
        self._session.runner.call("runs", lambda: (history.list(text), history.track_record()), self._on_listed)

    def select(self, run_id: int) -> None:
        """Show one run in full."""
        self._wanted = (run_id,)
        history = self._history
        self._session.runner.call("run", lambda: (history.get(run_id),), self._on_read)

    def compare(self, run_ids: tuple[int, ...]) -> None:
        """Show runs side by side."""
        self._wanted = run_ids
        history = self._history
        self._session.runner.call("run", lambda: tuple(history.get(i) for i in run_ids), self._on_read)

    def set_note(self, run_id: int, note: str) -> None:
        """Keep a note."""
        history = self._history
        self._session.runner.call("note", lambda: history.set_note(run_id, note), self._on_changed)

    def delete(self, run_ids: tuple[int, ...]) -> None:
        """Delete runs, with a way back."""
        history = self._history

        def job() -> None:
            for run_id in run_ids:
                history.delete(run_id)

        self._session.runner.call("delete", job, self._on_changed)
        self._set(replace(self.state, details=None, comparison=None))
        self._session.say(self.tr("Deleted %Ln runs", "", len(run_ids)), self.tr("Undo"), lambda: self.restore(run_ids))

    def restore(self, run_ids: tuple[int, ...]) -> None:
        """Bring deleted runs back."""
        history = self._history

        def job() -> None:
            for run_id in run_ids:
                history.restore(run_id)

        self._session.runner.call("restore", job, self._on_changed)

    def reuse(self, run_id: int) -> None:
        """Put a run's workload into the form."""
        history = self._history
        self._session.runner.call("reuse", lambda: history.get(run_id), self._on_reused)

    def _on_listed(self, outcome: Outcome) -> None:
        """Show the list."""
        if outcome.ending != "succeeded":
            self._set(replace(self.state, loaded=True, error=error_state(outcome.error)))
            return
        found: tuple[RunSummary, ...]
        found, record = outcome.value
        self._set(replace(self.state, loaded=True, rows=tuple(map(run_row, found)), record=record, error=None))

    def _on_read(self, outcome: Outcome) -> None:
        """Show one run or a comparison, unless another was asked for meanwhile."""
        if outcome.ending != "succeeded":
            self._set(replace(self.state, error=error_state(outcome.error)))
            return
        runs: tuple[Run, ...] = outcome.value
        if tuple(run.run_id for run in runs) != self._wanted:
            return
        if len(runs) == 1:
            self._set(replace(self.state, details=run_details(runs[0]), comparison=None, error=None))
        else:
            self._set(replace(self.state, details=None, comparison=compare_runs(runs), error=None))

    def _on_changed(self, outcome: Outcome) -> None:
        """Read the list again after a change."""
        if outcome.ending != "succeeded":
            self._set(replace(self.state, error=error_state(outcome.error)))
        self.refresh()

    def _on_reused(self, outcome: Outcome) -> None:
        """Take the workload."""
        if outcome.ending == "succeeded":
            run: Run = outcome.value
            self._session.set_workload(run.workload)
            self._session.say(self.tr("The form now holds the workload of run {number}").format(number=run.run_id))

    def _set(self, state: RunsState) -> None:
        """Tell the page."""
        self.state = state
        self.changed.emit(state)
