"""What the parent and the child process say to each other: JSON lines, versioned.

Parent to child: one request line, later perhaps ``{"v": 1, "kind": "cancel"}``.  Child to parent: any
number of `Progress`, `Phase` and `Reading` lines, then exactly one `Done` or `Failed`.  The child
writes with `encode` (standard library only); the parent decodes with msgspec into these types.

A child that was asked to measure in turns says `Paused` where its measurement begins and after each turn, and
waits there until the parent sends `Resume`, so that several children can take turns on one machine.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from app.core.types.text import Text, to_plain

TOKEN_VARIABLE = "WILLITTRAIN_CHILD"
"""Environment variable of a child, which every process that descends from it inherits: what they are ended by."""

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 64 * 1024 * 1024
"""A step graph of a large network takes a few MB; a longer line is refused."""


@dataclass(frozen=True)
class Request:
    """What the child shall do: a name of `app.worker.main.JOBS`, with its arguments."""

    job: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Resume:
    """Parent to child that paused: measure for ``seconds``, at least one step; 0 for no more turns.

    Steps of the first ``lead_s`` do not count, nor does the first step if it is short beside the turn.
    """

    seconds: float
    lead_s: float = 0.0


@dataclass(frozen=True)
class Hello:
    """First message: the child is alive and speaks this version."""

    pid: int
    python_version: str


@dataclass(frozen=True)
class Phase:
    """A phase begins.  ``t_s`` counts from the start of the child."""

    name: str
    t_s: float


@dataclass(frozen=True)
class Progress:
    """How far the job is, 0..1, what it does, in a few words, and how long it will take, where somebody can tell."""

    fraction: float
    text: Text = Text()
    left_s: float | None = None


@dataclass(frozen=True)
class Reading:
    """One live reading of a benchmark inside the child."""

    t_s: float
    step: int
    step_s: float | None = None
    current_bytes: int | None = None
    peak_bytes: int | None = None
    held_bytes: int | None = None
    """What the allocator holds of the device; TensorFlow's does not tell while it runs."""


@dataclass(frozen=True)
class Paused:
    """The child waits for `Resume`, and what it did since the last: steps that count, their time, its CPU time."""

    steps: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0


@dataclass(frozen=True)
class Done:
    """Terminal: the job succeeded; ``result`` is a JSON object whose shape the job defines."""

    result: dict[str, Any]


@dataclass(frozen=True)
class Failed:
    """Terminal: the job failed in a way the child could tell.

    ``kind`` is a word of `app.core.types.faults`; the parent adds those for a child that ended without one.
    """

    kind: str
    message: Text
    hint: Text = Text()
    phase: str | None = None
    where: str | None = None
    expected: Text = Text()
    received: Text = Text()
    needed_bytes: int | None = None
    had_bytes: int | None = None
    missing_module: str | None = None
    """What the author's code imports and this Python lacks."""
    partial: dict[str, Any] | None = None
    stderr: tuple[str, ...] = ()
    """Last lines of the child's standard error; the parent adds them."""


Message = Hello | Phase | Progress | Reading | Paused | Done | Failed

KINDS: dict[str, type[Any]] = {
    "request": Request,
    "resume": Resume,
    "hello": Hello,
    "phase": Phase,
    "progress": Progress,
    "reading": Reading,
    "paused": Paused,
    "done": Done,
    "failed": Failed,
}
_NAMES = {cls: kind for kind, cls in KINDS.items()}


def encode(message: Message | Request | Resume) -> bytes:
    """Write a message as one line of JSON, newline included.

    NaN and infinity are refused: JSON does not know them.  A name on a Linux disk may be no text; Python then holds
    lone surrogates, which the parent's reader refuses: it gets a question mark for each, and the child gets them whole.

    Raises:
        ValueError: A number is not finite.
    """
    body = {f.name: to_plain(getattr(message, f.name)) for f in dataclasses.fields(message)}
    envelope = {"v": PROTOCOL_VERSION, "kind": _NAMES[type(message)], "body": body}
    exact = isinstance(message, Request)
    line = json.dumps(envelope, allow_nan=False, separators=(",", ":"), ensure_ascii=exact)
    return line.encode("utf-8", "replace") + b"\n"
