"""What a model is made of: a digest of its file, of modules of the user's that it imports, and of files that it reads.

Which files those are is known once it has been traced (`app.worker.own_files`).  A network of the catalog has
no file: it is the same as long as its name is, as the tracer's own digest says when its code changes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from app.core.types.workload import ModelRef, Workload
from app.services.store.file_digests import FileDigests
from app.services.store.json_store import JsonStore

GONE = "gone"
"""In place of the digest of a file that is not there any more."""
MOST_READ_BYTES = 64 * 1024**2
"""A longer file that the code reads is data, and known by its size and time."""


_COMPARED = (".py", ".so", ".pyd")
"""Modules, which the child compares by what they hold."""


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
        folder = _folder(model.path)
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

    def learn(self, model: ModelRef, main: str | None, modules: Mapping[str, str], read: Collection[str] = ()) -> str:
        """Take what a trace has found, and name the content that was traced.

        Args:
            model: What was traced.
            main: The digest of its file then; None for a model without one.
            modules: What the file imported: digests by path relative to its folder.
            read: What it read besides, by such a path or a full one.
        """
        if main is None or not model.path:
            return model.name
        folder = _folder(model.path)
        files = {**{name: self._of_module(folder / name) for name in read}, **modules}
        names = sorted(files)
        if names != self._imports(model.path, main):
            self._store.save(_key(model.path, main), names)
        return _joined(main, files)

    def are_as_read(self, model: ModelRef, read: Mapping[str, tuple[int, int]]) -> bool:
        """Have files still the size and time that they had when a child read them?"""
        return all(_size_and_time(_folder(model.path or "") / name) == tuple(then) for name, then in read.items())

    def files(self, model: ModelRef) -> dict[str, str]:
        """Digests by path of the files that decide about a model, as far as they are known; its own first."""
        if not model.path:
            return {}
        main = self._of_module(Path(model.path))
        folder = _folder(model.path)
        modules = [folder / name for name in self._imports(model.path, main)]
        return {model.path: main, **{str(path): self._of_module(path) for path in modules}}

    def _imports(self, path: str, main: str) -> list[str]:
        """What a file of this content imports, if it has been traced."""
        return self._store.load(_key(path, main)) or []

    def _of_module(self, path: Path) -> str:
        try:
            if path.suffix not in _COMPARED and path.stat().st_size > MOST_READ_BYTES:
                return str(_size_and_time(path))
            return self._files.of(str(path))
        except OSError:
            return GONE


def _folder(path: str) -> Path:
    """Where a file really lies."""
    return Path(os.path.realpath(path)).parent


def _size_and_time(path: Path) -> tuple[int, int] | None:
    """Of a file, in bytes and nanoseconds; None if it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _key(path: str, main: str) -> str:
    """A name for a file at its place with its content."""
    return hashlib.sha256(msgspec.json.encode([os.path.realpath(path), main])).hexdigest()[:32]


def _joined(main: str, modules: Mapping[str, str]) -> str:
    """One digest of all; that of the file itself if it stands alone."""
    if not modules:
        return main
    return hashlib.sha256(msgspec.json.encode([main, sorted(modules.items())])).hexdigest()
