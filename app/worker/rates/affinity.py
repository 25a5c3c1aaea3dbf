"""The cores that this process may use, and how all of it runs on one, so that work is timed as one thread does it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_THREADS = Path("/proc/self/task")


def can_pin() -> bool:
    """Does this system let a process choose its cores?  macOS does not."""
    return sys.platform == "win32" or (hasattr(os, "sched_setaffinity") and _THREADS.is_dir())


def usable_cores() -> int:
    """Cores that this process may use, and threads that TensorFlow uses unless it is told otherwise.

    Source: tsl/platform/default/port.cc, ``NumSchedulableCPUs``.
    """
    if sys.platform == "win32" or sys.platform == "darwin":
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """All threads of this process share one core inside the block.

    Raises:
        OSError: The system refused.
    """
    before = _allowed()
    _allow({min(before)})
    try:
        yield
    finally:
        _allow(before)


def _allowed() -> set[int]:
    """Cores that this process may use."""
    if sys.platform != "win32":
        return set(os.sched_getaffinity(0))
    process, system = ctypes.c_size_t(), ctypes.c_size_t()
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle = ctypes.c_void_p(-1)  # this process
    if not kernel.GetProcessAffinityMask(handle, ctypes.byref(process), ctypes.byref(system)):
        raise ctypes.WinError(ctypes.get_last_error())
    return {core for core in range(process.value.bit_length()) if process.value >> core & 1}


def _allow(cores: set[int]) -> None:
    """Let every thread use these cores; on Linux each thread has a set of its own."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        mask = ctypes.c_size_t(sum(1 << core for core in cores))
        if not kernel.SetProcessAffinityMask(ctypes.c_void_p(-1), mask):
            raise ctypes.WinError(ctypes.get_last_error())
        return
    for thread in _THREADS.iterdir():
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), cores)
