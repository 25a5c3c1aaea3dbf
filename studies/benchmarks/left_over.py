"""Count what is left of a child by other means than the product ends it by.

A study runs as the first process of a PID namespace of its own where the user may have one: whatever is started there
stays there, however it hides, and the kernel's list of processes is the count.  Elsewhere (in tests) this process
becomes the one that inherits orphans, and counts what descends from it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import time

import psutil

SETTLE_S = 2.0
"""So long may a process be seen after the run that it belonged to: what is promised."""
_UNSHARE = ("unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc")
_PR_SET_CHILD_SUBREAPER = 36


def alone(module: str) -> bool:
    """Begin anew as the first process of a namespace; False if the user may not have one.

    Args:
        module: The study, as ``python -m`` names it.
    """
    if os.getpid() == 1:
        return True
    may = shutil.which(_UNSHARE[0]) and subprocess.run([*_UNSHARE, "true"], capture_output=True).returncode == 0
    if may:
        os.execvp(_UNSHARE[0], [*_UNSHARE, sys.executable, "-m", module, *sys.argv[1:]])
    return False


def inherit_orphans(wanted: bool = True) -> None:
    """Let what loses its parent become ours from now on, or no more: whoever inherits has to wait for the dead."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def left(wait_s: float = SETTLE_S) -> int:
    """Living processes that were started and have not ended after ``wait_s``; they are ended now."""
    deadline = time.monotonic() + wait_s
    while (found := _living()) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in found:
        with contextlib.suppress(psutil.Error):
            process.kill()
    return len(found)


def _living() -> list[psutil.Process]:
    """All that run here besides ourselves, or all that descend from us."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:  # the dead that became ours
            pass
    us = psutil.Process()
    return [one for one in (psutil.process_iter() if us.pid == 1 else us.children(recursive=True)) if _lives(one, us)]


def _lives(process: psutil.Process, us: psutil.Process) -> bool:
    """Is it somebody else, and no zombie?"""
    try:
        return process != us and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
