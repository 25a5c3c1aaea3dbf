"""What of the user's files runs code, as models or data: nothing of a file runs before the user has said yes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject

from app.core.types.workload import Dataset, ModelRef
from app.presentation.problem import error_state
from app.ui.kit.bridge import Outcome
from app.ui.kit.speech import tr
from app.ui.session.session import Session

if TYPE_CHECKING:
    from app.services.models.own_code import OwnCode

Purpose = Literal["model", "data"]
CODE_SUFFIXES = (".py", ".ipynb")
"""Files that are code and nothing else."""


@dataclass(frozen=True)
class CodeFile:
    """A file that the user wants to use, and that holds code."""

    own: OwnCode
    functions: tuple[str, ...]
    """Of a Python file; a saved model has none to choose from."""
    purpose: Purpose
    known: bool
    """The user has let this content run before."""
    script: bool = False
    """It trains when it is run as it is."""


@dataclass(frozen=True)
class CodeChoice:
    """What may run, and what it makes."""

    function: str
    """Of a Python file; empty for a saved model, and for a file that is run as it is."""
    purpose: Purpose


Ask = Callable[[CodeFile], CodeChoice | None]
"""Asks the user, in the main thread; None is no."""


class CodePresenter(QObject):
    """Opens Python files, and saved models that hold code.

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
        """Look at a Python file, or a saved model that holds code, in a thread; then ask about it."""
        self._session.runner.call("read_code", partial(self._look, path, purpose), self._on_looked)

    def _look(self, path: str, purpose: Purpose) -> CodeFile:
        """In a thread: text and functions of a file, which is parsed and not run."""
        from app.core.types.errors import BadModel
        from app.services.models.own_code import read_own
        from app.services.models.scripts import runs_something

        own, notebook = read_own(path), path.lower().endswith(".ipynb")
        python = path.lower().endswith(".py")
        script = purpose == "model" and (notebook or (python and runs_something(own.text)))
        functions: tuple[str, ...] = ()
        try:
            functions = own.functions() if python else ()
        except BadModel:
            if not script:
                raise
        return CodeFile(own, functions, purpose, self._session.advisor.catalog.trust.knows(own), script)

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
        self._session.runner.call("find_code", partial(self._find, file.own, choice), self._on_found)

    def _find(self, own: OwnCode, choice: CodeChoice) -> ModelRef | Dataset:
        """In a thread: remember the file as it was shown, and name the function."""
        catalog = self._session.advisor.catalog
        catalog.trust.remember(own)
        text = f"{own.path}:{choice.function}" if choice.function else own.path
        return catalog.find_model(text) if choice.purpose == "model" else catalog.find_dataset(text)

    def _on_found(self, outcome: Outcome) -> None:
        """Use it."""
        if outcome.ending == "succeeded":
            self._take(outcome.value)
        else:
            self._session.fail(error_state(outcome.error))
