"""Fills the Runs page from the history; every access in a thread."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.kit.speech import tr, tr_many
from app.ui.runs.state_runs import RunsState, compare_runs, run_details
from app.ui.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.types.run import Run, RunSummary
    from app.core.types.track_record import TrackRecord
    from app.ui.runs.saving import Preview

FILTER_DELAY_MS = 200
MOST_RUNS = 10_000


class RunsPresenter(QObject):
    """Emits states for the Runs page."""

    changed = Signal(object)
    previewed = Signal(object)
    """A `Preview`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._history = session.advisor.history
        self.state = RunsState()
        self._wanted: tuple[int, ...] = ()
        self._told_notice = ""
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

        def job() -> tuple[tuple[RunSummary, ...], TrackRecord | None]:
            return history.list(text, MOST_RUNS), history.track_record()

        self._ask("runs", job, self._on_listed)

    def select(self, run_id: int) -> None:
        """Show one run in full."""
        self._wanted = (run_id,)
        history = self._history
        self._ask("run", lambda: (history.get(run_id),), self._on_read)

    def compare(self, run_ids: tuple[int, ...]) -> None:
        """Show runs side by side."""
        self._wanted = run_ids
        history = self._history
        self._ask("run", lambda: tuple(history.get(i) for i in run_ids), self._on_read)

    def set_note(self, run_id: int, note: str) -> None:
        """Keep a note."""
        history = self._history
        self._ask("note", lambda: history.set_note(run_id, note), self._on_changed)

    def delete(self, run_ids: tuple[int, ...]) -> None:
        """Delete runs, with a way back."""
        history = self._history

        def job() -> None:
            for run_id in run_ids:
                history.delete(run_id)

        self._ask("delete", job, self._on_changed)
        self._set(replace(self.state, details=None, comparison=None))
        self._session.say(
            tr_many("Deleted a run", "Deleted {n} runs", len(run_ids)), tr("Undo"), lambda: self.restore(run_ids)
        )

    def restore(self, run_ids: tuple[int, ...]) -> None:
        """Bring deleted runs back."""
        history = self._history

        def job() -> None:
            for run_id in run_ids:
                history.restore(run_id)

        self._ask("restore", job, self._on_changed)

    def reuse(self, run_id: int) -> None:
        """Put a run's workload into the form."""
        history = self._history
        self._ask("reuse", lambda: history.get(run_id), self._on_reused)

    def preview(self, run_ids: tuple[int, ...], ending: str) -> None:
        """Make what a file of these runs would hold, or of the newest if none is named."""
        advisor = self._session.advisor

        def job() -> Preview:
            from app.ui.runs.saving import preview_runs

            return preview_runs(advisor, run_ids or tuple(run.run_id for run in advisor.history.list("", 1)), ending)

        self._ask("preview", job, self._on_previewed)

    def _on_previewed(self, outcome: Outcome) -> None:
        """Show it."""
        if outcome.ending == "succeeded":
            self.previewed.emit(outcome.value)
        else:
            self._fail(outcome)

    def save(self, run_ids: tuple[int, ...], path: str, redact: bool) -> None:
        """Write runs to a file: a report of one, or everything about all."""
        advisor = self._session.advisor

        def job() -> str:
            from app.ui.runs.saving import save_runs

            return save_runs(advisor, run_ids, Path(path), redact=redact)

        self._ask("save", job, self._on_saved)

    def _on_saved(self, outcome: Outcome) -> None:
        """Say where the file is."""
        if outcome.ending != "succeeded":
            self._fail(outcome)
            return
        path: str = outcome.value
        self._session.say(tr("Saved {name}").format(name=Path(path).name), tr("Open"), partial(_open, path))

    def _on_listed(self, outcome: Outcome) -> None:
        """Show the list."""
        if outcome.ending != "succeeded":
            self._set(replace(self.state, loaded=True, error=error_state(outcome.error)))
            return
        found: tuple[RunSummary, ...]
        found, record = outcome.value
        self._say_notice()
        self._set(replace(self.state, loaded=True, rows=found, record=record))

    def _say_notice(self) -> None:
        """Tell once what is wrong with the history's file."""
        notice = self._history.notice
        if notice and notice != self._told_notice:
            self._told_notice = notice
            self._session.say(notice)

    def _on_read(self, outcome: Outcome) -> None:
        """Show one run or a comparison, unless another was asked for meanwhile."""
        if outcome.ending != "succeeded":
            self._fail(outcome)
            return
        runs: tuple[Run, ...] = outcome.value
        if tuple(run.run_id for run in runs) != self._wanted:
            return
        if len(runs) == 1:
            self._set(replace(self.state, details=run_details(runs[0]), comparison=None))
        else:
            self._set(replace(self.state, details=None, comparison=compare_runs(runs)))

    def _on_changed(self, outcome: Outcome) -> None:
        """Read the list again after a change, whether it was made or not."""
        self.refresh()
        if outcome.ending != "succeeded":
            self._fail(outcome)

    def _on_reused(self, outcome: Outcome) -> None:
        """Take the workload."""
        if outcome.ending == "succeeded":
            run: Run = outcome.value
            self._session.set_workload(run.workload)
            self._session.say(tr("The form now holds the workload of run {number}").format(number=run.run_id))

    def _ask(self, name: str, job: Callable[[], Any], ended: Callable[[Outcome], None]) -> None:
        """Do something in a thread; what went wrong before is no longer shown.

        An answer never takes an error away: one that was asked for earlier may come later, and the word that a file
        could not be written would be gone before it was read.
        """
        if self.state.error is not None:
            self._set(replace(self.state, error=None))
        self._session.runner.call(name, job, ended)

    def _fail(self, outcome: Outcome) -> None:
        """Show what went wrong."""
        self._set(replace(self.state, error=error_state(outcome.error)))

    def _set(self, state: RunsState) -> None:
        """Tell the page."""
        self.state = state
        self.changed.emit(state)


def _open(path: str) -> None:
    """Show a file in the program that the desktop has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))
