"""The child's end of the pipe: claimed before anything else, one JSON line per message.

Standard output carries messages only.  `claim` duplicates it first and points file descriptor 1 at
standard error, so that whatever TensorFlow or the user's model prints (from C as well) cannot be taken
for a message.  Standard input is claimed likewise: a model that reads it gets an end of file and not
our cancel line.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import Any, BinaryIO

from app.core.types.messages import (
    PROTOCOL_VERSION,
    Done,
    Failed,
    Hello,
    Message,
    Paused,
    Phase,
    Progress,
    Reading,
    Request,
    Resume,
    encode,
)
from app.core.types.text import phrase, verbatim

LONGEST_TURN_S = 1e6
READINGS_PER_S = 20.0
"""Live readings are thinned to this rate, so that a fast step costs no time in writing about it."""


class JobFailed(Exception):
    """Ends a job with a `Failed` message; the keywords are its fields."""

    def __init__(self, kind: str, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.fields = fields

    def as_message(self) -> Failed:
        """The message to send."""
        return Failed(self.kind, verbatim(str(self)), **self.fields)


class JobCancelled(Exception):
    """The parent asked the job to stop."""


class ProtocolError(Exception):
    """The request line is not a request of this version."""


class Channel:
    """Sends messages from any thread and remembers whether the parent cancelled.

    After the terminal message (`end`) nothing more is sent.

    Args:
        output: Where lines go; unbuffered.
        lines: Where the request and later lines come from.
    """

    def __init__(self, output: BinaryIO, lines: BinaryIO) -> None:
        self._output = output
        self._lines = lines
        self._lock = threading.Lock()
        self._started = time.perf_counter()
        self._next_reading_s = 0.0
        self._ended = False
        self._cancelled = threading.Event()
        self._turns: queue.SimpleQueue[Resume] = queue.SimpleQueue()
        self.current_phase: str | None = None
        self.partial: dict[str, Any] | None = None
        """What a job found so far; sent along if it fails or is cancelled."""
        self.paused_s = 0.0
        """Time spent waiting for turns."""

    @classmethod
    def claim(cls) -> Channel:
        """Take this process's standard input and output for messages."""
        _binary_mode()
        output = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        lines = os.fdopen(os.dup(0), "rb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return cls(output, lines)

    def elapsed_s(self) -> float:
        """Seconds since the child claimed the channel."""
        return time.perf_counter() - self._started

    def hello(self) -> None:
        """Say that the child is alive."""
        self._send(Hello(os.getpid(), sys.version.split()[0]))

    def phase(self, name: str) -> None:
        """A phase begins."""
        self.current_phase = name
        self._send(Phase(name, self.elapsed_s()))

    def progress(self, fraction: float, text: str = "") -> None:
        """How far the job is, 0..1."""
        self._send(Progress(min(1.0, max(0.0, fraction)), verbatim(text)))

    def reading_due(self) -> bool:
        """Would a reading be sent now?  Ask before taking one that costs time."""
        return self.elapsed_s() >= self._next_reading_s

    def reading(
        self,
        *,
        step: int,
        step_s: float | None = None,
        current_bytes: int | None = None,
        peak_bytes: int | None = None,
        held_bytes: int | None = None,
    ) -> None:
        """Send a live reading, unless the last one was less than ``1 / READINGS_PER_S`` ago."""
        now_s = self.elapsed_s()
        if now_s >= self._next_reading_s:
            self._next_reading_s = now_s + 1 / READINGS_PER_S
            self._send(Reading(now_s, step, step_s, current_bytes, peak_bytes, held_bytes))

    def end(self, message: Done | Failed) -> None:
        """Send the terminal message, if none was sent.

        Raises:
            ValueError: The result holds a number that is not finite; nothing was sent then.
        """
        self._write(encode(message), last=True)

    def cancelled(self) -> bool:
        """Did the parent ask the job to stop?"""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise `JobCancelled` if the parent asked the job to stop."""
        if self._cancelled.is_set():
            raise JobCancelled

    def cancel(self) -> None:
        """Ask the job to stop, as a cancel line does; a job that waits for its turn wakes up."""
        self._cancelled.set()
        self._turns.put(Resume(0.0))

    def pause(self, done: Paused) -> Resume:
        """Say what the last turn did and wait for the next one.

        Returns:
            The next turn, of 0 seconds if there is none.

        Raises:
            JobCancelled: The parent asked the job to stop.
        """
        self._send(done)
        begun = time.perf_counter()
        turn = self._turns.get()
        self.paused_s += time.perf_counter() - begun
        self.check()
        return turn

    def read_request(self) -> Request:
        """Wait for the request line.

        Raises:
            ProtocolError: The line is no request of this version.
            EOFError: The parent closed the pipe before it sent one.
        """
        line = self._lines.readline()
        if not line:
            raise EOFError
        kind, body = _envelope(line)
        if kind != "request" or not isinstance(body.get("job"), str):
            raise ProtocolError(phrase("expected a request, received {kind}", kind=repr(kind)))
        return Request(body["job"], dict(body.get("arguments") or {}))

    def listen(self) -> None:
        """Obey later lines until the parent closes the pipe; returns then."""
        for line in self._lines:
            try:
                kind, body = _envelope(line)
            except ProtocolError:
                continue
            if kind == "cancel":
                self.cancel()
            elif kind == "resume":
                self._turns.put(Resume(_seconds(body.get("seconds")), _seconds(body.get("lead_s"))))

    def _send(self, message: Message) -> None:
        """Encode and write one message that is not terminal."""
        self._write(encode(message), last=False)

    def _write(self, line: bytes, *, last: bool) -> None:
        """Write a whole line; the pipe may take it in pieces."""
        with self._lock:
            if self._ended:
                return
            self._ended = last
            rest = memoryview(line)
            while rest:
                rest = rest[self._output.write(rest) :]


def _seconds(value: Any) -> float:
    """A duration from the parent; what is none counts as 0."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= LONGEST_TURN_S else 0.0


def _envelope(line: bytes) -> tuple[str, dict[str, Any]]:
    """Kind and body of a line from the parent."""
    try:
        envelope = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(phrase("the line is not JSON")) from error
    if not isinstance(envelope, dict) or envelope.get("v") != PROTOCOL_VERSION:
        raise ProtocolError(
            phrase("expected a message of version {protocol_version}", protocol_version=PROTOCOL_VERSION)
        )
    body = envelope.get("body") or {}
    if not isinstance(body, dict):
        raise ProtocolError(phrase("the body is not an object"))
    return str(envelope.get("kind")), body


def _binary_mode() -> None:
    """On Windows keep the C library from translating line ends in our pipes."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, 1):
            msvcrt.setmode(descriptor, os.O_BINARY)
