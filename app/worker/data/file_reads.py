"""Read the user's files without decoding them: how fast the disk gives them, and how fast memory does.

A file that was read lately comes from the page cache, many times faster than from the disk.  Linux drops the pages
of a file that nobody has changed when asked to (``posix_fadvise``, POSIX_FADV_DONTNEED), without privileges, and
counts what a process has really fetched from the disk (``read_bytes`` in ``/proc/self/io``, man proc_pid_io), so
that a figure from memory is never taken for the disk's.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

READERS = 8
"""Files read at once; a pipeline of ``tf.data`` reads about one for each core."""
PIECE_BYTES = 1 << 20
"""Files larger than this are read in pieces drawn by chance."""
MOST_PIECES = 1000
"""So many pieces are drawn at most: dropping all pages of a large folder would slow down whoever uses them."""
COLD_SHARE = 0.8
"""A rate is the disk's if at least this share of the bytes came from there."""


@dataclass(frozen=True)
class FileReads:
    """Rates of reading without decoding, bytes per second; None where no byte came from there."""

    disk_bytes_per_s: float | None
    memory_bytes_per_s: float | None

    def read_s(self, size_bytes: float, share_from_disk: float | None) -> float:
        """Seconds to read so much, of which a share comes from the disk (None: unknown, counted as none)."""
        share = share_from_disk or 0.0
        memory_s = size_bytes / self.memory_bytes_per_s if self.memory_bytes_per_s else 0.0
        disk_s = size_bytes / self.disk_bytes_per_s if self.disk_bytes_per_s else memory_s
        return share * disk_s + (1 - share) * memory_s


def bytes_from_disk() -> int | None:
    """What this process has fetched from disks since it began; None where the system does not count it."""
    try:
        with open("/proc/self/io", encoding="ascii") as file:
            found = dict(line.split(":") for line in file)
        return int(found["read_bytes"])
    except (OSError, ValueError, KeyError):
        return None


def read_files(paths: Sequence[str], seconds: float, check: Callable[[], None]) -> FileReads:
    """Read some of the files from the disk, and then the same again from memory.

    Args:
        paths: The user's files.
        seconds: Time to use at most.
        check: Called often; may raise to stop.
    """
    pieces = _pieces(paths, random.Random(1))
    before = bytes_from_disk()
    cold, cold_s = _read(pieces, seconds / 2, check, forget=True)
    after = bytes_from_disk()
    fetched = after - before if before is not None and after is not None else 0
    warm, warm_s = _read(pieces[: len(cold)], seconds / 2, check, forget=False)
    size, again = sum(cold), sum(warm)
    return FileReads(
        disk_bytes_per_s=size / cold_s if size and fetched >= COLD_SHARE * size else None,
        memory_bytes_per_s=again / warm_s if again else None,
    )


def _read(
    pieces: Sequence[tuple[str, int]], seconds: float, check: Callable[[], None], *, forget: bool
) -> tuple[list[int], float]:
    """Read pieces in turn until the time is up; the size of each, and the time that reading took."""
    sizes: list[int] = []
    spent_s, until = 0.0, time.perf_counter() + seconds
    with ThreadPoolExecutor(READERS) as pool:
        for first in range(0, len(pieces), READERS):
            some = pieces[first : first + READERS]
            if forget:
                for piece in some:
                    _forget(*piece)
            started = time.perf_counter()
            sizes += pool.map(_read_piece, some)
            spent_s += time.perf_counter() - started
            check()
            if time.perf_counter() > until:
                break
    return sizes, spent_s


def _read_piece(piece: tuple[str, int]) -> int:
    """Bytes read; 0 for a file that is gone."""
    try:
        with open(piece[0], "rb", buffering=0) as file:
            file.seek(piece[1])
            return len(file.read(PIECE_BYTES))
    except OSError:
        return 0


def _pieces(paths: Sequence[str], chance: random.Random) -> list[tuple[str, int]]:
    """File and offset of every piece, in an order drawn by chance."""
    few = paths if len(paths) <= MOST_PIECES else chance.sample(paths, MOST_PIECES)
    found = [(path, offset) for path in few for offset in _offsets(path)]
    chance.shuffle(found)
    return found[:MOST_PIECES]


def _offsets(path: str) -> Iterator[int]:
    """Where the pieces of a file begin."""
    try:
        yield from range(0, max(1, os.path.getsize(path)), PIECE_BYTES)
    except OSError:
        return


def _forget(path: str, offset: int) -> None:
    """Ask the system to drop a piece of a file from its page cache."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), offset, PIECE_BYTES, os.POSIX_FADV_DONTNEED)
