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


def peak_rss_bytes() -> int | None:
    """The most memory this process has had resident.

    Linux's own count of the process is preferred: ``getrusage`` also remembers the parent's size at the
    moment the process was started.
    """
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    if sys.platform == "win32":
        return None
    import resource

    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
