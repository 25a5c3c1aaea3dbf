"""Functions in the user's Python files, as models or data: nothing of a file runs before the user has said yes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject

from app.core.types.workload import Dataset, ModelRef
from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.kit.speech import tr
from app.ui.session.session import Session

Purpose = Literal["model", "data"]


@dataclass(frozen=True)
class CodeFile:
    """A Python file that the user wants to use."""

    path: str
    text: str
    functions: tuple[str, ...]
    purpose: Purpose
    known: bool
    """The user has let this content run before."""


@dataclass(frozen=True)
class CodeChoice:
    """Which function may run, and what it makes."""

    function: str
    purpose: Purpose


Ask = Callable[[CodeFile], CodeChoice | None]
"""Asks the user, in the main thread; None is no."""


class CodePresenter(QObject):
    """Opens Python files.

    Args:
        session: The shared question.
        ask: Asks which function may run.
        take: Called with the model or the dataset that the function makes.
    """

    def __init__(
        self, session: Session, ask: Ask, take: Callable[[ModelRef | Dataset], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._ask, self._take = session, ask, take

    def open(self, path: str, purpose: Purpose) -> None:
        """Look at a file in a thread, then ask about it."""
        self._session.runner.call("read_code", partial(self._look, path, purpose), self._on_looked)

    def _look(self, path: str, purpose: Purpose) -> CodeFile:
        """In a thread: text and functions of a file, which is parsed and not run."""
        from app.services.models.consent import code_functions, code_text

        text = code_text(path)
        return CodeFile(path, text, code_functions(path), purpose, self._session.advisor.catalog.trust.knows(path))

    def _on_looked(self, outcome: Outcome) -> None:
        """Ask the user; on a yes, find the model or the data."""
        if outcome.ending != "succeeded":
            self._session.fail(error_state(outcome.error))
            return
        file: CodeFile = outcome.value
        choice = self._ask(file)
        if choice is None:
            self._session.say(tr("The file was not opened because it was not trusted."))
            return
        self._session.runner.call("find_code", partial(self._find, file.path, choice), self._on_found)

    def _find(self, path: str, choice: CodeChoice) -> ModelRef | Dataset:
        """In a thread: remember the file and name the function."""
        advisor = self._session.advisor
        advisor.catalog.trust.remember(path)
        text = f"{path}:{choice.function}"
        if choice.purpose == "model":
            return advisor.catalog.find_model(text, trust=True)
        return advisor.catalog.find_dataset(text, trust=True)

    def _on_found(self, outcome: Outcome) -> None:
        """Use it."""
        if outcome.ending == "succeeded":
            self._take(outcome.value)
        else:
            self._session.fail(error_state(outcome.error))
