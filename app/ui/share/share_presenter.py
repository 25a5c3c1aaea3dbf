"""Makes what is shown of a run or of the present answer, and writes it where the user says; both in a thread."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.kit.speech import speaker, tr
from app.ui.session.session import Session

if TYPE_CHECKING:
    from app.services.sharing.share import Share
    from app.services.sharing.shown import Shown


class SharePresenter(QObject):
    """Emits what is to be previewed."""

    previewed = Signal(object)
    """A `Share`."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    def share_runs(self, run_ids: tuple[int, ...]) -> None:
        """Make what is shown of the first of these runs, or of the newest if none is named."""
        history = self._session.advisor.history

        def shown() -> Shown:
            from app.services.sharing.shown import shown_run

            return shown_run(history.get(next(iter(run_ids or [run.run_id for run in history.list("", 1)]))))

        self._preview(shown)

    def share_answer(self) -> None:
        """Make what is shown of the answer on screen."""
        prediction, workload = self._session.prediction, self._session.workload
        if self.why_no_answer() or prediction is None or workload is None:
            self._session.say(tr("There is no answer to share yet"))
            return

        def shown() -> Shown:
            from app.services.sharing.shown import shown_answer

            return shown_answer(prediction, workload, datetime.now(UTC).isoformat())

        self._preview(shown)

    def why_no_answer(self) -> str:
        """Why no answer can be shown; empty where one can."""
        there = self._session.prediction is not None and not self._session.textbook
        return "" if there else tr("there is no answer yet")

    def save(self, made: Share, folder: str) -> None:
        """Write the files into a folder."""

        def job() -> str:
            from app.services.sharing.share import write_share
            from app.ui.share.draw_png import png_of_svg

            return str(write_share(made, Path(folder), png_of_svg)[0].parent)

        self._session.runner.call("share", job, self._on_saved)

    def _preview(self, shown: Callable[[], Shown]) -> None:
        """Make pictures and words in the window's language."""
        language = speaker()

        def job() -> Share:
            from app.services.sharing.share import share

            return share(shown(), language)

        self._session.runner.call("share", job, self._on_made)

    def _on_made(self, outcome: Outcome) -> None:
        """Show what was made."""
        if outcome.ending == "succeeded":
            self.previewed.emit(outcome.value)
        else:
            self._session.fail(error_state(outcome.error))

    def _on_saved(self, outcome: Outcome) -> None:
        """Say where the files are."""
        if outcome.ending != "succeeded":
            self._session.fail(error_state(outcome.error))
            return
        folder: str = outcome.value
        text = tr("Saved two pictures, a text and a file for programs in {name}").format(name=Path(folder).name)
        self._session.say(text, tr("Open"), partial(_open, folder))


def _open(folder: str) -> None:
    """Show a folder in the program that the desktop has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
