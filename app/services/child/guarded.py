"""Start a program under guard: it and all that it starts may hold so much memory, and end together.

The one place where this program starts another that runs code of others; a test holds that there is no second.  On
Linux a process between both does it (`warden`), so that nothing which stops or blocks this one keeps the guard from
looking.  Elsewhere a thread looks, and what left its family is found by a variable that processes hand down: one that
starts with an environment of its own is missed.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from app.core.types.messages import TOKEN_VARIABLE
from app.core.types.units import GIB
from app.probes.memory import read_ram
from app.services.child.child_tree import kill_tree, new_token, tree_rss_bytes
from app.services.child.memory_scope import in_scope
from app.services.child.windows_job import job_for

GUARD_INTERVAL_S = 0.1
MIN_RESERVE_BYTES = GIB
RESERVE_SHARE = 0.1
KILL_WAIT_S = 0.4
_BUILT = bool(getattr(sys, "frozen", False))
_WARDEN = Path(__file__).with_name("warden.py")
_LONGEST_WORD = 100
_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)


def memory_limit_bytes(reserve_bytes: int | None = None) -> int | None:
    """Host memory that a child may hold: what is available now less a reserve for everything else.

    Args:
        reserve_bytes: None for 1 GiB or 10 % of what is available, whichever is more.

    Returns:
        The limit, at least half of what is available, or None if the system does not tell.
    """
    available = read_ram().value.available_bytes
    if available is None:
        return None
    reserve = reserve_bytes if reserve_bytes is not None else max(MIN_RESERVE_BYTES, int(available * RESERVE_SHARE))
    return max(available - reserve, available // 2)


def start_guarded(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path | None = None,
    *,
    limit_bytes: int | None = None,
    **pipes: int,
) -> Guarded:
    """Start a program.

    Args:
        command: Program and arguments.
        environment: All variables that it gets.
        folder: Where it starts; None for where we are.
        limit_bytes: Host memory that it and what it starts may hold; None for all that can be spared.
        pipes: ``stdin``, ``stdout`` and ``stderr``, as for `subprocess.Popen`.

    Raises:
        OSError: There is no such program, or it cannot be started.
    """
    limit = memory_limit_bytes() if limit_bytes is None else limit_bytes
    started: dict[str, Any] = {"cwd": folder, "bufsize": 0, "creationflags": _FLAGS, **pipes}
    kind = _Warded if has_wardens() else _Watched
    return kind(command, environment, limit, started)


def has_wardens() -> bool:
    """Does the kernel tell a process its children, and give it those that they leave?"""
    return sys.platform == "linux" and Path("/proc/thread-self/children").exists()


class Guarded:
    """A program that runs under guard; as a context it has ended afterwards, with all that it started.

    Attributes:
        process: Its pipes and its exit code, which comes when all that it started has ended too.
        pid: Its number.
        limit_bytes: What it and all that it started may hold; None if the system does not tell what there is.
    """

    process: subprocess.Popen[bytes]
    pid: int

    def __init__(self, limit_bytes: int | None) -> None:
        self.limit_bytes = limit_bytes

    @property
    def held_bytes(self) -> int | None:
        """What it held when the guard ended it; None if the guard did not."""
        raise NotImplementedError

    def end(self) -> None:
        """End it and everything it started; returns soon even if the system cannot end it."""
        raise NotImplementedError

    def _wait(self) -> None:
        """Wait for its end; for one that the system takes its time with, somebody else waits."""
        try:
            self.process.wait(KILL_WAIT_S)
        except subprocess.TimeoutExpired:
            threading.Thread(target=self.process.wait, name="worker-end", daemon=True).start()

    def __enter__(self) -> Guarded:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class _Warded(Guarded):
    """On Linux: a process between both looks after it and ends when this one does."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], limit_bytes: int | None, started: dict[str, Any]
    ) -> None:
        super().__init__(limit_bytes)
        self._held_bytes: int | None = None
        self._warden, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number, limit = theirs.fileno(), str(limit_bytes or 0)
            arguments = [*_warden_command(), str(number), limit, *in_scope(command, limit_bytes)]
            self.process = subprocess.Popen(
                arguments, env=environment, pass_fds=(number,), start_new_session=True, **started
            )
        word, _, value = self._warden.recv(_LONGEST_WORD).decode().partition(" ")
        if word != "started":
            super().__exit__(None, None, None)
            code = int(value or 0)
            raise OSError(code, os.strerror(code) if code else "no word from its guard", command[0])
        self.pid = int(value)

    @property
    def held_bytes(self) -> int | None:
        """The guard's own word."""
        with contextlib.suppress(OSError):
            word, _, value = self._warden.recv(_LONGEST_WORD, socket.MSG_DONTWAIT).decode().partition(" ")
            self._held_bytes = int(value) if word == "held" else self._held_bytes
        return self._held_bytes

    def end(self) -> None:
        """The guard ends everything when its line is closed."""
        self._warden.close()
        self._wait()


class _Watched(Guarded):
    """Elsewhere: a thread that does nothing else looks at its memory."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], limit_bytes: int | None, started: dict[str, Any]
    ) -> None:
        super().__init__(limit_bytes)
        self._held_bytes: int | None = None
        self._token = new_token()
        variables = {**environment, TOKEN_VARIABLE: self._token}
        self.process = subprocess.Popen(command, env=variables, start_new_session=sys.platform != "win32", **started)
        self.pid = self.process.pid
        self._job = job_for(self.process)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="guard", daemon=True)
        self._thread.start()

    @property
    def held_bytes(self) -> int | None:
        """What the thread has seen."""
        return self._held_bytes

    def end(self) -> None:
        """By family, session and variable; on Windows by the job as well."""
        self._over.set()
        self._thread.join()
        kill_tree(self.pid, alive=self.process.poll() is None, token=self._token)
        self._wait()
        if self._job is not None:
            self._job.close()
            self._job = None

    def _look(self) -> None:
        """Ten times a second."""
        while self.limit_bytes and not self._over.wait(GUARD_INTERVAL_S):
            held_bytes = tree_rss_bytes(self.pid)
            if held_bytes > self.limit_bytes:
                self._held_bytes = held_bytes
                kill_tree(self.pid, alive=self.process.poll() is None, token=self._token)
                return


def _warden_command() -> list[str]:
    """How the process between both is started; without `site` it is there in some milliseconds."""
    if _BUILT:
        return [sys.executable, "--warden"]
    return [sys.executable, "-I", "-S", str(_WARDEN)]
