"""Which Python trains, and the settings that make another façade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.session.session import Session

if TYPE_CHECKING:
    from app.services.settings import Settings
    from app.ui.session.ui_settings import WindowSettings

MOST = 6


class RuntimePresenter(QObject):
    """Changes the settings behind the façade; emits `changed` with the chosen interpreter and those used lately."""

    changed = Signal(str, tuple)

    def __init__(self, session: Session, window: WindowSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._window = session, window
        self._wanted: Settings | None = None

    def show(self) -> None:
        """Tell which interpreter trains."""
        chosen = self._session.advisor.settings.interpreter or ""
        known = self._window.interpreters
        if chosen and chosen not in known:
            known = self._window.interpreters = (chosen, *known)[:MOST]
        self.changed.emit(chosen, known)

    def choose_interpreter(self, path: str) -> None:
        """Let another Python train; empty is this program's own."""
        self.change(lambda settings: replace(settings, interpreter=path or None))

    def change(self, how: Callable[[Settings], Settings]) -> None:
        """Keep other settings, one change after the other; another Python is asked everything anew."""
        advisor = self._session.advisor
        settings = how(self._wanted or advisor.settings)
        if settings != (self._wanted or advisor.settings):
            self._wanted = settings
            self._session.runner.call(
                "settings", lambda: advisor.with_settings(settings), partial(self._on_changed, settings)
            )

    def _on_changed(self, settings: Settings, outcome: Outcome) -> None:
        """Take the new façade, or say why there is none; an older change than the last is not shown."""
        if settings != self._wanted:
            return
        self._wanted = None
        if outcome.ending == "succeeded":
            self._session.set_advisor(outcome.value)
        else:
            self._session.fail(error_state(outcome.error))
        self.show()
