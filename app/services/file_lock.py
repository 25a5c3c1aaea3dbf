"""One process at a time: a lock that the system lets go of when its holder has ended, however it did."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from app.services.whole_write import PRIVATE_FILE, private_folder

_POLL_S = 0.05


@contextlib.contextmanager
def file_lock(path: Path, on_wait: Callable[[], None] | None = None, timeout_s: float = 5.0) -> Iterator[None]:
    """Hold the lock of a path; other threads and processes that ask for it wait.

    Args:
        path: What is locked.  The lock is a file beside it, empty and never removed: whoever removed it would lock
            another file than whoever waits for it.
        on_wait: Called again and again while somebody else has it, as long as that lasts; it may raise to give up.
        timeout_s: How long to wait without ``on_wait``: what is written under a lock takes milliseconds, and whoever
            holds it longer has been stopped.

    Raises:
        OSError: The folder cannot be made or written, or somebody else kept the lock (`TimeoutError`).
    """
    place = path.with_name(f".{path.name}.lock")
    private_folder(place.parent)
    with open(os.open(place, os.O_RDWR | os.O_CREAT, PRIVATE_FILE), "r+b") as file:
        give_up_at_s = time.monotonic() + timeout_s
        while not _taken(file):
            if on_wait is not None:
                on_wait()
            elif time.monotonic() > give_up_at_s:
                raise TimeoutError(errno.ETIMEDOUT, "another process keeps it locked", str(path))
            time.sleep(_POLL_S)
        yield


def _taken(file: IO[bytes]) -> bool:
    """Lock an open file; False if somebody else has.  A network folder without locks gives everybody theirs."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True
