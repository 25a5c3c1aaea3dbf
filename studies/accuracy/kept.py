"""Rows of a slow table on disk, so that an interrupted one goes on where it stopped.

One JSON object per line under `studies.accuracy.product.own_folder`; several processes may append to one file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import app
from studies.accuracy.product import own_folder

_ROOT = Path(app.__file__).parent
_PREDICTING = ("core/**/*.py", "worker/**/*.py", "services/predictor/refine.py")


class Kept:
    """Answers by key, in the file ``NAME.jsonl``; what was kept last under a key counts.

    Args:
        name: Of the table.
        folder: Where; a folder of these commands' own if None.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._path = (folder or own_folder() / "rows") / f"{name}.jsonl"

    def get(self, key: Sequence[Hashable]) -> Any | None:
        """What was kept under a key, None if nothing was."""
        return self._all().get(_text(key))

    def put(self, key: Sequence[Hashable], answer: Any) -> None:
        """Keep an answer; it must be JSON."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": _text(key), "answer": answer}) + "\n")

    def _all(self) -> dict[str, Any]:
        """Every answer."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        return {record["key"]: record["answer"] for record in map(json.loads, lines)}


def program_digest() -> str:
    """Changes whenever code changes that predicts, records or replays."""
    digest = hashlib.sha256()
    for pattern in _PREDICTING:
        for path in sorted(_ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _text(key: Sequence[Hashable]) -> str:
    """A key as one string."""
    return "|".join(map(str, key))
