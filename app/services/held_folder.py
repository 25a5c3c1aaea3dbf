"""Temporary folders of ours: gone when their maker is, and those of a killed maker when the next one comes."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

YOUNG_S = 60.0
"""A folder is made a moment before it is held."""
OLD_S = 24 * 3600.0
"""Where a folder cannot be held, nobody uses one that is so old."""


@contextlib.contextmanager
def held_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder that nobody else may look into, removed at the end unless somebody has moved it away.

    Args:
        parent: Where it is made.
        prefix: What its name begins with.  Others of that name whose makers live no more are removed first.

    Raises:
        OSError: It cannot be made.
    """
    for left in abandoned(parent, prefix):
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        with _held(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def abandoned(parent: Path, prefix: str) -> list[Path]:
    """Folders of this user whose makers live no more; on Windows, where a folder cannot be held, old ones."""
    return [folder for folder in parent.glob(f"{prefix}*") if _is_abandoned(folder)]


def _is_abandoned(folder: Path) -> bool:
    """Has it stood for a while, and did the system let go of its lock?"""
    with contextlib.suppress(OSError):
        found = folder.lstat()
        age_s = time.time() - found.st_mtime
        if sys.platform == "win32":
            return age_s > OLD_S
        if found.st_uid == os.getuid() and age_s > YOUNG_S:
            with _held(folder) as alone:
                return alone
    return False


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Lock a folder for as long as this process lives; False if somebody else has or it cannot be locked."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(opened)
