"""Read a child's pipes in threads of their own, bounded whatever the child writes."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
from collections import deque
from dataclasses import dataclass
from typing import IO

import msgspec

from app.catalog import typed_json
from app.core.types.messages import (
    KINDS,
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
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.text import phrase

log = logging.getLogger("app.worker")

_CHUNK_BYTES = 64 * 1024
_QUEUED_MESSAGES = 1000
STDERR_LINES = 240
"""Enough for the stacks of a crash and what was said before; far fewer are passed on (`stack_dump`)."""
STDERR_LINE_CHARACTERS = 500


@dataclass(frozen=True)
class BadLine:
    """A line that is not a message; ``kind`` tells garbage from a message of another version."""

    problem: str
    kind: str = "garbled"


@dataclass(frozen=True)
class Closed:
    """The child closed its end; ``half_line`` if it was in the middle of a message."""

    half_line: bool = False


FromChild = Hello | Phase | Progress | Reading | Paused | Done | Failed
Item = FromChild | BadLine | Closed


class _Envelope(msgspec.Struct):
    """The outside of every message."""

    v: int
    kind: str
    body: msgspec.Raw = msgspec.Raw(b"{}")


def decode_line(line: bytes) -> FromChild | BadLine:
    """Decode one line from the child, strictly."""
    try:
        envelope = typed_json.decode(line, _Envelope)
        if envelope.v != PROTOCOL_VERSION:
            problem = phrase(
                "the child speaks version {v}, expected {protocol_version}",
                v=envelope.v,
                protocol_version=PROTOCOL_VERSION,
            )
            return BadLine(problem, "other_version")
        kind = KINDS.get(envelope.kind)
        if kind is None or kind in (Request, Resume):
            return BadLine(
                phrase("the child sent an unknown kind of message: {shown}", shown=_shown(envelope.kind.encode()))
            )
        message: FromChild = typed_json.decode(envelope.body, kind)
        if not isinstance(message, Done):  # whoever asked for its result knows what it must be
            check_plausible(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Implausible) as error:
        return BadLine(
            phrase("the child wrote a line that is not a message: {shown} ({error})", shown=_shown(line), error=error)
        )
    return message


def _shown(line: bytes) -> str:
    """The start of a line, safe to print."""
    return repr(line[:80].decode("utf-8", "replace"))


class MessageReader:
    """Messages from a pipe, in order.  Reads ahead at most `_QUEUED_MESSAGES`; then the child waits."""

    def __init__(self, pipe: IO[bytes], max_line_bytes: int) -> None:
        self._pipe = pipe
        self._max_line_bytes = max_line_bytes
        self._queue: queue.Queue[Item] = queue.Queue(_QUEUED_MESSAGES)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, name="worker-stdout", daemon=True)
        self._thread.start()

    def get(self, wait_s: float) -> Item | None:
        """The next item, or None after ``wait_s``."""
        with contextlib.suppress(queue.Empty):
            return self._queue.get(timeout=wait_s)
        return None

    def close(self) -> None:
        """Stop reading and close the pipe."""
        self._stopped.set()
        _close_after(self._thread, self._pipe)

    def _read(self) -> None:
        """Split the pipe into lines until it closes or a line is bad."""
        rest = bytearray()
        while chunk := _read_chunk(self._pipe):
            *lines, tail = chunk.split(b"\n")
            for line in lines:
                rest += line
                item = self._too_long() if len(rest) > self._max_line_bytes else decode_line(bytes(rest))
                rest.clear()
                self._put(item)
                if isinstance(item, BadLine) or self._stopped.is_set():
                    return
            rest += tail
            if len(rest) > self._max_line_bytes:
                self._put(self._too_long())
                return
        self._put(Closed(half_line=bool(rest)))

    def _too_long(self) -> BadLine:
        """A line above the limit."""
        return BadLine(phrase("the child wrote a line longer than {max_line} bytes", max_line=self._max_line_bytes))

    def _put(self, item: Item) -> None:
        """Queue an item; give up once closed."""
        while not self._stopped.is_set():
            with contextlib.suppress(queue.Full):
                self._queue.put(item, timeout=0.1)
                return


class StderrTail:
    """The last lines of a child's standard error."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lines: deque[str] = deque(maxlen=STDERR_LINES)
        self._thread = threading.Thread(target=self._read, name="worker-stderr", daemon=True)
        self._thread.start()

    def lines(self, wait_s: float = 0.0) -> tuple[str, ...]:
        """What was read; waits up to ``wait_s`` for the pipe to close."""
        self._thread.join(wait_s)
        return tuple(self._lines)

    def close(self) -> None:
        """Close the pipe."""
        _close_after(self._thread, self._pipe)

    def _read(self) -> None:
        """Keep the newest lines; an endless line is cut."""
        rest = b""
        while chunk := _read_chunk(self._pipe):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[-STDERR_LINES:]:  # of a flood, those before would be pushed out anyway
                self._keep(line)
            rest = rest[-_CHUNK_BYTES:]
        self._keep(rest)

    def _keep(self, line: bytes) -> None:
        """Remember one line, shortened."""
        text = line[: STDERR_LINE_CHARACTERS * 4].decode("utf-8", "replace").rstrip()[:STDERR_LINE_CHARACTERS]
        if text:
            self._lines.append(text)
            log.debug("child: %s", text)


def _read_chunk(pipe: IO[bytes]) -> bytes:
    """Whatever the pipe holds, at least one byte; empty at its end."""
    with contextlib.suppress(OSError, ValueError):
        return os.read(pipe.fileno(), _CHUNK_BYTES)
    return b""


def _close_after(thread: threading.Thread, pipe: IO[bytes]) -> None:
    """Close a pipe once its reader left; a descriptor in use is never closed under a reader.

    A reader can only stay when a process that survived the kill holds the pipe; then a waiting thread
    closes it later.
    """
    thread.join(0.2)
    if thread.is_alive():
        threading.Thread(target=_join_and_close, args=(thread, pipe), name="worker-pipe", daemon=True).start()
    else:
        pipe.close()


def _join_and_close(thread: threading.Thread, pipe: IO[bytes]) -> None:
    """Close a pipe when its reader left."""
    thread.join()
    pipe.close()
