"""The settings dialog's view of the disk: sizes of what is kept, and its removal."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.session.session import Session
from app.ui.shell.state_settings import StoreState, store_state


class StorePresenter(QObject):
    """Emits a `StoreState` whenever something was looked at or cleared."""

    changed = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.state = StoreState()

    def look(self) -> None:
        """Count what is kept."""
        settings = self._session.advisor.settings

        def job() -> StoreState:
            from app.services.store.cache import cache_parts

            return store_state(settings, cache_parts(settings))

        self._session.runner.call("cache", job, self._on_looked)

    def clear(self) -> None:
        """Remove what can be made again."""
        settings = self._session.advisor.settings

        def job() -> int:
            from app.services.store.cache import clear_cache

            return clear_cache(settings)

        self._session.runner.call("clear", job, self._on_cleared)

    def _on_looked(self, outcome: Outcome) -> None:
        """Show the sizes."""
        if outcome.ending == "succeeded":
            self._show(outcome.value)
        else:
            self._show(replace(self.state, looked=True, problem=error_state(outcome.error).message))

    def _on_cleared(self, outcome: Outcome) -> None:
        """Look again, or say why not all could be removed."""
        if outcome.ending != "succeeded":
            self._show(replace(self.state, problem=error_state(outcome.error).message))
        else:
            self.look()

    def _show(self, state: StoreState) -> None:
        """Tell the dialog."""
        self.state = state
        self.changed.emit(state)
