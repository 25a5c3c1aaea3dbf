"""Large answers on disk, of children or long arithmetic: one compressed JSON file each, found again by a key."""

from __future__ import annotations

import contextlib
import gzip
import logging
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from app.catalog import typed_json
from app.core.types.errors import StoreError
from app.services.whole_write import cannot_write, write_whole

log = logging.getLogger("app.store")

T = TypeVar("T")
_DAMAGED = (
    OSError,
    EOFError,
    zlib.error,
    msgspec.DecodeError,
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    RecursionError,
)
"""What reading a file raises that is not what was once written."""


class CompressedStore(Generic[T]):
    """Answers under a folder.

    Args:
        folder: Where answers are kept; made when the first one is stored.
        read: Makes the value of JSON text.
    """

    def __init__(self, folder: Path, read: Callable[[bytes], T]) -> None:
        self.folder = folder
        self._read = read

    def load(self, key: str) -> T | None:
        """The value stored under ``key``; None if there is none or it is damaged (it is then removed)."""
        path = self._path(key)
        try:
            value = self._read(gzip.decompress(path.read_bytes()))
        except FileNotFoundError:
            return None
        except _DAMAGED:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # what was not used for longest goes first when room is short
        return value

    def save(self, key: str, answer: Any) -> None:
        """Store an answer, whose JSON can be read.

        Raises:
            StoreError: The disk is full or the folder cannot be written.
        """
        path = self._path(key)
        try:
            write_whole(path, gzip.compress(typed_json.encode(answer), 5))
        except OSError as error:
            raise cannot_write(path, error, own=True) from error

    def keep(self, key: str, answer: Any) -> None:
        """As `save`, but a disk that cannot be written costs the same question next time, no more."""
        try:
            self.save(key, answer)
        except StoreError as error:
            log.warning("%s", error)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json.gz"
