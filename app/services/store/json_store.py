"""Small answers that took a child to find, kept in one JSON file by key and read again only when it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from app.catalog import typed_json
from app.services.file_lock import file_lock
from app.services.whole_write import write_whole

T = TypeVar("T")
_Stamp = tuple[int, int, int]


class JsonStore(Generic[T]):
    """Values of one type by key in a JSON file.

    Args:
        path: The file; made when the first value is stored.
        kind: Type of the values, anything that msgspec can decode.
    """

    def __init__(self, path: Path, kind: type[T]) -> None:
        self.path = path
        self._kind = kind
        self._known: tuple[_Stamp | None, dict[str, T]] = (None, {})
        self._lock = threading.RLock()

    def load(self, key: str) -> T | None:
        """The value stored under ``key``; None if there is none or the file is damaged."""
        return self.all().get(key)

    def save(self, key: str, value: T) -> None:
        """Store a value; of a disk that cannot be written it is known as long as this object lives."""
        self._change(lambda known: known | {key: value})

    def drop(self, keys: Iterable[str]) -> None:
        """Forget some values; likewise."""
        gone = set(keys)
        self._change(lambda known: {key: value for key, value in known.items() if key not in gone})

    def _change(self, change: Callable[[dict[str, T]], dict[str, T]]) -> None:
        """Read, change and write, so that what another window keeps meanwhile stays."""
        with self._lock:
            try:
                with file_lock(self.path):
                    known = change(self.all())
                    write_whole(self.path, typed_json.encode(known))
            except OSError:
                known = change(self.all())
            self._known = (self._stamp(), known)

    def all(self) -> dict[str, T]:
        """Every value by its key."""
        with self._lock:
            stamp = self._stamp()
            if stamp != self._known[0]:
                self._known = (stamp, self._read())
            return self._known[1]

    def _stamp(self) -> _Stamp | None:
        """Inode, size and time, one of which changes whenever the file is written whole; None without one."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _read(self) -> dict[str, T]:
        try:
            return typed_json.decode(self.path.read_bytes(), dict[str, self._kind])  # type: ignore[name-defined]
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}
