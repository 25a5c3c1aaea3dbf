"""Every file that this program writes: whole or not at all, and what is said where that cannot be."""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from app.core.types.errors import StoreError
from app.core.types.text import phrase

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""What is ours says what a user trains and on which machine: nobody else reads it."""
_OTHERS = 0o077
_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}


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


def write_export(path: Path, content: bytes, *, named_by_us: bool = False) -> None:
    """Write what the user asked for to where they said.

    Args:
        path: The file.
        content: What it gets.
        named_by_us: As of `whole_file`.

    Raises:
        StoreError: It cannot be written; what was there before is there still.
    """
    try:
        with whole_file(path, own=False, named_by_us=named_by_us) as file:
            file.write(content)
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError, *, own: bool = False) -> StoreError:
    """What a user is told of a file that cannot be written, and what to do about it.

    Args:
        path: The file or folder.
        error: What the system said.
        own: It is one of the program's, whose place a variable decides.
    """
    room = is_full(error)
    place = phrase("set WILLITTRAIN_DATA_DIR to a folder that you may write") if own else phrase("choose another place")
    return StoreError(
        phrase("cannot write {path}", path=path),
        expected=phrase("room on the disk") if room else phrase("a place that may be written"),
        received=error.strerror or str(error),
        hint=phrase("free some space, or {place}", place=place) if room else place,
    )


def is_full(error: OSError) -> bool:
    """Does the system say that there is no room, on the disk or within the user's share of it?"""
    return error.errno in _NO_ROOM


def write_whole(path: Path, content: bytes, *, own: bool = True) -> None:
    """Write a file at once; see `whole_file`.

    Raises:
        OSError: As there.
    """
    with whole_file(path, own=own) as file:
        file.write(content)


@contextlib.contextmanager
def whole_file(path: Path, *, own: bool = True, named_by_us: bool = False) -> Iterator[IO[bytes]]:
    """Write a file so that a reader, or whoever starts after a power loss, sees the old content or the new.

    Args:
        path: The file; a link is followed.  What is no file, such as a terminal or a pipe, is written as it comes.
        own: It is one of the program's: nobody else may read it, and its folder is made.  Else it is the user's, and
            others may do with it what they could before, or what the user lets them with new files (umask).
        named_by_us: The user named the folder alone.  A link of that name in it is replaced and not followed: whoever
            fills the folder may have put it there.

    Yields:
        An open file, which gets its name at the end.

    Raises:
        OSError: The folder is missing or cannot be written, or the disk is full; nothing is left behind.
    """
    target = Path(os.path.realpath(path.parent)) / path.name if named_by_us else Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not named_by_us:
        with target.open("wb") as stream:
            yield stream
        return
    if own:
        private_folder(target.parent)
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE if own else 0o666), "wb") as file:
            if not own and target.is_file() and not target.is_symlink():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def private_folder(folder: Path) -> Path:
    """Make a folder of ours, and those above it, so that nobody else may look into it.

    Raises:
        OSError: It cannot be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return folder


def close_to_others(folder: Path) -> None:
    """Take from others what an older version of this program, or the user's umask, let them read in a folder of ours.

    Once, as a rule: a folder that is closed hides what is in it.  Environments of Python hold nothing of the user.
    """
    with contextlib.suppress(OSError):
        if os.name == "nt" or not folder.stat().st_mode & _OTHERS:
            return
        for place, folders, files in os.walk(folder):
            if "pyvenv.cfg" in files:
                folders.clear()
                files = []
            for path in (Path(place), *(Path(place, name) for name in files)):
                if not path.is_symlink():
                    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


def private_file(path: Path) -> None:
    """Make an empty file of ours for a library that would let others read it.

    Raises:
        OSError: It cannot be made.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
