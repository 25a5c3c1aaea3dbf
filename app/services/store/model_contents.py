"""What a model is made of: a digest of its file and of the user's own modules that the file imports.

Which modules those are is known once the file has been traced (`app.worker.own_files`).  A network of the catalog has
no file: it is the same as long as its name is, as the tracer's own digest says when its code changes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from app.core.types.workload import ModelRef, Workload
from app.services.store.file_digests import FileDigests
from app.services.store.json_store import JsonStore

GONE = "gone"
"""In place of the digest of a file that is not there any more."""


class ModelContents:
    """Digests of models as they are now.

    Args:
        path: A JSON file that remembers what the user's files import; made when the first of them is traced.
    """

    def __init__(self, path: Path) -> None:
        self._files = FileDigests()
        self._store: JsonStore[list[str]] = JsonStore(path, list[str])

    def of(self, model: ModelRef) -> str:
        """A name for a model's content: of the catalog its name, else a digest in hexadecimal.

        Raises:
            OSError: The file cannot be read.
        """
        if not model.path:
            return model.name
        main = self._files.of(model.path)
        folder = Path(os.path.realpath(model.path)).parent
        return _joined(main, {name: self._of_module(folder / name) for name in self._imports(model.path, main)})

    def of_data(self, workload: Workload) -> str:
        """A name for the user's own data, which may show what their model's step takes; empty where it does not."""
        data = workload.dataset
        if workload.model.kind != "code" or data is None or data.kind != "code" or not data.path:
            return ""
        return f"{self._of_module(Path(data.path))} {data.function}"

    def digest(self, model: ModelRef) -> str | None:
        """As `of`; None for a model without a file, or one whose file cannot be read."""
        try:
            return self.of(model) if model.path else None
        except OSError:
            return None

    def main(self, model: ModelRef) -> str | None:
        """The digest of the model's file alone; None without one.

        Raises:
            OSError: It cannot be read.
        """
        return self._files.of(model.path) if model.path else None

    def learn(self, model: ModelRef, main: str | None, modules: Mapping[str, str]) -> str:
        """Take what a trace has found, and name the content that was traced.

        Args:
            model: What was traced.
            main: The digest of its file then; None for a model without one.
            modules: What the file imported: digests by path relative to its folder.
        """
        if main is None or not model.path:
            return model.name
        names = sorted(modules)
        if names != self._imports(model.path, main):
            self._store.save(_key(model.path, main), names)
        return _joined(main, modules)

    def files(self, model: ModelRef) -> dict[str, str]:
        """Digests by path of the files that decide about a model, as far as they are known; its own first."""
        if not model.path:
            return {}
        main = self._of_module(Path(model.path))
        folder = Path(os.path.realpath(model.path)).parent
        modules = [folder / name for name in self._imports(model.path, main)]
        return {model.path: main, **{str(path): self._of_module(path) for path in modules}}

    def _imports(self, path: str, main: str) -> list[str]:
        """What a file of this content imports, if it has been traced."""
        return self._store.load(_key(path, main)) or []

    def _of_module(self, path: Path) -> str:
        try:
            return self._files.of(str(path))
        except OSError:
            return GONE


def _key(path: str, main: str) -> str:
    """A name for a file at its place with its content."""
    return hashlib.sha256(msgspec.json.encode([os.path.realpath(path), main])).hexdigest()[:32]


def _joined(main: str, modules: Mapping[str, str]) -> str:
    """One digest of all; that of the file itself if it stands alone."""
    if not modules:
        return main
    return hashlib.sha256(msgspec.json.encode([main, sorted(modules.items())])).hexdigest()
