"""Small answers that took a child to find, kept in one JSON file by key."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class JsonStore(Generic[T]):
    """Values of one type by key in a JSON file.

    Args:
        path: The file; made when the first value is stored.
        kind: Type of the values, anything that msgspec can decode.
    """

    def __init__(self, path: Path, kind: type[T]) -> None:
        self.path = path
        self._kind = kind

    def load(self, key: str) -> T | None:
        """The value stored under ``key``; None if there is none or the file is damaged."""
        return self._all().get(key)

    def save(self, key: str, value: T) -> None:
        """Store a value; a disk that cannot be written costs the same question next time, no more."""
        known = self._all() | {key: value}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path.parent, delete=False) as file:
                file.write(msgspec.json.encode(known))
            os.replace(file.name, self.path)
        except OSError:
            return

    def _all(self) -> dict[str, T]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, self._kind])  # type: ignore[name-defined]
        except (OSError, msgspec.DecodeError):
            return {}
