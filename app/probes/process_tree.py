"""Processor time, memory and disk reads of a process and everything it started.

On Linux the kernel lists a process's children, which costs microseconds; searching all processes of a
machine, as elsewhere, costs milliseconds.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.probes.tree import ROOT, list_dir, page_bytes, read_text, ticks_per_s


@dataclass(frozen=True)
class ProcessTotals:
    """Sums over a process tree; ``read_bytes`` is None where the system does not tell."""

    pids: tuple[int, ...]
    cpu_s: float
    rss_bytes: int
    read_bytes: int | None


def read_tree(pid: int, root: Path = ROOT) -> ProcessTotals | None:
    """Sum over ``pid`` and its descendants; None if the process has ended."""
    if root == ROOT and sys.platform != "linux":
        return _read_with_psutil(pid)
    pids = _descendants(root, pid)
    readings = [(p, r) for p in pids if (r := _read_linux(root, p)) is not None]
    if not readings or readings[0][0] != pid:
        return None
    reads = [r[2] for _, r in readings]
    known = [n for n in reads if n is not None]
    return ProcessTotals(
        pids=tuple(p for p, _ in readings),
        cpu_s=sum(r[0] for _, r in readings),
        rss_bytes=sum(r[1] for _, r in readings),
        read_bytes=sum(known) if known else None,
    )


def _descendants(root: Path, pid: int) -> list[int]:
    """The process and its descendants, parents first."""
    found, at = [pid], 0
    while at < len(found):
        for task in list_dir(root / "proc" / str(found[at]) / "task"):
            children = (read_text(task / "children") or "").split()
            found += [int(child) for child in children if child.isdecimal() and int(child) not in found]
        at += 1
    return found


def _read_linux(root: Path, pid: int) -> tuple[float, int, int | None] | None:
    """Seconds of processor time, resident bytes, bytes read from disks (man proc_pid_stat, proc_pid_io)."""
    folder = root / "proc" / str(pid)
    stat = read_text(folder / "stat")
    if stat is None:
        return None
    words = stat.rpartition(")")[2].split()  # the name before it may hold spaces and brackets
    if len(words) < 22 or words[0] in ("Z", "X"):
        return None
    cpu_s = (int(words[11]) + int(words[12])) / ticks_per_s()
    read_bytes = None
    for line in (read_text(folder / "io") or "").splitlines():
        if line.startswith("read_bytes:"):
            read_bytes = int(line.split()[1])
    return cpu_s, int(words[21]) * page_bytes(), read_bytes


def _read_with_psutil(pid: int) -> ProcessTotals | None:
    """The same on Windows and macOS."""
    try:
        parent = psutil.Process(pid)
        tree = [parent, *parent.children(recursive=True)]
    except psutil.Error:
        return None
    pids, cpu_s, rss, reads = [], 0.0, 0, []
    for process in tree:
        try:
            with process.oneshot():
                times = process.cpu_times()
                cpu_s += times.user + times.system
                rss += process.memory_info().rss
                if hasattr(process, "io_counters"):
                    reads.append(int(process.io_counters().read_bytes))
                pids.append(process.pid)
        except psutil.Error:  # ended between listing and reading
            continue
    if not pids or pids[0] != pid:
        return None
    return ProcessTotals(tuple(pids), cpu_s, rss, sum(reads) if reads else None)
