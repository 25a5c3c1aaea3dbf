"""Notices that somebody edits the open model's file, or a module that it imports.

The system tells of a change; what it cannot tell (network folders, a file that an editor replaced) is seen when the
window gets the focus again.  Either way the files are read in a thread and compared by content: a file that was only
touched is not edited.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from app.core.types.workload import ModelRef
from app.ui.kit.bridge import Outcome, Task
from app.ui.session.session import Session

SETTLED_MS = 200
"""An editor writes in several steps; looked at once they are over."""


class ModelWatch(QObject):
    """Watches the files of the session's model.

    Args:
        session: The shared question.
    """

    edited = Signal(str)
    """Name of the file."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._model: ModelRef | None = None
        self._known: dict[str, str] = {}
        self._looking: Task | None = None
        self._again = False
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED_MS)
        self._timer.timeout.connect(self.look)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        session.workload_changed.connect(self._on_workload_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state_changed)

    def look(self) -> None:
        """Compare the files with what they were when they were last looked at."""
        model = self._model
        if model is None or not model.path:
            return
        if self._looking is not None:
            self._again = True
            return
        advisor = self._session.advisor
        self._looking = self._session.runner.call(
            "model_files", lambda: (model, advisor.predictor.contents.files(model)), self._on_looked
        )

    def _on_workload_changed(self) -> None:
        """Watch another model's files."""
        workload = self._session.workload
        model = None if workload is None else workload.model
        if model == self._model:
            return
        self._model, self._known = model, {}
        if self._watcher.files():
            self._watcher.removePaths(self._watcher.files())
        self.look()

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        """Look when the user comes back, from an editor perhaps."""
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()

    def _on_looked(self, outcome: Outcome) -> None:
        """Tell of an edit, and watch what is there now."""
        self._looking = None
        if outcome.ending == "succeeded" and outcome.value[0] == self._model:
            self._compare(outcome.value[1])
        if self._again:
            self._again = False
            self.look()

    def _compare(self, found: dict[str, str]) -> None:
        """Which file is another than it was."""
        edited = [path for path, digest in found.items() if self._known.get(path, digest) != digest]
        self._known.update(found)
        unwatched = [path for path in found if path not in self._watcher.files() and Path(path).exists()]
        if unwatched:
            self._watcher.addPaths(unwatched)
        if edited:
            self.edited.emit(Path(edited[0]).name)
