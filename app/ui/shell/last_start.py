"""Whether the last start ended well, and what is opened by itself at this one.

A workload is marked on disk before it is shown, and the mark is taken away when its answer has stood for a moment or
the window is closed.  What takes window or desktop down in between leaves the mark: the next start opens the
sample and asks, instead of going down again.  A mark names its process: that of a window which is still open is none.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.core.types.workload import Dataset, ModelRef
from app.presentation.problem import ErrorState
from app.presentation.verdict import VerdictState
from app.services.store.owner import is_running, this_process
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
        ended_badly: What was shown last may have taken the window down: it is not opened by itself.
    """

    def __init__(self, session: Session, settings: WindowSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._settings = session, settings
        self._process = this_process()
        self._left = {name: asked for name, asked in settings.unanswered.items() if not is_running(name)}
        self.ended_badly = bool(self._left)
        session.remembered = next((asked for asked in self._left.values() if asked), settings.workload)
        self._asked = self._waiting = False
        self._marked: tuple[ModelRef, Dataset | None] | None = None
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLED_MS)
        self._settling.timeout.connect(self.ended_well)
        session.workload_changed.connect(self._on_workload)

    def offer(self) -> tuple[ErrorState | None, str]:
        """What a card says of the last start and its button, until other model or data are chosen; None for nothing."""
        doubtful = self._session.remembered
        if doubtful is None or not self.ended_badly or doubtful == self._session.workload:
            return None, ""
        text = tr("The last start with {model} did not end well").format(model=doubtful.model.name)
        hint = tr("Another one was opened in its place.")
        return ErrorState(text, hint=hint, action=REOPEN), tr("Open it again")

    def reopen(self) -> None:
        """Open what the last start ended badly with; it is marked like any other."""
        doubtful = self._session.remembered
        if doubtful is not None and self.ended_badly:
            self._marked = None
            self._session.set_workload(doubtful)

    def on_verdict(self, state: VerdictState) -> None:
        """An answer that stands ends the doubt; a first one from the textbook does not."""
        if state.stage in ANSWERED and self._waiting:
            self._settling.start()

    def ended_well(self) -> None:
        """Take the mark away, on disk."""
        self._settling.stop()
        if self._waiting:
            self._waiting = False
            self._settings.unmark(self._process)
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
                self.ended_badly = False
            self._asked, self._marked = True, marked
            self._settling.stop()
            self._waiting = True
            self._settings.mark(self._process, workload)
            for gone in self._left:
                self._settings.unmark(gone)
            self._settings.flush()
