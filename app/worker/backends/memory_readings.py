"""What an allocator and the system say about this process's memory.  Bytes; None is "not available"."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class AllocatorReading:
    """Bytes in use now, the most since the last reset, and what the allocator holds of the device, if it tells."""

    current_bytes: int
    peak_bytes: int
    held_bytes: int | None = None


def reset_peak_rss() -> None:
    """Let `peak_rss_bytes` begin anew, where the system can (Linux: proc(5), ``clear_refs``)."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
            clear.write("5")
    except OSError:
        pass


def rss_bytes() -> int | None:
    """What this process has resident now; None where the system does not tell."""
    return _status_bytes("VmRSS:")


def peak_rss_bytes() -> int | None:
    """The most memory this process has had resident.

    Linux's own count of the process is preferred: ``getrusage`` also remembers the parent's size at the
    moment the process was started.
    """
    told = _status_bytes("VmHWM:")
    if told is not None:
        return told
    if sys.platform == "win32":
        return None
    import resource

    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def _status_bytes(name: str) -> int | None:
    """A line of what Linux says of this process."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith(name)), None)
    except OSError:
        return None
