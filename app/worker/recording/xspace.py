"""The profile that TensorFlow writes: an ``XSpace`` (tsl/profiler/protobuf/xplane.proto), event by event.

Most events are of no interest here, and reading one costs microseconds: names are asked about once each, before
any event is read.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app.core.types.text import phrase
from app.worker.recording.wire import fields, number, text

_PROGRAMS = "/host:metadata"
_NO_PROFILE = (TypeError, LookupError, RuntimeError, struct.error)
"""A number where a message should be, and the like; an event without parts ends the generator that reads it."""


@dataclass(frozen=True)
class Event:
    """One event of one thread of the host or one stream of a device; times in picoseconds."""

    plane: str
    line: str
    line_id: int
    name: str
    start_ps: int
    duration_ps: int
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Names:
    """What the numbers in a plane's events mean: only events and facts that are wanted."""

    plane: str
    events: dict[int, str]
    facts: dict[int, str]
    all_facts: dict[int, str]


def read_space(content: bytes, wanted: Callable[[str, str], bool], facts: frozenset[str]) -> Iterator[Event]:
    """The events of a profile.

    Args:
        content: The file's bytes.
        wanted: Is an event of this plane and name wanted?
        facts: Names of the facts to read of each.

    Raises:
        ValueError: The bytes are no profile.
    """
    try:
        for kind, plane in fields(content):
            if kind == 1:
                yield from _read_plane(plane, wanted, facts)
    except _NO_PROFILE as error:
        raise ValueError(phrase("this is no profile: {error}", error=error)) from error


def operations_of_instructions(content: bytes) -> dict[str, str]:
    """The TensorFlow operation that each instruction of the compiled programs came from, as far as XLA knows.

    The programs lie in the plane ``/host:metadata`` (xla/service/hlo.proto).  A fusion bears the name of its root.

    Raises:
        ValueError: The bytes are no profile.
    """
    try:
        return _operations(content)
    except _NO_PROFILE as error:
        raise ValueError(phrase("this is no profile: {error}", error=error)) from error


def _operations(content: bytes) -> dict[str, str]:
    """The same; raises whatever it meets."""
    found: dict[str, str] = {}
    for kind, plane in fields(content):
        if kind != 1 or text(next((value for part, value in fields(plane) if part == 2), b"")) != _PROGRAMS:
            continue
        for part, entry in fields(plane):
            for program in _programs(entry) if part == 4 else ():
                found.update(_instructions(program))
    return found


def _programs(entry: bytes) -> Iterator[bytes]:
    """XEventMetadata: stats = 5; XStat: bytes = 6, an HloProto."""
    for part, value in fields(dict(fields(entry)).get(2, b"")):
        if part == 5:
            yield from (program for kind, program in fields(value) if kind == 6)


def _instructions(program: bytes) -> Iterator[tuple[str, str]]:
    """HloProto: module = 1; its computations = 3; their instructions = 2: name = 1, metadata = 7 with op_name = 2."""
    for instruction in _within(program, 1, 3, 2):
        parts = dict(fields(instruction))
        operation = text(dict(fields(parts.get(7, b""))).get(2, b""))
        if operation:
            yield text(parts[1]), operation


def _within(message: bytes, *path: int) -> Iterator[bytes]:
    """The messages at a path of field numbers."""
    for kind, value in fields(message):
        if kind == path[0]:
            yield from _within(value, *path[1:]) if path[1:] else (value,)


def _read_plane(plane: bytes, wanted: Callable[[str, str], bool], wanted_facts: frozenset[str]) -> Iterator[Event]:
    """XPlane: name = 2, lines = 3, names of events = 4 and of their facts = 5."""
    title, lines = "", []
    events: dict[int, str] = {}
    facts: dict[int, str] = {}
    for kind, value in fields(plane):
        if kind == 2:
            title = text(value)
        elif kind == 3:
            lines.append(value)
        elif kind == 4:
            events.update([_entry(value)])
        elif kind == 5:
            facts.update([_entry(value)])
    chosen = {number: name for number, name in events.items() if wanted(title, name)}
    known = {number: name for number, name in facts.items() if name in wanted_facts}
    for line in lines if chosen else ():
        yield from _read_line(line, _Names(title, chosen, known, facts))


def _entry(entry: bytes) -> tuple[int, str]:
    """One entry of a map from number to metadata; metadata: name = 2."""
    parts = dict(fields(entry))
    names = dict(fields(parts[2])) if 2 in parts else {}
    return number(parts.get(1, 0)), text(names.get(2, b""))


def _read_line(line: bytes, names: _Names) -> Iterator[Event]:
    """XLine, one thread: id = 1, name = 2, timestamp_ns = 3, events = 4."""
    title, line_id, start_ps, events = "", 0, 0, []
    for kind, value in fields(line):
        if kind == 4:
            events.append(value)
        elif kind == 1:
            line_id = number(value)
        elif kind == 2:
            title = text(value)
        elif kind == 3:
            start_ps = 1000 * number(value)
    for event in events:
        # XEvent: metadata_id = 1 comes first, then offset_ps = 2, duration_ps = 3, stats = 4.
        parts = fields(event)
        name = names.events.get(next(parts)[1])
        if name is None:
            continue
        offset_ps = duration_ps = 0
        found = {}
        for part, value in parts:
            if part == 2:
                offset_ps = value
            elif part == 3:
                duration_ps = value
            elif part == 4:
                stat = fields(value)
                fact = names.facts.get(next(stat)[1])
                if fact is not None:
                    found[fact] = _value(stat, names.all_facts)
        yield Event(names.plane, title, line_id, name, start_ps + offset_ps, duration_ps, found)


def _value(stat: Iterator[tuple[int, Any]], names: dict[int, str]) -> Any:
    """XStat: value = 2 double, 3 and 4 integers, 5 text, 6 bytes, 7 the number of a name."""
    for part, value in stat:
        if part == 2:
            return struct.unpack("<d", value)[0]
        if part in (5, 6):
            return text(value)
        return names.get(value, "") if part == 7 else value
    return None
