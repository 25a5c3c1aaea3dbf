"""Takes the network away from this process, for good: a stranger's file is about to be read.

A filter in the kernel refuses new sockets (seccomp(2)); threads that run already and processes started later get it
too.  Linux only: elsewhere the list of what a file may be made of stands alone (`app.worker.models.own.allowed`).
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER = 1
_ALL_THREADS, _SPECULATION_AS_BEFORE = 1, 4
"""Without the second flag older kernels slow the whole process down, and a benchmark would measure that."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Offsets in ``struct seccomp_data`` (include/uapi/linux/seccomp.h)."""
_REFUSE, _ALLOW = 0x00050000 | errno.EACCES, 0x7FFF0000

_IO_URING_SETUP = 425
_SYSTEMS = {"x86_64": (0xC000003E, 41, 317), "aarch64": (0xC00000B7, 198, 277)}
"""Of each architecture its name in the kernel (AUDIT_ARCH_…), and the numbers of socket and seccomp."""
_X32 = 0x40000000
"""Calls of the x32 interface have this bit, and the same numbers otherwise."""


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def without_network() -> bool:
    """Refuse every new socket of this process from now on, with "permission denied".

    Returns:
        Whether the system does so.
    """
    known = _SYSTEMS.get(platform.machine())
    if not sys.platform.startswith("linux") or known is None or sys.maxsize < 2**32:
        return False
    architecture, socket, seccomp = known
    steps = _steps(architecture, socket)
    program = _Program(len(steps), b"".join(steps))
    kernel = ctypes.CDLL(None, use_errno=True)
    kernel.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    flags = _ALL_THREADS | _SPECULATION_AS_BEFORE
    return bool(kernel.syscall(seccomp, _SET_MODE_FILTER, flags, ctypes.byref(program)) == 0)


def _steps(architecture: int, socket: int) -> list[bytes]:
    """The filter: another architecture's calls, sockets, and the ring that could make some, are refused."""
    return [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, no=4),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _X32, yes=2),
        _step(_EQUAL, socket, yes=1),
        _step(_EQUAL, _IO_URING_SETUP, no=1),
        _step(_RETURN, _REFUSE),
        _step(_RETURN, _ALLOW),
    ]


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """``struct sock_filter``: what to do, how many steps to skip on yes and on no, and the number to compare."""
    return struct.pack("=HBBI", code, yes, no, value)
