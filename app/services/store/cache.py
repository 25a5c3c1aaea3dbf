"""What this program keeps only to answer faster, how much room it takes, and its removal.

Everything here can be made again: traced graphs and refined answers by a child in seconds, simulated steps (which lie
beside the graphs) by arithmetic, rates by measuring, raw traces by another profiled step.  Runs, settings and a made
runtime are no cache.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.core.types.errors import StoreError
from app.core.types.text import phrase
from app.services.held_folder import abandoned
from app.services.settings import FOLDER_VARIABLE, Settings

TRIMMED = ("graphs", "refined")
"""Folders below the cache that grow with use and share the limit."""
SAMPLES = "samples-"
"""A benchmark's folder of decoded samples begins with that."""


@dataclass(frozen=True)
class CachePart:
    """One kind of thing that is kept."""

    name: str
    title: str
    bytes: int
    files: int
    cleared: bool = True
    """Goes when the cache is cleared; else only when it is named."""


_PARTS: tuple[tuple[str, str, Callable[[Settings], tuple[Path, str]]], ...] = (
    ("graphs", phrase("traced models"), lambda settings: (settings.cache_dir / "graphs", "*")),
    ("refined", phrase("refined answers"), lambda settings: (settings.cache_dir / "refined", "*")),
    ("rates", phrase("what was measured of this machine"), lambda settings: (settings.cache_dir, "*.json")),
    ("samples", phrase("decoded samples of ended benchmarks"), lambda settings: (settings.cache_dir, f"{SAMPLES}*")),
    ("traces", phrase("raw profiles of runs"), lambda settings: (settings.data_dir / "traces", "run-*")),
)
"""Name, title, and the folder with a pattern of what is directly in it."""
_KEPT = frozenset({"traces"})
"""Belongs to stored runs: `willittrain runs` can export it, and a clearing must name it."""


def cache_parts(settings: Settings) -> tuple[CachePart, ...]:
    """What is kept, with its size on disk."""
    found = []
    for name, title, place in _PARTS:
        sizes = [size for path in _entries(*place(settings)) for size in sizes_below(path)]
        found.append(CachePart(name, title, sum(sizes), len(sizes), name not in _KEPT))
    return tuple(found)


def clear_cache(settings: Settings, names: frozenset[str] | None = None) -> int:
    """Remove what can be made again.

    Args:
        settings: Where it lies.
        names: Parts to remove; by default all that are not of stored runs.

    Returns:
        The bytes that were freed.

    Raises:
        StoreError: Something cannot be removed.
    """
    freed = 0
    unused = abandoned(settings.cache_dir, SAMPLES)
    for name, _, place in _PARTS:
        if name not in names if names is not None else name in _KEPT:
            continue
        for path in _entries(*place(settings)):
            if name == "samples" and path not in unused:
                continue
            size = sum(sizes_below(path))
            _remove(path)
            freed += size
    return freed


def trim_cache(settings: Settings) -> int:
    """Remove what was not used for longest until the cache is within its limit.

    Returns:
        The bytes that were freed.
    """
    files = []
    for name in TRIMMED:
        for path in _entries(settings.cache_dir / name, "*"):
            with contextlib.suppress(OSError):
                found = path.stat()
                files.append((found.st_mtime_ns, found.st_size, path))
    excess = sum(size for _, size, _ in files) - settings.cache_limit_bytes
    freed = 0
    for _, size, path in sorted(files)[:-1]:  # the newest was just made, and is about to be used
        if freed >= excess:
            break
        with contextlib.suppress(OSError):
            path.unlink()
            freed += size
    return freed


def _entries(folder: Path, pattern: str) -> list[Path]:
    """What lies directly in a folder; nothing if there is no such folder."""
    return sorted(folder.glob(pattern)) if folder.is_dir() else []


def sizes_below(path: Path) -> Iterator[int]:
    """Sizes of a file or of the files in a folder; what vanishes meanwhile counts nothing."""
    for file in [path] if not path.is_dir() else path.rglob("*"):
        with contextlib.suppress(OSError):
            if file.is_file() and not file.is_symlink():
                yield file.stat().st_size


def _remove(path: Path) -> None:
    """Remove a file or a folder.

    Raises:
        StoreError: It cannot be removed.
    """
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except FileNotFoundError:  # somebody else removes it as well
        return
    except OSError as error:
        raise StoreError(
            phrase("cannot remove {path}", path=path),
            received=error.strerror or str(error),
            hint=phrase(
                "close other windows of this program, or set {folder_variable} to a folder of your own",
                folder_variable=FOLDER_VARIABLE,
            ),
        ) from error
