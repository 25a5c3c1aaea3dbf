"""Running totals of the whole machine, cheap enough to read every second."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.probes import memory
from app.probes.tree import ROOT, list_dir, read_text, ticks_per_s

_SECTOR_BYTES = 512
"""``/proc/diskstats`` counts sectors of 512 bytes whatever the device (Documentation/admin-guide/iostats.rst)."""


@dataclass(frozen=True)
class HostTotals:
    """Counters since the start of the machine, and memory now.

    ``busy_s`` and ``all_s`` are processor seconds over all cores; their differences give the load.
    """

    busy_s: float | None = None
    all_s: float | None = None
    read_bytes: int | None = None
    ram_total_bytes: int | None = None
    ram_available_bytes: int | None = None
    write_bytes: int | None = None
    swap_used_bytes: int | None = None


def read_totals(root: Path = ROOT) -> HostTotals:
    """Read the counters of this machine, or of the recorded Linux machine under ``root``."""
    if root == ROOT and sys.platform != "linux":
        return _read_with_psutil()
    busy, everything = _cpu(read_text(root / "proc/stat") or "")
    lines = memory.meminfo(root)
    read, written = _disks(root)
    swap, swap_free = lines.get("SwapTotal"), lines.get("SwapFree")
    swapped = None if swap is None or swap_free is None else swap - swap_free
    return HostTotals(busy, everything, read, lines.get("MemTotal"), lines.get("MemAvailable"), written, swapped)


def _cpu(text: str) -> tuple[float | None, float | None]:
    """Busy and total seconds of all cores; guest time is already part of user time (man proc_stat)."""
    words = text.partition("\n")[0].split()
    if words[:1] != ["cpu"] or len(words) < 9:
        return None, None
    ticks = [int(word) for word in words[1:9]]
    idle = ticks[3] + ticks[4]
    hertz = ticks_per_s()
    return (sum(ticks) - idle) / hertz, sum(ticks) / hertz


def _disks(root: Path) -> tuple[int | None, int | None]:
    """Bytes read from and written to whole disks; parts of disks and devices made of disks would count twice."""
    made_of_others = ("loop", "ram", "zram", "dm-", "md")
    whole = {d.name for d in list_dir(root / "sys/block") if not d.name.startswith(made_of_others)}
    found = [line.split() for line in (read_text(root / "proc/diskstats") or "").splitlines()]
    sectors = [(int(words[5]), int(words[9])) for words in found if len(words) > 9 and words[2] in whole]
    if not sectors:
        return None, None
    return sum(read for read, _ in sectors) * _SECTOR_BYTES, sum(written for _, written in sectors) * _SECTOR_BYTES


def _read_with_psutil() -> HostTotals:
    """The same on Windows and macOS."""
    times = psutil.cpu_times()
    everything = float(sum(times))
    disks = psutil.disk_io_counters()
    ram = psutil.virtual_memory()
    return HostTotals(
        busy_s=everything - times.idle,
        all_s=everything,
        read_bytes=None if disks is None else int(disks.read_bytes),
        ram_total_bytes=ram.total,
        ram_available_bytes=ram.available,
        write_bytes=None if disks is None else int(disks.write_bytes),
    )
