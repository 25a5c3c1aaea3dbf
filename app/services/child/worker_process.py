"""Run one job in a child process and come back with exactly one answer.

The child (`app.worker.main`) is another Python, perhaps the user's own training environment.  Whatever it
does, printing garbage, crashing, hanging in C code, taking all memory, being killed, the caller gets one `Done` or
`Failed`, and nothing of the child is left.  Works from any thread; ``on_message`` is called in the caller's.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from app.core.types.faults import fault
from app.core.types.messages import (
    PROTOCOL_VERSION,
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
from app.probes.process_tree import read_tree
from app.services.child.awake_clock import AwakeClock
from app.services.child.child_folder import temporary_files
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.child_tree import lower_priority
from app.services.child.guarded import KILL_WAIT_S, start_guarded
from app.services.child.heartbeat import Heartbeat, ask_where
from app.services.child.stack_dump import code_files, take_apart
from app.services.child.worker_command import worker_command, worker_environment, worker_folder
from app.services.child.worker_endings import above_limit, crash_report
from app.services.child.worker_streams import BadLine, Closed, MessageReader, StderrTail

log = logging.getLogger("app.worker")

LiveMessage = Hello | Phase | Progress | Reading | Paused
Turns = queue.SimpleQueue[Resume]
"""Turns for a child that measures in turns; any thread may put one in."""
CANCEL_GRACE_S = 1.2
"""How long a cancelled child may take to end by itself before it is killed."""
START_PHASE = "start"
"""Before its first."""
END_GRACE_S = 2.0
"""How long a child may take to leave after its terminal message."""
LAST_WORD_S = 5.0
"""How long the last message of a child that has left may take to be read: a large answer, on a busy machine."""
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
        options: Which Python runs it, and its limits; that of memory is kept by a guard (`guarded`), and by the kernel
            besides where a user may ask for that (`memory_scope`).
        on_message: Called with every message before the terminal one.
        cancel: Polled; once set, this function returns within 2 s whatever the child does.
        on_started: Called once with the child's process id.
        turns: What is put in here is sent to the child.

    Returns:
        The child's own terminal message, or a `Failed` of a kind of `app.core.types.faults`: how it ended, what it
        said that was no message, ``memory_limit``, ``hung``, ``timeout``, ``cancelled``, or ``missing`` (could not be
        started).
    """
    arguments = options.command or worker_command(options.interpreter)
    with temporary_files() as places:
        environment = worker_environment(options.interpreter, {**places, **options.environment})
        try:
            child = _Child(arguments, environment, options, code_files(request.arguments))
        except OSError as error:
            return _not_started(arguments[0], error)
        try:
            if on_started is not None:
                on_started(child.pid)
            child.send(encode_message(request))
            return _converse(child, on_message, cancel, options, turns)
        finally:
            child.kill()


def _converse(
    child: _Child,
    on_message: Callable[[LiveMessage], None] | None,
    cancel: CancelFlag | None,
    options: ChildOptions,
    turns: Turns | None,
) -> Done | Failed:
    """Pass messages on until a terminal one, a fault, a cancel, the time limit or a silence that is too long."""
    clock, heart = AwakeClock(), None
    if options.patience is not None:
        heart = Heartbeat(options.patience, look=lambda: read_tree(child.pid))
    while True:
        if cancel is not None and cancel.is_set():
            return _cancel(child)
        if options.timeout_s is not None and clock() > options.timeout_s:
            limit = format_number(options.timeout_s, "g")
            return child.failed("timeout", phrase("the child took longer than {timeout} s", timeout=limit))
        if turns is not None and not turns.empty():
            child.send(encode_message(turns.get()))
        item = child.next(_POLL_S if turns is None else _TURN_POLL_S)
        if item is None:
            silent_s = None if heart is None else heart.overdue_s()
            if silent_s is not None:
                return _hung(child, silent_s)
            continue
        if isinstance(item, Done | Failed):
            child.let_go()
            return item
        if isinstance(item, BadLine):
            return child.failed(item.kind, item.problem)
        if isinstance(item, Closed):
            return child.ended(half_line=item.half_line)
        if heart is not None:
            heart.beat(item)
        if isinstance(item, Phase):
            child.phase = item.name
        if on_message is not None:
            on_message(item)


def _cancel(child: _Child) -> Done | Failed:
    """Ask the child to stop, then make it."""
    deadline = time.monotonic() + CANCEL_GRACE_S
    child.send(_CANCEL_LINE)
    while (left := deadline - time.monotonic()) > 0:
        item = child.next(min(left, _POLL_S))
        if isinstance(item, Done | Failed):
            return item
        if isinstance(item, BadLine | Closed):
            break
    return child.failed("cancelled", "cancelled")


def _hung(child: _Child, silent_s: float) -> Failed:
    """Ask a child that is silent for too long where it is, then end it."""
    ask_where(child.pid)
    words = phrase(
        "the child said nothing for {silent} s during {phase} and was ended",
        silent=format_number(silent_s, ".0f"),
        phase=child.phase or START_PHASE,
    )
    return child.failed("hung", words)


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
    """The process under guard, its three pipes and the threads that serve them."""

    def __init__(
        self, arguments: Sequence[str], environment: dict[str, str], options: ChildOptions, user_files: frozenset[str]
    ) -> None:
        self.phase: str | None = None
        self._user_files = user_files
        self._oom_kills = oom_kills()
        self._guarded = start_guarded(
            arguments,
            environment,
            None if options.command else worker_folder(options.interpreter),
            limit_bytes=options.allowed_bytes(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.pid = self._guarded.pid
        if options.low_priority:
            lower_priority(self.pid)
        self._process = self._guarded.process
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._stdin = stdin
        self._messages = MessageReader(stdout, options.max_line_bytes)
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
            return self._messages.get(LAST_WORD_S) or Closed()
        return item

    def ended(self, *, half_line: bool) -> Failed:
        """What it means that the child closed its pipe: the guard ended it, it left, or it lives on without a word."""
        code = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(KILL_WAIT_S)
        held_bytes, said = self._guarded.held_bytes, self._stderr.lines(KILL_WAIT_S)
        if held_bytes is not None:
            return above_limit(held_bytes, self._guarded.limit_bytes, self.phase, said)
        now = oom_kills()
        return crash_report(
            code,
            said,
            self.phase,
            half_line=half_line,
            oom_killed=None if now is None or self._oom_kills is None else now > self._oom_kills,
            user_files=self._user_files,
        )

    def failed(self, kind: str, message: str) -> Failed:
        """End the child and say why."""
        self.kill()
        dump = take_apart(self._stderr.lines(KILL_WAIT_S))
        where, hint = dump.where(self._user_files), fault(kind).hint
        return Failed(kind, verbatim(message), hint=hint, phase=self.phase, where=where, stderr=dump.lines())

    def let_go(self) -> None:
        """Give a child that said its last word a moment to leave by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_GRACE_S)

    def kill(self) -> None:
        """End the child and everything it started; returns soon even if the system cannot end it."""
        self._guarded.end()
        self._messages.close()
        self._stderr.close()
        if self._writer is not None:
            self._writer.join(KILL_WAIT_S)
        with contextlib.suppress(OSError):
            self._stdin.close()
