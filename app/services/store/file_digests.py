"""SHA-256 of files, streamed, and remembered as long as nobody touches them."""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
import zlib
from pathlib import Path

RACY_S = 2.0
"""A file may be written again within one tick of its clock, and keep its time: what was changed so lately is read
again.  FAT counts in two seconds (Microsoft, File Times), every other file system finer."""

MAX_CONFIG_BYTES = 64 * 1024**2
"""As `app.worker.models.own.saved_file` reads it at most."""

MAX_DIRECTORY_BYTES = 4 * 1024**2
"""The list of what a zip holds is read whole; that of a network takes some hundred bytes."""

_LONGEST_END, _END = 22 + 2**16, b"PK\x05\x06"
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NO_ZIP = (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, zlib.error, EOFError, ValueError)
_Stamp = tuple[int, int, int, int]


class FileDigests:
    """Digests of what decides about a model in a file."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Stamp, str]] = {}

    def of(self, path: str) -> str:
        """The digest of a file as it is now, in hexadecimal.

        Of a ``.keras`` file it is that of its configuration: weights decide about neither memory nor time, and the
        child reads none (`app.worker.models.own.saved_file`).

        Raises:
            OSError: It cannot be read.
        """
        stamp, changed_s = _stamp(path)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        digest = _digest(path)
        if _stamp(path)[0] == stamp and abs(time.time() - changed_s) > RACY_S:
            self._known[path] = (stamp, digest)
        else:
            self._known.pop(path, None)
        return digest


def _stamp(path: str) -> tuple[_Stamp, float]:
    """Size, times in nanoseconds and inode, which change with a file; and when it was written, in seconds."""
    found = os.stat(path)
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino), found.st_mtime


def _digest(path: str) -> str:
    """Of the configuration in a ``.keras`` file that has one, else of the whole file, read in blocks."""
    if path.lower().endswith(".keras"):
        try:
            configuration = _digest_of_configuration(path)
        except _NO_ZIP:  # the child says what is wrong with it
            configuration = None
        if configuration is not None:
            return configuration
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest_of_configuration(path: str) -> str | None:
    """Of the member that describes the network; None if it is larger than the child would read, or packed otherwise.

    Keras packs or stores; other ways raise errors of their own, and may ask for as much memory as they like.
    """
    if _directory_bytes(path) > MAX_DIRECTORY_BYTES:
        return None
    with zipfile.ZipFile(path) as archive:
        member = archive.getinfo("config.json")
        if member.file_size > MAX_CONFIG_BYTES or member.compress_type not in PACKINGS:
            return None
        with archive.open(member) as file:
            return hashlib.sha256(file.read(MAX_CONFIG_BYTES)).hexdigest()


def _directory_bytes(path: str) -> int:
    """How long a zip says that its list is (APPNOTE.TXT 4.3.16, *end of central directory record*)."""
    with Path(path).open("rb") as file:
        file.seek(max(0, os.path.getsize(path) - _LONGEST_END))
        end = file.read(_LONGEST_END)
    at = len(end) - 22 if end[-22:-18] == _END else end.rfind(_END)  # where `zipfile` looks, in its order
    return int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0
