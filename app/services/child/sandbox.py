"""A copy of a script's folder with a scratch home, in which the script runs instead; gone when the answer is there.

What lies around the folder is linked, so that ``../data`` is found, and so are large files: where the kernel refuses
every write outside (`app.worker.script.kept_inside`) a link can only be read through.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from app.core.types.errors import BadModel, WillItTrainError
from app.core.types.messages import Request
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef
from app.services.child.child_options import ChildOptions
from app.services.held_folder import held_folder

PREFIX = "willittrain-sandbox-"
SMALL_BYTES = 16 * MIB
"""A file up to here is copied: code, tables, configurations."""
MOST_BYTES = GIB
MOST_FILES = 20_000
"""As much is copied; of a larger folder the rest is linked."""
_LEVELS_ABOVE = 3
"""So far above the folder its surroundings are linked."""
_WHOLE = ("pyvenv.cfg", "conda-meta")
"""A folder with one of these is an environment, which is linked as it is."""
_HOMES = ("HOME", "USERPROFILE")
_PLACES_OF_HOME = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "KERAS_HOME")
"""Variables that would lead out of a scratch home."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Sandbox:
    """Where a script runs in place of its own folder.

    Attributes:
        root: All that it may write to.
        folder: The copy.
        original: The folder that was copied.
        home: Its scratch home.
        stands: Where the script runs if that is elsewhere: a folder with links to what is there.
        stood: The folder that this stands for.
    """

    root: Path
    folder: Path
    original: Path
    home: Path
    stands: Path
    stood: Path

    def request(self, request: Request) -> Request:
        """The job on the copy."""
        model = request.arguments["model"]
        inside = {name: self._inside(model[name]) for name in ("path", "folder")}
        return Request(request.job, {**request.arguments, "model": {**model, **inside}, "sandbox": [str(self.root)]})

    def options(self, options: ChildOptions) -> ChildOptions:
        """A child whose home is the scratch one."""
        home = {**dict.fromkeys(_HOMES, str(self.home)), **dict.fromkeys(_PLACES_OF_HOME, "")}
        return dataclasses.replace(options, environment={**options.environment, **home})

    def told(self, value: _T) -> _T:
        """An answer that names the original wherever the copy stood in it."""
        for inside, outside in ((self.folder, self.original), (self.home, Path.home()), (self.stands, self.stood)):
            value = _replaced(value, str(inside), str(outside))
        return value

    def _inside(self, path: str | None) -> str | None:
        """A path of the original in the copy."""
        if path is None:
            return None
        real = Path(os.path.realpath(path))
        return str(self.folder / real.relative_to(self.original) if real.is_relative_to(self.original) else self.stands)


def needs_sandbox(model: ModelRef) -> bool:
    """Does a script run on a copy: because it was asked for, or because it goes on with results that are made up?"""
    return model.kind == "script" and (model.sandbox or model.count_fits or model.fit > 1)


@contextmanager
def sandboxed(model: ModelRef) -> Iterator[Sandbox | None]:
    """The copy of a script's folder, or nothing for a model that needs none.

    Raises:
        BadModel: The folder cannot be copied.
    """
    if not needs_sandbox(model):
        yield None
        return
    original = _folder_of(model)
    with held_folder(Path(os.path.realpath(tempfile.gettempdir())), PREFIX) as root:
        inside = root / "around" / Path(*original.parts[1:][-_LEVELS_ABOVE:])
        stood = Path(os.path.realpath(model.folder or "."))
        made = Sandbox(root, inside, original, root / "home", root / "stands", stood)
        try:
            _link_surroundings(made)
            copied = _Copied()
            copied.folder(original, made.folder)
            made.home.mkdir()
            made.stands.mkdir()
            if not stood.is_relative_to(original):
                _link_all(stood, made.stands)
            if (own := Path.home() / ".keras").is_dir():
                copied.folder(own, made.home / own.name)
        except OSError as error:
            raise BadModel(
                phrase("the script's folder cannot be copied"), received=f"{original}: {error.strerror or error}"
            ) from error
        try:
            yield made
        except WillItTrainError as error:
            raise type(error)(
                verbatim(made.told(str(error.message))),
                expected=made.told(error.expected),
                received=made.told(error.received),
                hint=made.told(error.hint),
            ) from error


def _folder_of(model: ModelRef) -> Path:
    """What is copied: the folder where the script runs if its file lies below, else the file's own.

    Raises:
        BadModel: That is a whole home or disk.
    """
    assert model.path is not None
    own, stands = Path(os.path.realpath(model.path)).parent, Path(os.path.realpath(model.folder or "."))
    everything = (Path.home(), Path(own.anchor))
    found = stands if own.is_relative_to(stands) and stands not in everything else own
    if found in everything:
        raise BadModel(
            phrase("the script lies in no folder of its own that could be copied"),
            received=str(model.path),
            hint=phrase("move it into a folder of its own"),
        )
    return found


def _link_surroundings(made: Sandbox) -> None:
    """Link what lies beside the folder, and beside those above it."""
    inside, outside = made.folder, made.original
    made.folder.parent.mkdir(parents=True)
    while inside.parent != made.root / "around":
        _link_all(outside.parent, inside.parent, but=outside.name)
        inside, outside = inside.parent, outside.parent


def _link_all(source: Path, target: Path, but: str = "") -> None:
    """Link everything that lies in a folder, but for one name."""
    for entry in os.scandir(source):
        if entry.name != but:
            with contextlib.suppress(OSError):  # Windows lets few people link
                (target / entry.name).symlink_to(entry.path)


class _Copied:
    """Copies folders, and counts what it has copied."""

    def __init__(self) -> None:
        self._bytes = 0
        self._files = 0

    def folder(self, source: Path, target: Path) -> None:
        """Small files are copied, other things linked."""
        target.mkdir()
        for entry in sorted(os.scandir(source), key=lambda one: one.name):
            place = target / entry.name
            if entry.is_dir(follow_symlinks=False) and not _is_whole(Path(entry.path)):
                self.folder(Path(entry.path), place)
            elif entry.is_file(follow_symlinks=False) and self._takes(entry):
                shutil.copy2(entry.path, place)
            elif entry.is_file() or entry.is_dir():
                place.symlink_to(os.path.realpath(entry.path), target_is_directory=entry.is_dir())

    def _takes(self, entry: os.DirEntry[str]) -> bool:
        """Is a file small, and is there room left?"""
        size = entry.stat().st_size
        if size > SMALL_BYTES or self._bytes + size > MOST_BYTES or self._files == MOST_FILES:
            return False
        self._bytes, self._files = self._bytes + size, self._files + 1
        return True


def _is_whole(folder: Path) -> bool:
    """Is a folder an environment, or a version control's own, which no script writes to?"""
    return folder.name == ".git" or any((folder / name).exists() for name in _WHOLE)


def _replaced(value: Any, old: str, new: str) -> Any:
    """A value with another text wherever one stands in its texts."""
    if isinstance(value, str):
        if old not in value:
            return value
        return verbatim(value.replace(old, new)) if isinstance(value, Text) else value.replace(old, new)
    if isinstance(value, dict):
        return {key: _replaced(held, old, new) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_replaced(held, old, new) for held in value)
    return value
