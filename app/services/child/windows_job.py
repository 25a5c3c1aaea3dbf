"""On Windows: a job object that ends a child and everything it starts when this program ends, however it ends.

The last handle of the job closes with this process, and JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE does the rest.
The job sets no memory limit: it would count committed memory, of which CUDA's driver and TensorFlow reserve
far more than they use.  Layouts and numbers: winnt.h (Microsoft's documentation of
``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``).  Tested as far as that can be done on another system.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

KILL_ON_JOB_CLOSE = 0x2000
EXTENDED_LIMIT_INFORMATION = 9
"""Of the enumeration ``JOBOBJECTINFOCLASS``."""


class _BasicLimits(ctypes.Structure):
    """``JOBOBJECT_BASIC_LIMIT_INFORMATION``; times are LARGE_INTEGER, sizes SIZE_T."""

    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Job:
    """A job with one child in it; ends with `close`, or with this process.

    Args:
        process_handle: Of the child.
        kernel32: The system's library; found by itself on Windows.

    Raises:
        OSError: The system refuses.
    """

    def __init__(self, process_handle: int, kernel32: Any = None) -> None:
        self._kernel32 = kernel32 if kernel32 is not None else _library()
        handle = self._kernel32.CreateJobObjectW(None, None)
        if not handle:
            raise OSError("no job object could be made")
        self._handle = ctypes.c_void_p(handle)
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = KILL_ON_JOB_CLOSE
        set_up = self._kernel32.SetInformationJobObject(
            self._handle, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        process = ctypes.c_void_p(process_handle)
        if not set_up or not self._kernel32.AssignProcessToJobObject(self._handle, process):
            self.close()
            raise OSError("the child could not be put into a job object")

    def close(self) -> None:
        """End every process of the job."""
        self._kernel32.CloseHandle(self._handle)


def job_for(process: Any) -> Job | None:
    """A job around a `subprocess.Popen` on Windows; None elsewhere, or if the system refuses."""
    if sys.platform != "win32":
        return None
    try:
        return Job(int(process._handle))
    except (OSError, AttributeError):
        return None


def _library() -> Any:
    """``kernel32`` with handles as pointers, which are wider than ctypes' default."""
    library = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
    library.CreateJobObjectW.restype = ctypes.c_void_p
    return library
