"""End a child and everything it started, in whatever session or group that lives now; run it at low priority.

Where no kernel hands orphans over (`guarded`), a process can leave its parent's group and session and outlive it, and
nothing but its environment still tells where it came from: a child gets a token there that its descendants inherit.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys

import psutil

from app.core.types.messages import TOKEN_VARIABLE

NICENESS = 10
_ROUNDS = 3
"""A process may be starting another while it is looked for."""


def new_token() -> str:
    """A value of `TOKEN_VARIABLE` for one child."""
    return secrets.token_hex(12)


def kill_tree(pid: int, *, alive: bool = True, token: str | None = None) -> None:
    """Kill a process that leads its own session, with its group and all it started.

    Args:
        pid: The process.
        alive: It was not waited for yet, so that its number is still its own.
        token: Also end every process of this user whose environment holds it.
    """
    found: list[psutil.Process] = []
    if alive:
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(pid)
            found = [root, *root.children(recursive=True)]
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
    _kill(found)
    for _ in range(_ROUNDS if token else 0):
        strays = marked(str(token))
        if not strays:
            break
        _kill(strays)


def marked(token: str) -> list[psutil.Process]:
    """Living processes of this user that descend from the child with this token."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(TOKEN_VARIABLE) == token and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def tree_rss_bytes(pid: int) -> int:
    """Resident memory of a process and those it started; 0 once it is gone."""
    held = 0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                held += int(one.memory_info().rss)
    return held


def lower_priority(pid: int) -> None:
    """Let everything else on the machine go first: processor and, where the system knows it, disk.

    Called while the child's interpreter still starts: threads and processes that it makes later inherit it.
    """
    with contextlib.suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        if sys.platform == "win32":
            process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
            process.ionice(psutil.IOPRIO_LOW)
            return
        process.nice(min(19, process.nice() + NICENESS))
        if sys.platform == "linux":
            process.ionice(psutil.IOPRIO_CLASS_BE, 7)


def _kill(processes: list[psutil.Process]) -> None:
    """Kill each; psutil makes sure that a number was not given to another process since."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
