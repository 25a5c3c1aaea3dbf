"""How often Linux ended a process because memory ran out.

``/proc/vmstat`` counts for the whole machine, limits of control groups included, and anybody may read it
(since Linux 4.13).  In a container the group's own count is looked at too: ``memory.events`` of version 2,
``memory.oom_control`` of version 1.
"""

from __future__ import annotations

from pathlib import Path

from app.probes import cgroup
from app.probes.tree import ROOT, read_text, whole


def oom_kills(root: Path = ROOT) -> int | None:
    """Processes ended so far for want of memory, or None if the system does not count."""
    counts = [_count(read_text(root / "proc/vmstat")), *(_count(text) for text in cgroup.memory_events(root))]
    return max((count for count in counts if count is not None), default=None)


def _count(text: str | None) -> int | None:
    """The line ``oom_kill N``."""
    for line in (text or "").splitlines():
        name, _, value = line.partition(" ")
        if name == "oom_kill" and (count := whole(value.strip())) is not None:
            return count
    return None
