"""What a program does outside itself until it trains: files that it writes or deletes, and hosts that it asks.

Python tells of its own calls (PEP 578).  What a library does in C, such as TensorFlow's or HDF5's, is seen in the
folder itself, which is looked at before and after.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

from app.core.types.text import Text, phrase
from app.worker.models.own.read_files import WRITES
from app.worker.script.named import named

MOST_LOOKED_AT = 5000
"""Files of the folder whose times are compared."""
_MAKES = {"os.mkdir": 0, "os.link": 1, "os.symlink": 1, "os.truncate": 0, "shutil.copyfile": 1}
"""Events that make or change a file, and which argument names it."""
_MARKS = frozenset({"os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"})
"""Events that change what is noted of a file."""
_REMOVES = frozenset({"os.remove", "os.rmdir", "shutil.rmtree"})
_NOT_TOLD = ("__pycache__", "keras.json", os.devnull)
"""Parts of paths that nobody asks about: Python's and Keras's own."""
_Stamps = dict[str, tuple[int, int]]


class FileEvents:
    """Notes what the program does; from its making on until the process ends, for nobody can take a hook away.

    Args:
        folder: Whose files are looked at besides.
        inside: If the program may change files only below these folders; Python's own calls for others are refused.
    """

    def __init__(self, folder: str, inside: Iterable[str] | None = None) -> None:
        self._folder = os.path.realpath(folder)
        self._inside = None if inside is None else tuple(os.path.realpath(place) for place in inside)
        ours = os.path.realpath(tempfile.gettempdir())
        self._quiet = () if _below(self._folder, (ours,)) else (ours,)
        self._before = _stamps(self._folder, self._quiet)
        self._written: dict[str, None] = {}
        self._deleted: dict[str, None] = {}
        self._hosts: dict[str, None] = {}
        self._listening = True
        sys.addaudithook(self._heard)

    def told(self) -> list[Text]:
        """What was done until now, in words; nothing is noted any more."""
        self._listening = False
        after = _stamps(self._folder, self._quiet)
        written = [path for path in self._written if os.path.isfile(path)]
        written += [path for path, stamp in after.items() if self._before.get(path) != stamp]
        deleted = [path for path in (*self._deleted, *self._before) if not os.path.lexists(path)]
        wrote, gone = _named(written, self._folder), _named(deleted, self._folder)
        told = [phrase("before it trained it wrote {files}", files=wrote)] if wrote else []
        told += [phrase("before it trained it deleted {files}", files=gone)] if gone else []
        return told + ([phrase("it asked the network: {hosts}", hosts=", ".join(self._hosts))] if self._hosts else [])

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """One event of this process; runs within whatever the program does."""
        if not self._listening and self._inside is None:
            return
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES:
            self._changes(arguments[0])
        elif event in _MAKES:
            self._changes(arguments[_MAKES[event]], made=event != "os.mkdir")
        elif event in _MARKS:
            self._marks(arguments[0])
        elif event in _REMOVES:
            self._removes(arguments[0])
        elif event == "os.rename":
            self._removes(arguments[0])
            self._changes(arguments[1])
        elif event == "socket.getaddrinfo" and arguments[0]:
            self._hosts[_text(arguments[0])] = None

    def _changes(self, path: Any, *, made: bool = True) -> None:
        """A file is made or written."""
        place = self._place(path)
        if place and made:
            self._written[place] = None

    def _marks(self, path: Any) -> None:
        """A file's mode, owner or times change; one that was opened to be read may be meant by its number."""
        if isinstance(path, int) and sys.platform == "linux":
            path = os.readlink(f"/proc/self/fd/{path}")
        self._changes(path)

    def _removes(self, path: Any) -> None:
        """A file or folder goes."""
        place = self._place(path)
        if place and os.path.lexists(place) and place not in self._written:
            self._deleted[place] = None

    def _place(self, path: Any) -> str:
        """The full path that an event names; empty for what is nobody's concern.

        Raises:
            PermissionError: The program may not change this file.
        """
        if not isinstance(path, str | bytes | os.PathLike):
            return ""  # a number: a file that is open already
        place = os.path.abspath(_text(os.fspath(path)))
        real = os.path.realpath(place)
        if self._inside is not None and not real.startswith("/dev/") and not _below(real, self._inside):
            raise PermissionError(13, "outside of the sandbox", place)
        ours = _below(real, self._quiet)
        return "" if ours or real.startswith("/dev/") or any(part in place for part in _NOT_TOLD) else place


def _below(path: str, folders: Iterable[str]) -> bool:
    """Does a path lie in one of these folders, or is it one of them?"""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def _stamps(folder: str, quiet: Iterable[str]) -> _Stamps:
    """Time and size of the files of a folder and below, not of an environment, as far as they are not too many."""
    found: _Stamps = {}
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith(".") and name not in ("__pycache__", "node_modules")]
        if place in quiet or "pyvenv.cfg" in names:
            below.clear()
            continue
        for name in (name for name in names if not name.startswith(".")):
            path = os.path.join(place, name)
            try:
                stat = os.lstat(path)
            except OSError:
                continue
            found[path] = stat.st_mtime_ns, stat.st_size
        if len(found) > MOST_LOOKED_AT:
            return {}
    return found


def _named(paths: Iterable[str], folder: str) -> Text:
    """Some files in words; empty without any."""
    names = sorted({os.path.relpath(path, folder) if _below(path, (folder,)) else path for path in paths})
    return named(names)


def _text(path: str | bytes) -> str:
    """A path as text."""
    return os.fsdecode(path)
