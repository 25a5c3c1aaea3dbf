"""What a built program (PyInstaller) must undo, so that the programs which it starts find their own libraries.

The launcher of a built program puts its folder first where libraries are looked for, and that is inherited: a
training Python, pip or ``nvidia-smi`` would load our C++ or SSL library in place of the system's
(https://pyinstaller.org/en/stable/runtime-information.html#ld-library-path-libpath-considerations).
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping

_PATHS = ("LD_LIBRARY_PATH", "LIBPATH", "DYLD_LIBRARY_PATH")


def keep_libraries_to_ourselves(environment: MutableMapping[str, str] = os.environ) -> None:
    """Give the variables back the values that they had before this program began.

    Our own process has read them already; another copy of this program sets them again.
    """
    for name in _PATHS:
        before = environment.pop(f"{name}_ORIG", None)
        if before is not None:
            environment[name] = before
        elif name in environment and _is_ours(environment[name]):
            del environment[name]
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetDllDirectoryW(None)


def _is_ours(paths: str) -> bool:
    """Is it the launcher that set this search path?"""
    ours = getattr(sys, "_MEIPASS", None)
    return ours is not None and ours in paths.split(os.pathsep)
