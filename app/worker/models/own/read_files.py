"""Which other files the user's own code reads while it makes a model: an edit of a settings file is another model.

Python tells of the files that it opens (PEP 578); what a library opens in C, such as HDF5's, is not seen.
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import app

MOST_FILES = 200
"""More are data, file by file."""
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""Flags of whoever opens a file to change it."""
_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/")
_NOT_TOLD = ("__pycache__", "site-packages", "dist-packages")
_OF_KERAS = "keras.json"
_Stamp = tuple[int, int]


class ReadFiles:
    """Notes what is opened to be read; from its making on until the process ends, for nobody can take a hook away.

    Args:
        path: The user's file, which is not told.
        besides: Folders whose files decide about nothing, such as a scratch home.
    """

    def __init__(self, path: Path, besides: Iterable[str] = ()) -> None:
        self._own = os.path.realpath(path)
        self._folder = os.path.realpath(path.parent)
        places = {*sysconfig.get_paths().values(), sys.prefix, os.path.dirname(app.__file__), tempfile.gettempdir()}
        named = {
            f"{name(place)}{os.sep}" for place in {*places, *besides} for name in (os.path.abspath, os.path.realpath)
        }
        self._skipped = tuple(place for place in named if not f"{self._folder}{os.sep}".startswith(place))
        self._skipped += _OF_THE_SYSTEM
        self._read: dict[str, _Stamp] = {}
        self._written: set[str] = set()
        sys.addaudithook(self._heard)

    def told(self) -> dict[str, _Stamp]:
        """Size and time in nanoseconds, as they were then, by the file's path: below the folder relative to it."""
        found = {path: stamp for path, stamp in self._read.items() if path not in self._written}
        return {self._name(path): found[path] for path in list(found)[:MOST_FILES]}

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """One event of this process; runs within whatever the program does."""
        if event != "open" or not isinstance(arguments[0], str | bytes) or not isinstance(arguments[2], int):
            return
        with contextlib.suppress(OSError, ValueError):  # whoever opens it hears of that
            path = os.path.abspath(os.fsdecode(arguments[0]))
            if arguments[2] & WRITES:
                self._written.add(path)
            elif path not in self._read and self._counts(path):
                stamp = os.stat(path)
                self._read[path] = stamp.st_size, stamp.st_mtime_ns

    def _counts(self, path: str) -> bool:
        """Is it a file that may decide what the model is, and that nobody else looks after?"""
        if path.startswith(self._skipped) or any(part in path for part in _NOT_TOLD) or path.endswith(_OF_KERAS):
            return False
        return path != self._own and os.path.isfile(path)

    def _name(self, path: str) -> str:
        """Relative to the folder below it, with ``/`` between its parts; what lies elsewhere by where it really is."""
        if path.startswith(f"{self._folder}{os.sep}"):
            return os.path.relpath(path, self._folder).replace(os.sep, "/")
        return os.path.realpath(path)
