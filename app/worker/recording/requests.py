"""Every request to TensorFlow's allocator, as the profiler's host tracer logs it.

``MemoryAllocation`` and ``MemoryDeallocation`` come from tsl/framework/bfc_allocator.cc, for the
processor's allocator (``TF_CPU_ALLOCATOR_USE_BFC=true``) as for a card's; they name the operation and the
address.  The log is an ``XSpace`` (tsl/profiler/protobuf/xplane.proto), read here without TensorBoard.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.types.text import phrase
from app.worker.recording.wire import fields, number, text

MARK = "willittrain step"
_TAKEN, _RELEASED = "MemoryAllocation", "MemoryDeallocation"
_FACTS = frozenset({"allocator_name", "addr", "requested_bytes", "tf_op"})


@dataclass(frozen=True)
class Request:
    """One request; ``size_bytes`` is what was asked for, not what was handed out."""

    time_ps: int
    taken: bool
    address: int
    size_bytes: int
    operation: str
    """The operation that asked, or the last named one of the same thread with a question mark."""


@dataclass
class Log:
    """What was recorded, in time order."""

    requests: list[Request] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    """When each marked step began."""

    def split(self, time_ps: int) -> tuple[Log, Log]:
        """What was before a moment, and what came from then on."""
        before = Log([r for r in self.requests if r.time_ps < time_ps], [m for m in self.marks if m < time_ps])
        after = Log([r for r in self.requests if r.time_ps >= time_ps], [m for m in self.marks if m >= time_ps])
        return before, after


@contextmanager
def recorded(log: Log, *, on_gpu: bool) -> Iterator[None]:
    """Record what happens inside into ``log``."""
    import tensorflow as tf

    profiler = tf.profiler.experimental
    options = profiler.ProfilerOptions(host_tracer_level=1, python_tracer_level=0, device_tracer_level=0)
    with tempfile.TemporaryDirectory(prefix="willittrain-") as folder:
        profiler.start(folder, options)
        stopped = False
        try:
            yield
            profiler.stop()
            stopped = True
        finally:
            if not stopped:
                profiler.stop(save=False)
        for path in sorted(Path(folder).rglob("*.xplane.pb")):
            _read_space(path.read_bytes(), log, on_gpu)
    log.requests.sort(key=lambda r: r.time_ps)
    log.marks.sort()


@contextmanager
def marked_step(number_of_step: int) -> Iterator[None]:
    """Mark a training step in the record."""
    import tensorflow as tf

    with tf.profiler.experimental.Trace(MARK, step_num=number_of_step):
        yield


def _read_space(content: bytes, log: Log, on_gpu: bool) -> None:
    """XSpace: planes = 1.

    Raises:
        ValueError: The bytes are no profile.
    """
    try:
        for kind, plane in fields(content):
            if kind == 1:
                _read_plane(plane, log, on_gpu)
    except (TypeError, LookupError, StopIteration, RuntimeError) as error:  # a number where a message should be
        raise ValueError(phrase("this is no profile: {error}", error=error)) from error


def _read_plane(plane: Any, log: Log, on_gpu: bool) -> None:
    """XPlane: lines = 3, names of events = 4 and of their facts = 5."""
    lines: list[Any] = []
    events: dict[int, str] = {}
    facts: dict[int, str] = {}
    for kind, value in fields(plane):
        if kind == 3:
            lines.append(value)
        elif kind == 4:
            events.update([_entry(value)])
        elif kind == 5:
            facts.update([_entry(value)])
    wanted = {i: name for i, name in events.items() if name in (_TAKEN, _RELEASED) or name.startswith(MARK)}
    if wanted:
        for line in lines:
            _read_line(line, wanted, facts, log, on_gpu)


def _entry(entry: Any) -> tuple[int, str]:
    """One entry of a map from number to metadata; metadata: name = 2."""
    parts = dict(fields(entry))
    names = dict(fields(parts[2])) if 2 in parts else {}
    return number(parts.get(1, 0)), text(names.get(2, b""))


def _read_line(line: Any, wanted: dict[int, str], facts: dict[int, str], log: Log, on_gpu: bool) -> None:
    """XLine, one thread: timestamp_ns = 3, events = 4."""
    parts = [(kind, value) for kind, value in fields(line) if kind in (3, 4)]
    start_ps = 1000 * next((number(value) for kind, value in parts if kind == 3), 0)
    known = {i: name for i, name in facts.items() if name in _FACTS}
    found = []
    for kind, event in parts:
        if kind == 4:
            # XEvent: metadata_id = 1 comes first, so that uninteresting events are passed over at once.
            name = wanted.get(next(fields(event))[1])
            if name is not None:
                found.append((name, _event(event, known, facts)))
    operation = ""
    for name, event in sorted(found, key=lambda pair: pair[1]["offset_ps"]):
        time_ps = start_ps + event["offset_ps"]
        if name.startswith(MARK):
            log.marks.append(time_ps)
        elif event.get("allocator_name", "").startswith("GPU") == on_gpu:
            named = event.get("tf_op", "")
            operation = named or operation
            log.requests.append(
                Request(time_ps, name == _TAKEN, event["addr"], event["requested_bytes"], named or operation + "?")
            )


def _event(event: bytes, known: dict[int, str], names: dict[int, str]) -> dict[str, Any]:
    """XEvent: offset_ps = 2, stats = 4; XStat: metadata_id = 1, value = 2 to 7, of which 7 is a name's number."""
    found: dict[str, Any] = {"offset_ps": 0}
    for kind, value in fields(event):
        if kind == 2:
            found["offset_ps"] = value
        elif kind == 4:
            stat = fields(value)
            name = known.get(next(stat)[1])
            if name is None:
                continue
            part, content = next(stat)
            if part in (5, 6):
                content = text(content)
            elif part == 7:
                content = names.get(content, "")
            found[name] = content
    return found
