"""Runs the user's file and the modules of its folder, each of which the user has let run exactly as it is.

A file is read once; the digest of these bytes decides, and these bytes are compiled.  No compiled copy of it is used
(``__pycache__``), and whoever asks for its source later gets what was compiled: AutoGraph makes code from it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import os
import sys
from collections.abc import Collection, Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from app.core.types.errors import BadDataset, BadModel
from app.core.types.text import phrase
from app.worker.whose_file import is_below, is_installed

Refusal = type[BadModel] | type[BadDataset]


class CheckedSource(SourceFileLoader):
    """Loads a module from the bytes that were compared."""

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from what was compared; nothing is read again."""
        made: CodeType = self.source_to_code(self._content, self.path)
        lines = [f"{line}\n" for line in self.get_source(fullname).split("\n")]
        linecache.cache[self.path] = (len(self._content), None, lines, self.path)
        return made

    def get_source(self, fullname: str) -> str:
        """What was compiled."""
        return importlib.util.decode_source(self._content)


class Beside:
    """Finds modules below one folder, in front of all other places but Python's own built-in modules.

    Args:
        folder: Of the user's file.
        consent: SHA-256 of what may run.
        refuse: The error to raise.

    Attributes:
        folder: Likewise, as it really is.
        consent: Likewise.
        loaded: SHA-256 of what was loaded, by path relative to the folder and with ``/`` between its parts.
    """

    def __init__(self, folder: str, consent: Collection[str], refuse: Refusal) -> None:
        self.folder = folder
        self.consent = set(consent)
        self._refuse = refuse
        self.loaded: dict[str, str] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As importlib asks.

        Raises:
            BadModel: Or the other refusal: the only module of this name lies in the folder and was not let run.
        """
        here = PathFinder.find_spec(name, [self.folder]) if path is None else None
        if here is not None and self._is_ours(here) and self._digest(here) in self.consent:
            return self._checked(here)
        found = PathFinder.find_spec(name, path, target) or here
        return self._checked(found) if found is not None and self._is_ours(found) else found

    def _is_ours(self, spec: ModuleSpec) -> bool:
        """Is it a file of the folder, and not of a package that is installed below it?"""
        real = os.path.realpath(spec.origin) if spec.origin and spec.has_location else ""
        named = os.path.abspath(spec.origin) if real and spec.origin else ""
        return any(is_below(place, self.folder) and not is_installed(place) for place in (real, named) if place)

    def _digest(self, spec: ModuleSpec) -> str:
        return hashlib.sha256(_read(spec.origin or "")).hexdigest()

    def _checked(self, spec: ModuleSpec) -> ModuleSpec:
        """The module with a loader that runs what is compared here."""
        path = spec.origin or ""
        content = _read(path)
        digest = hashlib.sha256(content).hexdigest()
        native = isinstance(spec.loader, ExtensionFileLoader)
        if digest not in self.consent or not (native or path.endswith(".py")):
            raise self._refuse(
                phrase("a file of the folder would be imported, and you were not asked about it"),
                expected=phrase("modules that the file imports by name, unchanged since you let it run"),
                received=path,
                hint=phrase("open the file again, to look at it and to let it run"),
            )
        self.loaded[os.path.relpath(path, self.folder).replace(os.sep, "/")] = digest
        if not native:
            spec.loader = CheckedSource(spec.name, path, content)
        return spec


def run_file(name: str, path: Path, consent: Collection[str], refuse: Refusal) -> ModuleType:
    """Run a file as the module ``name``; what it imports from its folder is looked at likewise.

    Raises:
        BadModel: Or ``refuse``: the file cannot be read, or is not what the user let run.
    """
    module, loader = module_of(name, path, consent, refuse)
    loader.exec_module(module)
    return module


def module_of(name: str, path: Path, consent: Collection[str], refuse: Refusal) -> tuple[ModuleType, CheckedSource]:
    """A file as a module that has not run yet, known by its name, and what runs it.

    Raises:
        BadModel: Or ``refuse``: the file cannot be read, or is not what the user let run.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refuse(
            phrase("the file cannot be imported"), expected=phrase("a Python file"), received=str(path)
        ) from error
    if hashlib.sha256(content).hexdigest() not in consent:
        raise refuse(
            phrase("the file is not the one that you let run"),
            received=str(path),
            hint=phrase("open it again, to look at it and to let it run"),
        )
    _look_after(os.path.realpath(path.parent), consent, refuse)
    loader = CheckedSource(name, str(path), content)
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    if specification is None:
        raise ImportError(name, path=str(path))
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    return module, loader


def loaded_beside(path: Path) -> dict[str, str]:
    """What has been imported from a file's folder, besides the file itself: it decides about the model as well.

    Installed packages count as the framework does, wherever they lie: by who trains, not by their content.

    Returns:
        SHA-256 by the file's path, relative to the folder and with ``/`` between its parts.
    """
    folder = os.path.realpath(path.parent)
    finders = [finder for finder in sys.meta_path if isinstance(finder, Beside) and finder.folder == folder]
    found = {name: digest for finder in finders for name, digest in finder.loaded.items()}
    return {name: digest for name, digest in found.items() if name != path.name}


def _look_after(folder: str, consent: Collection[str], refuse: Refusal) -> None:
    """Have a folder's modules found by us; built-in modules stay in front."""
    for known in sys.meta_path:
        if isinstance(known, Beside) and known.folder == folder:
            known.consent |= set(consent)
            return
    sys.meta_path.insert(sys.meta_path.index(PathFinder), Beside(folder, consent, refuse))


def _read(path: str) -> bytes:
    """What a file holds; nothing if it cannot be read, which nobody has let run."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
