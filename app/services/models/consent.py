"""Which files the user lets run their code: remembered by what is in them; a changed file is asked about again.

A function of the user's file makes a model or a dataset, and opening it runs the file; so does a saved model with a
Lambda layer.  Trust is given to the file's content (SHA-256), wherever it lies.  What the file imports is not looked
at: whoever trusts it trusts that too.
"""

from __future__ import annotations

import ast
import hashlib
from datetime import UTC, datetime
from pathlib import Path

from app.core.types.errors import BadDataset, BadModel, StoreError
from app.core.types.text import phrase
from app.core.types.units import format_number
from app.core.types.workload import Workload
from app.services.store.json_store import JsonStore

MAX_CODE_BYTES = 4 * 1024**2
"""A longer file is no file that a person wrote and read."""


class TrustStore:
    """Contents that the user has let run.

    Args:
        path: A JSON file; made when the first file is trusted.  Where it cannot be written, what was trusted counts
            as long as this object lives.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, str)

    def knows(self, path: str) -> bool:
        """Has the user let this file run as it is now?  A file that cannot be read was not."""
        try:
            return self._store.load(_digest(path)) is not None
        except OSError:
            return False

    def remember(self, path: str) -> None:
        """Let the file run from now on, as long as nobody changes it.

        Raises:
            StoreError: The file cannot be read.
        """
        try:
            self._store.save(_digest(path), datetime.now(UTC).isoformat(timespec="seconds"))
        except OSError as error:
            raise StoreError(phrase("the file cannot be read"), received=f"{path}: {error.strerror}") from error

    def require(self, workload: Workload) -> None:
        """Refuse a workload whose code has changed since the user let it run.

        Raises:
            BadModel: The model's file is another now.
            BadDataset: The data's file is another now.
        """
        model, data = workload.model, workload.dataset
        hint = phrase("open it again, to look at it and to let it run")
        if model.trusted and model.path and not self.knows(model.path):
            raise BadModel(phrase("the model's file is not the one that you let run"), received=model.path, hint=hint)
        if data is not None and data.kind == "code" and data.trusted and data.path and not self.knows(data.path):
            raise BadDataset(phrase("the data's file is not the one that you let run"), received=data.path, hint=hint)


def code_functions(path: str) -> tuple[str, ...]:
    """Names of the functions that a Python file defines at its top; the file is parsed and not run.

    Raises:
        BadModel: The file cannot be read, is no Python, or has no function.
    """
    source = code_text(path)
    try:
        tree = ast.parse(source, filename=path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadModel(phrase("this is no Python that can be read"), received=str(error)) from error
    names = tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    if not names:
        raise BadModel(
            phrase("the file defines no function"),
            expected=phrase("a function that returns a Keras model or a dataset"),
            received=path,
        )
    return names


def code_text(path: str) -> str:
    """The text of a Python file.

    Raises:
        BadModel: The file cannot be read or is too long to have been read by anybody.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_CODE_BYTES + 1)
    except OSError as error:
        raise BadModel(phrase("the file cannot be read"), received=f"{path}: {error.strerror}") from error
    if len(content) > MAX_CODE_BYTES:
        raise BadModel(
            phrase("the file is too long"),
            expected=phrase("at most {max_code} bytes", max_code=format_number(MAX_CODE_BYTES, ",")),
            received=path,
        )
    return content.decode("utf-8", errors="replace")


def _digest(path: str) -> str:
    """Of the file's content."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
