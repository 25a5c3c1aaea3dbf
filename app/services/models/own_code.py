"""A file of the user's that may run code, as it was read once: what is shown, hashed and let run is this."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from app.core.types.errors import BadModel
from app.core.types.notebook import SUFFIX, cells_of, program_of
from app.core.types.source_text import Unreadable, parsed, text_of
from app.core.types.text import phrase
from app.services.models.own_imports import modules_beside, read_bounded
from app.services.store.file_digests import FileDigests


@dataclass(frozen=True)
class OwnCode:
    """A Python file or a notebook with the modules of its folder that it imports, or a saved model.

    Attributes:
        path: The file.
        digest: SHA-256 of its content; of a ``.keras`` file of its configuration.
        beside: What the modules hold, by path relative to the folder.
        content: What a Python file holds; of a notebook the code of its cells.
    """

    path: str
    digest: str
    beside: Mapping[str, bytes] = field(default_factory=dict)
    content: bytes = b""

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 by path relative to the folder; the file's own first."""
        return {Path(self.path).name: self.digest, **{name: _digest(held) for name, held in self.beside.items()}}

    @property
    def key(self) -> str:
        """One name for all of it, wherever it lies; the file's own digest if it stands alone."""
        if not self.beside:
            return self.digest
        beside = sorted(list(self.digests.items())[1:])
        return hashlib.sha256(msgspec.json.encode([self.digest, beside])).hexdigest()

    @property
    def text(self) -> str:
        """What a Python file says."""
        return text_of(self.content)

    def functions(self) -> tuple[str, ...]:
        """Names of what makes a model at the top of a Python file, its functions first; it is parsed and not run.

        Raises:
            BadModel: It is no Python, or has no function.
        """
        try:
            tree = parsed(self.text)
        except Unreadable as error:
            raise BadModel(phrase("this is no Python that can be read"), received=str(error)) from error
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        names = (*functions, *(name for node in tree.body for name in _models(node)))
        if not names:
            raise BadModel(
                phrase("the file defines no function"),
                expected=phrase("a function that returns a Keras model or a dataset"),
                received=self.path,
            )
        return names


def _models(statement: ast.stmt) -> list[str]:
    """The class or the variables of a statement, as far as its text says that they are Keras models."""
    if isinstance(statement, ast.ClassDef):
        return [statement.name] if any(map(_is_model, statement.bases)) else []
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) and _is_model(statement.value.func):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    return []


def _is_model(expression: ast.expr) -> bool:
    """Does an expression name a class of Keras's models: ``keras.Model``, ``Sequential``?"""
    name = expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")
    return name in ("Model", "Sequential")


def read_own(path: str) -> OwnCode:
    """Read a file, and what it imports of its folder, once.

    Raises:
        BadModel: The file cannot be read, is too long, or imports too much.
    """
    place = Path(path)
    if place.suffix.lower() == SUFFIX:
        content = read_bounded(place)
        code = program_of(cells_of(content.decode("utf-8", errors="replace"), path)).encode()
        return OwnCode(path, _digest(content), modules_beside(place.resolve(), code), code)
    if place.suffix.lower() != ".py":
        try:
            return OwnCode(path, FileDigests().of(path))
        except OSError as error:
            raise BadModel(phrase("the file cannot be read"), received=f"{path}: {error.strerror}") from error
    content = read_bounded(place)
    return OwnCode(path, _digest(content), modules_beside(place.resolve(), content), content)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
