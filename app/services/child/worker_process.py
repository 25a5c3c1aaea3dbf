"""Run one job in a child process and come back with exactly one answer.

The child (`app.worker.main`) is another Python, perhaps the user's own training environment.  Whatever it
does, printing garbage, crashing, hanging in C code, being killed, the caller gets one `Done` or `Failed`,
and nothing of the child is left.  Works from any thread; ``on_message`` is called in the caller's.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from app.core.types.faults import fault
from app.core.types.messages import (
    PROTOCOL_VERSION,
    TOKEN_VARIABLE,
    Done,
    Failed,
    Hello,
    Paused,
    Phase,
    Progress,
    Reading,
    Request,
    Resume,
)
from app.core.types.messages import encode as encode_message
from app.core.types.text import phrase, verbatim
from app.core.types.units import format_number
from app.probes.oom_kills import oom_kills
from app.services.child.awake_clock import AwakeClock
from app.services.child.child_folder import temporary_files
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.child_tree import kill_tree, lower_priority, new_token
from app.services.child.memory_scope import in_scope
from app.services.child.stack_dump import code_files, take_apart
from app.services.child.windows_job import job_for
from app.services.child.worker_command import worker_command, worker_environment, worker_folder
from app.services.child.worker_endings import crash_report
from app.services.child.worker_streams import BadLine, Closed, MessageReader, StderrTail

log = logging.getLogger("app.worker")

LiveMessage = Hello | Phase | Progress | Reading | Paused
Turns = queue.SimpleQueue[Resume]
"""Turns for a child that measures in turns; any thread may put one in."""
CANCEL_GRACE_S = 1.2
"""How long a cancelled child may take to end by itself before it is killed."""
KILL_WAIT_S = 0.4
END_GRACE_S = 2.0
"""How long a child may take to leave after its terminal message."""
_POLL_S = 0.05
_TURN_POLL_S = 0.01
_CANCEL_LINE = b'{"v":%d,"kind":"cancel","body":{}}\n' % PROTOCOL_VERSION


class CancelFlag(Protocol):
    """Anything like `threading.Event`."""

    def is_set(self) -> bool:
        """Has the user cancelled?"""
        ...


def run_worker(
    request: Request,
    options: ChildOptions = OWN_PYTHON,
    *,
    on_message: Callable[[LiveMessage], None] | None = None,
    cancel: CancelFlag | None = None,
    on_started: Callable[[int], None] | None = None,
    turns: Turns | None = None,
) -> Done | Failed:
    """Run ``request`` in a child and wait for its end.

    Args:
        request: The job and its arguments.
        options: Which Python runs it, and its limits; that of memory is kept by the kernel where a user may ask for
            that (`memory_scope`).
        on_message: Called with every message before the terminal one.
        cancel: Polled; once set, this function returns within 2 s whatever the child does.
        on_started: Called once with the child's process id.
        turns: What is put in here is sent to the child.

    Returns:
        The child's own terminal message, or a `Failed` of a kind of `app.core.types.faults`: how it ended, what it
        said that was no message, ``timeout``, ``cancelled``, or ``missing`` (could not be started).
    """
    arguments = in_scope(options.command or worker_command(options.interpreter), options.limit_bytes)
    with temporary_files() as places:
        try:
            child = _Child(
                arguments,
                worker_environment(options.interpreter, {**places, **options.environment}),
                options.max_line_bytes,
                folder=None if options.command else worker_folder(options.interpreter),
                low_priority=options.low_priority,
                user_files=code_files(request.arguments),
            )
        except OSError as error:
            return _not_started(arguments[0], error)
        try:
            if on_started is not None:
                on_started(child.pid)
            child.send(encode_message(request))
            return _converse(child, on_message, cancel, options.timeout_s, turns)
        finally:
            child.kill()


def _converse(
    child: _Child,
    on_message: Callable[[LiveMessage], None] | None,
    cancel: CancelFlag | None,
    timeout_s: float | None,
    turns: Turns | None,
) -> Done | Failed:
    """Pass messages on until a terminal one, a fault, a cancel or the time limit."""
    clock = AwakeClock()
    phase: str | None = None
    while True:
        if cancel is not None and cancel.is_set():
            return _cancel(child, phase)
        if timeout_s is not None and clock() > timeout_s:
            return child.failed(
                "timeout",
                phrase("the child took longer than {timeout} s", timeout=format_number(timeout_s, "g")),
                phase,
            )
        if turns is not None and not turns.empty():
            child.send(encode_message(turns.get()))
        item = child.next(_POLL_S if turns is None else _TURN_POLL_S)
        if item is None:
            continue
        if isinstance(item, Done | Failed):
            child.let_go()
            return item
        if isinstance(item, BadLine):
            return child.failed(item.kind, item.problem, phase)
        if isinstance(item, Closed):
            return crash_report(
                child.exit_code(),
                child.stderr_lines(),
                phase,
                half_line=item.half_line,
                oom_killed=child.oom_killed(),
                user_files=child.user_files,
            )
        if isinstance(item, Phase):
            phase = item.name
        if on_message is not None:
            on_message(item)


def _cancel(child: _Child, phase: str | None) -> Done | Failed:
    """Ask the child to stop, then make it."""
    deadline = time.monotonic() + CANCEL_GRACE_S
    child.send(_CANCEL_LINE)
    while (left := deadline - time.monotonic()) > 0:
        item = child.next(min(left, _POLL_S))
        if isinstance(item, Done | Failed):
            return item
        if isinstance(item, BadLine | Closed):
            break
    return child.failed("cancelled", "cancelled", phase)


def _not_started(program: str, error: OSError) -> Failed:
    """The interpreter does not exist or may not be run."""
    reason = error.strerror or str(error)
    return Failed(
        "missing",
        phrase("cannot start {program}: {reason}", program=program, reason=reason),
        hint=phrase("give the path of a Python interpreter, for example --python ~/venv/bin/python"),
        expected=phrase("a Python interpreter"),
        received=verbatim(program),
    )


class _Child:
    """The process, its three pipes and the threads that serve them."""

    def __init__(
        self,
        arguments: list[str],
        environment: dict[str, str],
        max_line_bytes: int,
        *,
        folder: Path | None,
        low_priority: bool,
        user_files: frozenset[str],
    ) -> None:
        self.user_files = user_files
        self._token = new_token()
        self._oom_kills = oom_kills()
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={**environment, TOKEN_VARIABLE: self._token},
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
        self.pid = self._process.pid
        self._job = job_for(self._process)
        if low_priority:
            lower_priority(self.pid)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._stdin = stdin
        self._messages = MessageReader(stdout, max_line_bytes)
        self._stderr = StderrTail(stderr)
        self._writer: threading.Thread | None = None
        log.debug("started child %d: %s", self.pid, arguments[0])

    def send(self, line: bytes) -> None:
        """Write a line without ever blocking the caller; given up if the child does not read."""
        if self._writer is None or not self._writer.is_alive():
            self._writer = threading.Thread(target=self._write, args=(line,), name="worker-stdin", daemon=True)
            self._writer.start()

    def _write(self, line: bytes) -> None:
        """Write to a pipe that the child may have closed."""
        with contextlib.suppress(OSError, ValueError):
            rest = memoryview(line)
            while rest:
                rest = rest[self._stdin.write(rest) or 0 :]

    def next(self, wait_s: float) -> LiveMessage | Done | Failed | BadLine | Closed | None:
        """The next thing the child said, or None after ``wait_s``.

        A child that ended while one of its own children keeps the pipe open counts as closed.
        """
        item = self._messages.get(wait_s)
        if item is None and self._process.poll() is not None:
            return self._messages.get(_POLL_S) or Closed()
        return item

    def exit_code(self) -> int | None:
        """The exit code of a child that closed its pipe; None if it lives on (it is killed later)."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(KILL_WAIT_S)
        return None

    def stderr_lines(self) -> tuple[str, ...]:
        """The last lines the child wrote to standard error."""
        return self._stderr.lines(KILL_WAIT_S)

    def oom_killed(self) -> bool | None:
        """Did the system end any process for want of memory since this one began?  None if it does not count."""
        now = oom_kills()
        return None if now is None or self._oom_kills is None else now > self._oom_kills

    def failed(self, kind: str, message: str, phase: str | None) -> Failed:
        """End the child and say why."""
        self.kill()
        dump = take_apart(self.stderr_lines())
        where = dump.where(self.user_files)
        return Failed(kind, verbatim(message), hint=fault(kind).hint, phase=phase, where=where, stderr=dump.lines())

    def let_go(self) -> None:
        """Give a child that said its last word a moment to leave by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_GRACE_S)

    def kill(self) -> None:
        """End the child and everything it started; returns soon even if the system cannot end it."""
        kill_tree(self.pid, alive=self._process.poll() is None, token=self._token)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_WAIT_S)
        if self._job is not None:
            self._job.close()
            self._job = None
        self._messages.close()
        self._stderr.close()
        if self._writer is not None:
            self._writer.join(KILL_WAIT_S)
        with contextlib.suppress(OSError):
            self._stdin.close()
