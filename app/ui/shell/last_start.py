"""Whether the last start ended well, and what is opened by itself at this one.

A workload is marked on disk before it is shown, and the mark is taken away when its answer has stood for a moment or
the window is closed.  What takes window or desktop down in between leaves the mark: the next start opens the
sample and asks, instead of going down again.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.core.types.workload import Dataset, ModelRef, Workload
from app.presentation.problem import ErrorState
from app.presentation.verdict import VerdictState
from app.ui.kit.speech import tr
from app.ui.session.session import Session
from app.ui.session.ui_settings import WindowSettings

SETTLED_MS = 2000
"""An answer has been laid out and drawn by then."""
REOPEN = "reopen"
"""Id of what the card offers."""
ANSWERED = ("predicted", "failed")


class LastStart(QObject):
    """Marks what is about to be shown; made before anything else that listens to the session.

    Attributes:
        remembered: The workload of the last time, or None at the first start and after one that ended badly.
    """

    def __init__(self, session: Session, settings: WindowSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._settings = session, settings
        last, badly = settings.workload, settings.unanswered
        self.remembered: Workload | None = None if badly else last
        self._doubtful = last if badly else None
        self._asked = False
        self._marked: tuple[ModelRef, Dataset | None] | None = None
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLED_MS)
        self._settling.timeout.connect(self.ended_well)
        session.workload_changed.connect(self._on_workload)

    def offer(self) -> tuple[ErrorState | None, str]:
        """What a card says of the last start and its button, until other model or data are chosen; None for nothing."""
        doubtful = self._doubtful
        if doubtful is None or doubtful == self._session.workload:
            return None, ""
        text = tr("The last start with {model} did not end well").format(model=doubtful.model.name)
        hint = tr("Another one was opened in its place.")
        return ErrorState(text, hint=hint, action=REOPEN), tr("Open it again")

    def reopen(self) -> None:
        """Open what the last start ended badly with; it is marked like any other."""
        doubtful = self._doubtful
        if doubtful is not None:
            self._marked = None
            self._session.set_workload(doubtful)

    def on_verdict(self, state: VerdictState) -> None:
        """An answer that stands ends the doubt; a first one from the textbook does not."""
        if state.stage in ANSWERED and self._settings.unanswered:
            self._settling.start()

    def ended_well(self) -> None:
        """Take the mark away, on disk."""
        self._settling.stop()
        if self._settings.unanswered:
            self._settings.unanswered = False
            self._settings.flush()

    def _on_workload(self) -> None:
        """Remember the workload; another model or other data are marked before anybody shows them."""
        workload = self._session.workload
        if workload is None:
            return
        self._settings.workload = workload
        marked = (workload.model, workload.dataset)
        if marked != self._marked:
            if self._asked:
                self._doubtful = None
            self._asked, self._marked = True, marked
            self._settling.stop()
            self._settings.unanswered = True
            self._settings.flush()
