"""Code of a user that starts a process which wants to be found by nobody: it outlives whoever started it.

Forked twice, in a session of its own, without a variable of ours, without an open file; what is left of it is its
number, which it writes down first.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil

from app.core.types.units import MIB
from tests.patience import SOON_S

ASLEEP_S = "3217"
"""Nobody else on the machine sleeps for exactly so long."""
GONE_S = SOON_S
"""How long after everything else a stray may be seen; `studies.benchmarks.faults` allows it two seconds."""

STRAY = f"""
import os
def leave_a_stray(told):
    ready, left = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(told, "a") as file:
                print(os.getpid(), file=file)
            os.closerange(0, 4096)
            os.execve("/bin/sleep", ["sleep", "{ASLEEP_S}"], {{}})
        os._exit(0)
    os.close(left)
    os.read(ready, 1)
"""
"""Defines ``leave_a_stray(told)``; it comes back when the stray's number stands in the file ``told``."""

GROW = f"""
import time
def grow():
    kept = []
    while True:
        kept.append(bytearray({16 * MIB}))
        time.sleep(0.02)
"""
"""Defines ``grow()``, which takes memory until it is ended, slowly enough to be seen."""


def numbers(told: Path) -> list[int]:
    """The strays that were started."""
    return [int(line) for line in told.read_text().split()] if told.exists() else []


def living(told: Path) -> list[int]:
    """Those that live, after `GONE_S` at most."""
    deadline = time.monotonic() + GONE_S
    while (left := [pid for pid in numbers(told) if _lives(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, 9)
    return left


def _lives(pid: int) -> bool:
    """Is this the sleeper still, and no other process of that number?"""
    try:
        process = psutil.Process(pid)
        return ASLEEP_S in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
