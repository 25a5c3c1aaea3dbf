"""Every request to TensorFlow's allocator, as the profiler's host tracer logs it.

``MemoryAllocation`` and ``MemoryDeallocation`` come from tsl/framework/bfc_allocator.cc, for the
processor's allocator (``TF_CPU_ALLOCATOR_USE_BFC=true``) as for a card's; they name the operation and the
address.  The log is an ``XSpace`` (`app.worker.recording.xspace`).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.core.types.text import phrase
from app.worker.recording.xspace import Event, read_space

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
            read_log(path.read_bytes(), log, on_gpu=on_gpu)
    log.requests.sort(key=lambda r: r.time_ps)
    log.marks.sort()


@contextmanager
def marked_step(number_of_step: int) -> Iterator[None]:
    """Mark a training step in the record."""
    import tensorflow as tf

    with tf.profiler.experimental.Trace(MARK, step_num=number_of_step):
        yield


def read_log(content: bytes, log: Log, *, on_gpu: bool) -> None:
    """Add what a profile says of requests to one device's allocator, and of marked steps.

    Raises:
        ValueError: The bytes are no profile.
    """
    threads: dict[tuple[str, str, int], list[Event]] = defaultdict(list)
    for event in read_space(content, lambda plane, name: name in (_TAKEN, _RELEASED) or name.startswith(MARK), _FACTS):
        threads[event.plane, event.line, event.line_id].append(event)
    try:
        for events in threads.values():
            _add(sorted(events, key=lambda event: event.start_ps), log, on_gpu)
    except (
        LookupError,
        TypeError,
        AttributeError,
        OverflowError,
    ) as error:  # a request without an address, a number for a name
        raise ValueError(phrase("this is no profile: {error}", error=error)) from error


def _add(events: list[Event], log: Log, on_gpu: bool) -> None:
    """The events of one thread in time order."""
    operation = ""
    for event in events:
        facts = event.facts
        if event.name.startswith(MARK):
            log.marks.append(event.start_ps)
        elif facts.get("allocator_name", "").startswith("GPU") == on_gpu:
            named = facts.get("tf_op", "")
            operation = named or operation
            address, size_bytes = int(facts["addr"]), int(facts["requested_bytes"])
            log.requests.append(
                Request(event.start_ps, event.name == _TAKEN, address, size_bytes, named or operation + "?")
            )
