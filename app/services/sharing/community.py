"""Reads a folder of runs that other people shared: so many files, so large, and whatever is wrong with one is counted.

Nothing in the folder is opened but regular files with the right ending, directly in it; nothing is run, fetched or
followed, and no file is kept open or waited for.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from app.catalog import typed_json
from app.core.types.errors import UsageError
from app.core.types.run import Run
from app.core.types.text import Text, join, phrase, plural
from app.core.types.units import KIB, format_count
from app.services.sharing.shared_reading import Impossible, NotShared, read_shared
from app.services.sharing.shared_run import ENDING

MOST_FILES = 2000
"""Files that are opened; the rest by name is left out."""
MOST_BYTES = 64 * KIB
"""Of a file; ours have less than four."""
_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""No link is followed and no pipe waited for."""


@dataclass(frozen=True)
class Community:
    """What a folder held.

    Attributes:
        runs: What can be compared, each once, with numbers below 0.
        files: Files of the right ending.
        unread: No regular file, too long, or one that cannot be opened.
        foreign: Not in the format of shared runs.
        impossible: With a number that cannot be.
        repeated: The same figures as in another file.
        unusable: Sound, but of no run that could be compared: an answer, a run that failed, a model of one's own.
        beyond: More than are opened.
    """

    runs: tuple[Run, ...] = ()
    files: int = 0
    unread: int = 0
    foreign: int = 0
    impossible: int = 0
    repeated: int = 0
    unusable: int = 0
    beyond: int = 0

    @property
    def left_out(self) -> int:
        """Files that say nothing."""
        return self.files - len(self.runs)

    @property
    def words(self) -> Text:
        """What was read, and what was left out and why."""
        found = plural("1 shared file", "{n} shared files", self.files, n=format_count(self.files))
        reasons = [
            phrase("{n} unreadable", n=format_count(self.unread)) * bool(self.unread),
            phrase("{n} in another format", n=format_count(self.foreign)) * bool(self.foreign),
            phrase("{n} with impossible numbers", n=format_count(self.impossible)) * bool(self.impossible),
            phrase("{n} repeated", n=format_count(self.repeated)) * bool(self.repeated),
            phrase("{n} without a measured run of the catalog", n=format_count(self.unusable)) * bool(self.unusable),
            phrase("{n} beyond the most that are read", n=format_count(self.beyond)) * bool(self.beyond),
        ]
        if not self.left_out:
            return phrase("{files} read", files=found)
        return plural(
            "1 of {files} was left out: {why}",
            "{n} of {files} were left out: {why}",
            self.left_out,
            n=format_count(self.left_out),
            files=found,
            why=join(", ", filter(None, reasons)),
        )


def read_community(folder: str) -> Community:
    """The runs in a folder.

    Raises:
        UsageError: There is no such folder, or it cannot be listed.
    """
    place = Path(folder).expanduser()
    try:
        names = sorted(entry.name for entry in os.scandir(place) if entry.name.endswith(ENDING))
    except OSError as error:
        raise UsageError(
            phrase("cannot read {path}", path=folder),
            expected=phrase("a folder of files that `willittrain share` wrote"),
            received=error.strerror or str(error),
        ) from error
    found: dict[bytes, Run] = {}
    count: Counter[str] = Counter()
    for name in names[:MOST_FILES]:
        content = _content(place / name)
        try:
            run = None if content is None else read_shared(content)
        except Impossible:
            count["impossible"] += 1
            continue
        except NotShared:
            count["foreign"] += 1
            continue
        if run is None:
            count["unread" if content is None else "unusable"] += 1
            continue
        figures = typed_json.encode((run.workload, run.machine, run.result))
        count["repeated"] += figures in found
        found.setdefault(figures, replace(run, run_id=-len(found) - 1))
    beyond = max(0, len(names) - MOST_FILES)
    return Community(tuple(found.values()), len(names), beyond=beyond, **count)


def _content(path: Path) -> bytes | None:
    """What a regular file holds; None for anything else, such as a link, a pipe, or a file that is too long."""
    try:
        handle = os.open(path, os.O_RDONLY | _CAREFULLY)
    except OSError:
        return None
    try:
        content = _whole(handle) if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(handle)
    return content if content is not None and len(content) <= MOST_BYTES else None


def _whole(handle: int) -> bytes:
    """What an open file holds, up to one byte more than it may."""
    found = b""
    while len(found) <= MOST_BYTES and (more := os.read(handle, MOST_BYTES + 1 - len(found))):
        found += more
    return found
