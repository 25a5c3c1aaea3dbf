"""Write a file whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_table(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a CSV table of the program's own; what a row does not have is empty.

    Raises:
        OSError: As `write_whole`.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())


def write_whole(path: Path, content: bytes, *, own: bool = True) -> None:
    """Write a file so that a reader, or whoever starts after a power loss, sees the old content or the new.

    Args:
        path: The file; a link is followed.
        content: All of it.
        own: It is one of the program's: nobody else may read it, if it is new, and its folder is made.

    Raises:
        OSError: The folder is missing or cannot be written, or the disk is full; nothing is left behind.
    """
    target = Path(os.path.realpath(path))
    if own:
        target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    mode = 0o600 if own else 0o666
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise
