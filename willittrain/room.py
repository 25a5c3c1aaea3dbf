"""How much memory this process may still take: of its container, its own limits, and the machine; psutil alone.

A limit can stand at any level between the process's own group and the root, and the tightest counts (the kernel's
cgroup-v2.rst and cgroup-v1/memory.rst); file cache that can be dropped is no use of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

_NO_LIMIT_BYTES = 1 << 60
"""v1 writes "no limit" as the largest number of pages, just under 2**63 bytes."""
_V2 = ("memory.max", "memory.current", "inactive_file")
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


@dataclass(frozen=True)
class Room:
    """One reading; ``limit`` names what leaves the least."""

    used_bytes: int
    room_bytes: int
    limit: str


class HostRoom:
    """What this process holds, and what it may still take; a reading takes a fraction of a millisecond.

    Args:
        limit_bytes: The most that it shall hold, besides what container, system and its own limits allow.
        root: Where the system's files begin; another one in tests.
    """

    def __init__(self, limit_bytes: int | None = None, root: Path = Path("/")) -> None:
        self._limit_bytes = limit_bytes
        self._process = psutil.Process()
        groups = [(folder, _V2) for folder in _groups(root, "")]
        groups += [(folder, _V1) for folder in _groups(root, "memory")]
        self._groups = [(folder, names) for folder, names in groups if _left_in_group(folder, *names) is not None]

    def read(self) -> Room:
        """How it is now."""
        held = self._process.memory_info()
        left = {"machine": psutil.virtual_memory().available}
        in_groups = [_left_in_group(folder, *names) for folder, names in self._groups]
        if known := [size_bytes for size_bytes in in_groups if size_bytes is not None]:
            left["container"] = min(known)
        if (space_bytes := _address_space_bytes()) is not None:
            left["address space"] = space_bytes - held.vms
        if self._limit_bytes is not None:
            left["given"] = self._limit_bytes - held.rss
        tightest = min(left, key=left.__getitem__)
        return Room(held.rss, left[tightest], tightest)


def _address_space_bytes() -> int | None:
    """What ``ulimit -v`` allows; None without such a limit, or where there is none."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft in (resource.RLIM_INFINITY, -1) else soft


def _left_in_group(folder: Path, limit: str, usage: str, reclaimable: str) -> int | None:
    """What one group leaves."""
    limit_bytes, used_bytes = _number(folder / limit), _number(folder / usage)
    if limit_bytes is None or used_bytes is None or limit_bytes >= _NO_LIMIT_BYTES:
        return None
    for line in _lines(folder / "memory.stat"):
        name, _, value = line.partition(" ")
        if name == reclaimable and value.isdecimal():
            used_bytes -= int(value)
    return limit_bytes - max(0, used_bytes)


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process's group and of all groups above it; ``""`` is v2."""
    mounts = [words for line in _lines(root / "proc/mounts") if len(words := line.split()) > 3]
    kind = "cgroup" if controller else "cgroup2"
    mount = next((m[1] for m in mounts if m[2] == kind and (not controller or controller in m[3].split(","))), None)
    entries = [line.split(":", 2) for line in _lines(root / "proc/self/cgroup") if line.count(":") >= 2]
    path = next((e[2] for e in entries if (controller in e[1].split(",") if controller else e[:2] == ["0", ""])), None)
    if mount is None or path is None:
        return
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for depth in range(len(parts), -1, -1):
        # In a container the path may be the host's: the levels that are not there read as no limit.
        yield root.joinpath(mount.lstrip("/"), *parts[:depth])


def _lines(path: Path) -> list[str]:
    """A file of the system; nothing where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _number(path: Path) -> int | None:
    """A file that holds one number; "max" is none."""
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdecimal() else None
