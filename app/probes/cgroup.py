"""What the container or service manager allows: processor quota and memory limit, cgroup v1 and v2.

A limit can stand at any level between a process's own group and the root, and the tightest one counts.
Sources: Documentation/admin-guide/cgroup-v1/memory.rst, sched-bwc.rst and cgroup-v2.rst of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.probes.tree import read_int, read_text, whole

_NO_LIMIT_BYTES = 1 << 60
"""v1 writes "no limit" as the largest page-aligned number, just under 2**63."""


@dataclass(frozen=True)
class MemoryLimit:
    """The tightest memory limit and what is still free under it, in bytes."""

    limit_bytes: int
    free_bytes: int | None


def cpu_quota(root: Path) -> float | None:
    """Cores' worth of time that the groups of this process may use, or None without a quota."""
    quotas = []
    for folder in _groups(root, ""):
        words = (read_text(folder / "cpu.max") or "").split()
        quota, period = map(whole, words) if len(words) == 2 else (None, None)
        if quota is not None and period:
            quotas.append(quota / period)
    for folder in _groups(root, "cpu"):
        quota, period = read_int(folder / "cpu.cfs_quota_us"), read_int(folder / "cpu.cfs_period_us")
        if quota is not None and period is not None and quota > 0 and period > 0:
            quotas.append(quota / period)
    return min(quotas, default=None)


def memory_limit(root: Path) -> MemoryLimit | None:
    """The tightest memory limit over this process, or None without one."""
    found = []
    for folder in _groups(root, ""):
        found.append(_limit(folder, "memory.max", "memory.current", "inactive_file"))
    for folder in _groups(root, "memory"):
        found.append(_limit(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"))
    limits = [limit for limit in found if limit is not None]
    if not limits:
        return None
    free = [limit.free_bytes for limit in limits if limit.free_bytes is not None]
    return MemoryLimit(min(limit.limit_bytes for limit in limits), min(free, default=None))


def memory_events(root: Path) -> list[str]:
    """What this process's groups tell of memory that ran out, the innermost first; empty without groups."""
    v2 = [read_text(folder / "memory.events") for folder in _groups(root, "")]
    v1 = [read_text(folder / "memory.oom_control") for folder in _groups(root, "memory")]
    return [text for text in (*v2, *v1) if text is not None]


def in_container(root: Path) -> bool:
    """Whether this looks like the inside of a container (Docker, Podman, Kubernetes, LXC)."""
    if (root / ".dockerenv").exists() or (root / "run/.containerenv").exists():
        return True
    groups = read_text(root / "proc/1/cgroup") or read_text(root / "proc/self/cgroup") or ""
    return any(word in groups for word in ("docker", "kubepods", "libpod", "/lxc", "containerd"))


def _limit(folder: Path, limit_name: str, usage_name: str, reclaimable: str) -> MemoryLimit | None:
    """One group's limit; file cache that can be dropped does not count as used."""
    limit = read_int(folder / limit_name)
    if limit is None or limit >= _NO_LIMIT_BYTES:
        return None
    usage = read_int(folder / usage_name)
    if usage is None:
        return MemoryLimit(limit, None)
    for line in (read_text(folder / "memory.stat") or "").splitlines():
        name, _, value = line.partition(" ")
        if name == reclaimable:
            usage -= whole(value) or 0
    return MemoryLimit(limit, max(0, limit - max(0, usage)))


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process's group and of all groups above it; ``""`` is v2."""
    mount = _mount(root, controller)
    path = _path(root, controller)
    if mount is None or path is None:
        return
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for depth in range(len(parts), -1, -1):
        # In a container the path may be the host's: the levels that are not there read as no limit.
        yield root.joinpath(mount.lstrip("/"), *parts[:depth])


def _mount(root: Path, controller: str) -> str | None:
    """Where a controller is mounted."""
    for line in (read_text(root / "proc/mounts") or "").splitlines():
        words = line.split()
        if len(words) < 4:
            continue
        if not controller and words[2] == "cgroup2":
            return words[1]
        if controller and words[2] == "cgroup" and controller in words[3].split(","):
            return words[1]
    return None


def _path(root: Path, controller: str) -> str | None:
    """The group of this process under a controller."""
    for line in (read_text(root / "proc/self/cgroup") or "").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if (not controller and number == "0" and not controllers) or (
            controller and controller in controllers.split(",")
        ):
            return path
    return None
