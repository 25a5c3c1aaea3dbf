"""The process between this program and one that it runs: ends that one in time, and with it all that it ever started.

::

    python -I -S warden.py DESCRIPTOR LIMIT PROGRAM [ARGUMENT ...]

Linux gives it every process that descends from the program, whatever its session, environment or descriptors, as soon
as the process between them ends (``PR_SET_CHILD_SUBREAPER``, prctl(2)); so it ends its own children until it has none.
Only children are ever signalled, whose numbers nobody else can have been given before they were waited for.

It looks at the memory of all of them ten times a second and does nothing else: it loads no library, takes no lock, asks
no driver and writes to no terminal, so that nothing but the system itself can keep it from looking; in a session of its
own, since one that is stopped with the terminal would look no more.  DESCRIPTOR is a socket to its parent, which hears
``started PID``, ``failed ERRNO`` or ``held BYTES``; when the parent says a word or is gone, everything ends.  It leaves
as the program did: with the same exit code, or by the same signal.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from typing import NoReturn

LOOK_S = 0.1
_AGAIN_S = 0.002
_OOM_SCORE = "800"
"""When memory runs out all the same, Linux shall end the program and not the desktop."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def main(arguments: list[str]) -> NoReturn:
    """Run the program and end with it."""
    parent, limit_bytes, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    os.set_inheritable(parent, False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    program = _start(command, parent)
    signal.signal(signal.SIGTERM, _leave)
    try:
        _watch(parent, program, limit_bytes)
    finally:
        status = _end_children(program)
    _end_like(status)


def _start(command: list[str], parent: int) -> int:
    """Start the program; its number, or the end of this process if there is no such program."""
    warden, (told, tells) = os.getpid(), os.pipe()  # closed by a program that starts
    program = os.fork()
    if program == 0:
        try:
            _become(command, warden)
        except OSError as error:
            os.write(tells, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(tells)
    problem = os.read(told, 16).decode()
    os.write(parent, f"failed {problem}\n".encode() if problem else f"started {program}\n".encode())
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # they are the program's, and close when it closes them
        os.dup2(nothing, pipe)
    return program


def _become(command: list[str], warden: int) -> NoReturn:
    """Be the program: in a session of its own, ended with its warden, and first when memory ends."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # while it lives, a daemon of its own counts as its own
    if os.getppid() != warden:
        os._exit(1)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(_OOM_SCORE)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and a new program would go on to do so
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


def _watch(parent: int, program: int, limit_bytes: int) -> None:
    """Return when the program has ended, or when everything has to."""
    poll = select.poll()
    poll.register(parent, select.POLLIN)
    with contextlib.suppress(OSError):  # before Linux 5.3 its end is seen at the next look
        poll.register(os.pidfd_open(program), select.POLLIN)
    while os.waitid(os.P_PID, program, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if any(descriptor == parent for descriptor, _ in poll.poll(1000 * LOOK_S)):
            return
        held_bytes = sum(_resident_bytes(pid) for pid in _descendants(program))
        if limit_bytes and held_bytes > limit_bytes:
            with contextlib.suppress(OSError):
                os.write(parent, f"held {held_bytes}\n".encode())
            return


def _end_children(program: int) -> int:
    """End every child until there is none; those of the ended become ours.  Returns how the program ended.

    The dead are waited for before the living are listed: one that forks and leaves without pause has to be signalled
    before it has left, and is far down a list of hundreds that went before it.
    """
    status, pause_s = 0, _AGAIN_S
    while True:
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                status = ended[1] if ended[0] == program else status
                pause_s = _AGAIN_S
        except ChildProcessError:
            return status
        for pid in _children(os.getpid()):
            with contextlib.suppress(OSError):  # one that has become another user's is waited for
                os.kill(pid, signal.SIGKILL)
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, LOOK_S)


def _end_like(status: int) -> NoReturn:
    """End as the program did."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one dump is enough
        with contextlib.suppress(OSError):  # SIGKILL is as it is
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _descendants(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for one in found:  # grows meanwhile
        found += _children(one)
    return found


def _children(pid: int) -> list[int]:
    """The living and the dead that were not waited for."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return found


def _resident_bytes(pid: int) -> int:
    """What a process holds; 0 once it is gone."""
    words = _read(f"/proc/{pid}/statm").split()
    return int(words[1]) * _PAGE_BYTES if words else 0


def _read(path: str) -> bytes:
    """A file of the kernel's; empty once its process is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return b"".join(iter(lambda: os.read(descriptor, 1 << 16), b""))
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _prctl(option: int, value: int) -> None:
    """Set an attribute of this process (prctl(2))."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _leave(number: int, frame: object) -> NoReturn:
    """Whoever asks this process to end means the program."""
    raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
