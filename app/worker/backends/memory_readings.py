"""What the allocator and the system say about this process's memory.  Bytes; None is "not available"."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

_MIB = 1024**2


@dataclass(frozen=True)
class AllocatorReading:
    """Bytes in use now, the most since the last reset, and what the allocator holds of the device, if it tells."""

    current_bytes: int
    peak_bytes: int
    held_bytes: int | None = None


class Allocator:
    """TensorFlow's allocator of one device.

    On a GPU it always answers; on the CPU only if the process was started with
    ``TF_CPU_ALLOCATOR_USE_BFC=true`` (tensorflow/core/common_runtime/process_state.cc).

    Args:
        device: Such as ``CPU:0``.
    """

    def __init__(self, device: str) -> None:
        self.device = device

    def read(self) -> AllocatorReading | None:
        """Bytes in use, or None if the allocator keeps no count."""
        try:
            info = _experimental().get_memory_info(self.device)
        except ValueError:
            return None
        return AllocatorReading(int(info["current"]), int(info["peak"]))

    def reset_peak(self) -> None:
        """Let the peak begin anew at what is in use now."""
        if self.read() is not None:
            _experimental().reset_memory_stats(self.device)

    def limit_bytes(self) -> int | None:
        """The limit that was set for the allocator from outside, if one was."""
        text = os.environ.get("TF_CPU_BFC_MEM_LIMIT_IN_MB", "")
        return int(text) * _MIB if self.device.startswith("CPU") and text.isdigit() else None


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


def _experimental() -> Any:
    """TensorFlow's functions that read its allocators."""
    import tensorflow as tf

    return tf.config.experimental
