"""Host memory: total, available, swap, the container's limit, type and speed.

"Available" is what programs can still get without swapping; under a container's limit it is what is
left below the limit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import psutil

from app.core.types.machine import Ram
from app.core.types.text import phrase
from app.probes import cgroup, smbios
from app.probes.tree import ROOT, Probed, explained, read_text, whole

_MODULES_LINUX = phrase("only root may read the firmware's memory table, and udev has no copy of it")
_NO_TABLE = phrase("the firmware has no memory table, as in most virtual machines")
_MODULES_MAC = phrase("macOS tells it only to system_profiler, which takes too long")


def read_ram(root: Path = ROOT) -> Probed[Ram]:
    """Read the memory of this machine, or of the recorded Linux machine under ``root``."""
    if root == ROOT and sys.platform != "linux":
        return _read_elsewhere()
    lines = meminfo(root)
    limit = cgroup.memory_limit(root)
    total, available = lines.get("MemTotal"), lines.get("MemAvailable")
    limit_bytes = None
    if limit is not None and (total is None or limit.limit_bytes < total):
        limit_bytes = limit.limit_bytes
        if limit.free_bytes is not None:
            available = limit.free_bytes if available is None else min(available, limit.free_bytes)
    swap, swap_free = lines.get("SwapTotal"), lines.get("SwapFree")
    modules = smbios.read_modules(root)
    ram = Ram(
        total_bytes=total,
        available_bytes=available,
        limit_bytes=limit_bytes,
        kind=modules.kind,
        speed_mts=modules.speed_mts,
        swap_total_bytes=swap,
        swap_used_bytes=None if swap is None or swap_free is None else swap - swap_free,
    )
    why = _MODULES_LINUX if (root / "sys/firmware/dmi/tables").exists() else _NO_TABLE
    reasons = {"limit_bytes": phrase("no limit is set"), "kind": why, "speed_mts": why}
    return explained(ram, reasons, phrase("/proc/meminfo does not tell"))


def meminfo(root: Path) -> dict[str, int]:
    """``/proc/meminfo`` in bytes."""
    found = {}
    for line in (read_text(root / "proc/meminfo") or "").splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and (number := whole(words[0])) is not None:
            found[name] = number * (1024 if words[1:] == ["kB"] else 1)
    return found


def _read_elsewhere() -> Probed[Ram]:
    """Windows and macOS through psutil; Windows gives the firmware's table to everyone."""
    memory = psutil.virtual_memory()
    swap_total: int | None = None
    swap_used: int | None = None
    try:
        swap = psutil.swap_memory()
        swap_total, swap_used = swap.total, swap.used
    except (psutil.Error, OSError, RuntimeError):
        pass  # performance counters are switched off on this Windows
    modules = smbios.from_table(smbios.windows_table())
    ram = Ram(
        total_bytes=memory.total,
        available_bytes=memory.available,
        kind=modules.kind,
        speed_mts=modules.speed_mts,
        swap_total_bytes=swap_total,
        swap_used_bytes=swap_used,
    )
    modules_reason = _MODULES_MAC if sys.platform == "darwin" else phrase("the firmware does not tell")
    reasons = {"limit_bytes": phrase("no limit is set"), "kind": modules_reason, "speed_mts": modules_reason}
    return explained(ram, reasons, phrase("the system does not tell"))
