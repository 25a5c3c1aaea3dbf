"""The profile that TensorFlow writes: an ``XSpace`` (tsl/profiler/protobuf/xplane.proto), event by event.

Most events are of no interest here, and looking into one costs a microsecond: names are asked about once each, before
any event is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app.worker.recording.messages import parse

_PROGRAMS = b"/host:metadata"


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


def read_space(content: bytes, wanted: Callable[[str, str], bool], facts: frozenset[str]) -> Iterator[Event]:
    """The events of a profile.

    Args:
        content: The file's bytes.
        wanted: Is an event of this plane and name wanted?
        facts: Names of the facts to read of each.

    Raises:
        ValueError: The bytes are no profile.
    """
    for plane in parse("XSpace", content).planes:
        yield from _read_plane(plane, wanted, facts)


def operations_of_instructions(content: bytes) -> dict[str, str]:
    """The TensorFlow operation that each instruction of the compiled programs came from, as far as XLA knows.

    The programs lie in the plane ``/host:metadata`` (xla/service/hlo.proto).  A fusion bears the name of its root.

    Raises:
        ValueError: The bytes are no profile.
    """
    return {
        _text(instruction.name): _text(instruction.metadata.op_name)
        for plane in parse("XSpace", content).planes
        if plane.name == _PROGRAMS
        for entry in plane.event_metadata
        for stat in entry.value.stats
        if stat.HasField("bytes_value")
        for computation in parse("HloProto", stat.bytes_value).hlo_module.computations
        for instruction in computation.instructions
        if instruction.metadata.op_name
    }


def _read_plane(plane: Any, wanted: Callable[[str, str], bool], wanted_facts: frozenset[str]) -> Iterator[Event]:
    """The events of one plane."""
    title = _text(plane.name)
    facts = {entry.key: _text(entry.value.name) for entry in plane.stat_metadata}
    names = {entry.key: _text(entry.value.name) for entry in plane.event_metadata}
    chosen = {key: name for key, name in names.items() if wanted(title, name)}
    known = {key: name for key, name in facts.items() if name in wanted_facts}
    for line in plane.lines if chosen else ():
        thread, line_id, start_ps = _text(line.name), line.id, 1000 * line.timestamp_ns
        for event in line.events:
            name = chosen.get(event.metadata_id)
            if name is not None:
                found = {known[s.metadata_id]: _value(s, facts) for s in event.stats if s.metadata_id in known}
                yield Event(title, thread, line_id, name, start_ps + event.offset_ps, event.duration_ps, found)


def _value(stat: Any, names: dict[int, str]) -> Any:
    """What a fact says: a number, a text, or the number of a name; None if it says nothing."""
    for kind in ("uint64_value", "int64_value", "double_value"):
        if stat.HasField(kind):
            return getattr(stat, kind)
    if stat.HasField("ref_value"):
        return names.get(stat.ref_value, "")
    for kind in ("str_value", "bytes_value"):
        if stat.HasField(kind):
            return _text(getattr(stat, kind))
    return None


def _text(content: bytes) -> str:
    """A text, whatever it holds."""
    return content.decode("utf-8", "replace")
