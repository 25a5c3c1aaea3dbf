"""Names a process so that no later one has its name, for marks that outlive it."""

from __future__ import annotations

import psutil

SAME_START_S = 60.0
"""Clocks are set meanwhile; a number comes back to another process much later (``/proc/sys/kernel/pid_max``)."""


def this_process() -> str:
    """This process, by its number and the time of its start in seconds."""
    process = psutil.Process()
    return f"{process.pid}-{process.create_time():.0f}"


def is_running(name: str) -> bool:
    """Is the process of a name that `this_process` gave still there?"""
    number, _, start = name.partition("-")
    if not (number.isdecimal() and start.isdecimal()):
        return False
    try:
        process = psutil.Process(int(number))
        began_s = process.create_time()
        return process.status() != psutil.STATUS_ZOMBIE and abs(began_s - int(start)) < SAME_START_S
    except (psutil.Error, OverflowError):
        return False
