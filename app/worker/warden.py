"""The child's ties to its parent: it ends when the parent does, with all that it started, and first when memory ends.

Three nets, since each has a hole: the pipe from the parent closes (C code may hold the interpreter), Linux
signals the parent's death (a signal asked for too late never comes), and a process forked here outlives
this one and ends what it left, in other sessions too.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys

from app.core.types.messages import TOKEN_VARIABLE

_OOM_SCORE = 800
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def tie_to_parent() -> None:
    """Let Linux kill this process when the parent dies, even while C code holds the interpreter.

    The kernel means the *thread* that started us; it waits for our end (`run_worker`), so that is the same.
    A parent that died before the signal was asked for has closed its end of our standard input.  Call this
    before anybody else takes standard input.
    """
    if not sys.platform.startswith("linux"):
        return
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # a daemon becomes our child again, and is counted and ended with us
    if _writer_is_gone(0):
        os._exit(1)
    if os.getpgrp() == os.getpid():
        _leave_a_warden()


def offer_to_the_memory_killer() -> None:
    """When memory runs out, Linux shall end this process, and what it starts, and not the desktop."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(str(_OOM_SCORE))


def tell_where_it_crashed() -> None:
    """Write all stacks to standard error at a crash, and when the parent asks where it hangs (SIGUSR2)."""
    faulthandler.enable(file=2)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR2, file=2)


def _writer_is_gone(descriptor: int) -> bool:
    """Has everybody closed the writing end of this pipe?"""
    import select

    poll = select.poll()
    poll.register(descriptor, 0)
    return any(events & select.POLLHUP for _, events in poll.poll(0))


def _leave_a_warden() -> None:
    """Fork a process that sleeps until this one dies, however it dies, and then ends all that it started.

    In a group of its own: who ends the worker's group shall not end its warden with it.
    """
    worker = os.getpid()
    if os.fork():
        return
    try:
        os.setpgid(0, 0)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        _prctl(_PR_SET_PDEATHSIG, signal.SIGUSR1)
        os.closerange(0, os.sysconf("SC_OPEN_MAX"))
        if os.getppid() == worker:
            signal.sigwait({signal.SIGUSR1})
        _end_strays()
        os.killpg(worker, signal.SIGKILL)
    finally:
        os._exit(0)


def _end_strays() -> None:
    """Kill every process that carries our token, this one excepted."""
    token = os.environ.get(TOKEN_VARIABLE)
    mark = f"{TOKEN_VARIABLE}={token}".encode()
    for name in os.listdir("/proc") if token else ():
        if name.isdecimal() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if mark in environment.read().split(b"\0"):
                    os.kill(int(name), signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    """Set an attribute of this process (prctl(2))."""
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
