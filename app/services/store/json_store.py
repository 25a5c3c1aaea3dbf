"""Small answers that took a child to find, kept in one JSON file by key."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from app.services import typed_json
from app.services.whole_write import write_whole

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
            write_whole(self.path, typed_json.encode(known))
        except OSError:
            return

    def _all(self) -> dict[str, T]:
        try:
            return typed_json.decode(self.path.read_bytes(), dict[str, self._kind])  # type: ignore[name-defined]
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}
