"""Keeps this process, and all that it starts, from writing anywhere but into some folders, for good.

The kernel refuses it (Landlock, Documentation/userspace-api/landlock.rst, Linux 5.13), whatever language a library is
written in; since 6.12 also a signal to a program outside.  Where it cannot, and for a file's mode, owner and times, of
which Landlock knows nothing, Python's own calls are refused (`app.worker.script.file_events`).
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Numbers of landlock_create_ruleset, landlock_add_rule and landlock_restrict_self, the same on all machines."""
_VERSION_ONLY = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
_WRITE_FILE = 1 << 1
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Write, remove and make entries of every kind (``LANDLOCK_ACCESS_FS_…``)."""
_SINCE = {2: 1 << 13, 3: 1 << 14}
"""Moving between folders, and cutting off, by the version that knows them."""
_SCOPES_SINCE = 6
_SCOPES = 3
"""``LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET`` and ``LANDLOCK_SCOPE_SIGNAL``: only among what is kept inside together."""


def keep_inside(folders: Iterable[str]) -> bool:
    """Refuse every change of a file that lies outside of these folders.

    Returns:
        Whether the kernel does so from now on.
    """
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return False
    kernel = ctypes.CDLL(None, use_errno=True)
    version = kernel.syscall(_CREATE, None, 0, _VERSION_ONLY)
    if version < 1:
        return False
    changes = _CHANGES | sum(bit for since, bit in _SINCE.items() if version >= since)
    scopes = (0, _SCOPES) if version >= _SCOPES_SINCE else ()  # behind what is asked of networks
    attributes = struct.pack(f"={1 + len(scopes)}Q", changes, *scopes)
    rules = kernel.syscall(_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for folder in folders:
            _allow(kernel, rules, folder, changes)
        kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return bool(kernel.syscall(_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow(kernel: ctypes.CDLL, rules: int, folder: str, changes: int) -> None:
    """Let everything be done below a folder; nothing changes for one that is not there."""
    try:
        opened = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        kernel.syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", changes, opened), 0)
    finally:
        os.close(opened)
