"""Record one training step: every operation and every request to the allocator, as ``tf.profiler`` logs them.

Operations are events called ``name:kind`` on the host's threads (``OpKernel::TraceString``), kernels with the
fact ``tf_op`` or ``hlo_op`` on a card's streams, and instructions with the fact ``hlo_op`` where XLA compiled the
step.  Requests are described in `app.core.types.allocator_events`.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.types.allocator_events import AllocatorEvent
from app.core.types.step_profile import OperationEvent
from app.core.types.text import phrase
from app.worker.recording.requests import MARK, marked_step
from app.worker.recording.xspace import Event, operations_of_instructions, read_space

TAKEN, RELEASED = "MemoryAllocation", "MemoryDeallocation"
_HOST_LEVEL = 2
"""Level 1 logs requests and dear operations, level 2 all operations, level 3 what the runtime does for itself."""
_OPERATION = re.compile(r"^(?P<name>[\w.\-/]+):(?P<kind>_?[A-Za-z]\w*)$")
_NUMBERED = re.compile(r"([._]\d+)+$")
_END = "end: "
_PS = 1e-12
_FACTS = frozenset(
    "allocator_name addr allocation_bytes bytes_allocated tf_op region_type fragmentation hlo_op name".split()
)
_NOISE = ("ThreadpoolListener", "ExecutorState", "Eager", "TFE_")


@dataclass(frozen=True)
class Recording:
    """One step as it was recorded; times count from its beginning."""

    step_s: float
    requests: tuple[AllocatorEvent, ...]
    operations: tuple[OperationEvent, ...]


def record(step: Callable[[], None], *, on_gpu: bool) -> bytes:
    """Run a step under the profiler and return what it wrote, an ``XSpace``.

    Raises:
        FileNotFoundError: The profiler wrote nothing.
    """
    import tensorflow as tf

    profiler = tf.profiler.experimental
    options = profiler.ProfilerOptions(
        host_tracer_level=_HOST_LEVEL, python_tracer_level=0, device_tracer_level=1 if on_gpu else 0
    )
    with tempfile.TemporaryDirectory(prefix="willittrain-") as folder:
        profiler.start(folder, options)
        stopped = False
        try:
            with marked_step(0):
                step()
            profiler.stop()
            stopped = True
        finally:
            if not stopped:
                profiler.stop(save=False)
        written = sorted(Path(folder).rglob("*.xplane.pb"))
        if not written:
            raise FileNotFoundError(phrase("the profiler wrote no trace"))
        return written[-1].read_bytes()


def read_recording(content: bytes, *, on_gpu: bool) -> Recording:
    """What a profile of one marked step says.

    Raises:
        ValueError: It is no profile, or no step was marked in it.
    """
    events = list(read_space(content, lambda plane, name: not name.startswith(_NOISE), _FACTS))
    mark = next((event for event in events if event.name.startswith(MARK)), None)
    if mark is None:
        raise ValueError(phrase("no step is marked in the profile"))
    begun, ended = mark.start_ps, mark.start_ps + mark.duration_ps
    during = [e for e in events if begun <= e.start_ps <= ended]
    requests = sorted(_requests(during, begun, "GPU" if on_gpu else "cpu"), key=lambda event: event.t_s)
    operations = sorted(_operations(during, begun, on_gpu=on_gpu), key=lambda event: event.t_s)
    origins = operations_of_instructions(content)
    operations = [replace(operation, name=origins.get(operation.name, operation.name)) for operation in operations]
    return Recording(mark.duration_ps * _PS, tuple(requests), tuple(operations))


def _requests(events: Iterable[Event], begun_ps: int, allocator: str) -> Iterable[AllocatorEvent]:
    """The requests to one device's allocator; one without an operation belongs to the thread's last one.

    The processor's is called ``bfc_cpu_allocator_for_gpu``, a card's ``GPU_0_bfc``.
    """
    last: dict[tuple[str, int], str] = {}
    for event in sorted(events, key=lambda event: event.start_ps):
        if event.name not in (TAKEN, RELEASED) or allocator not in event.facts.get("allocator_name", ""):
            continue
        facts, thread = event.facts, (event.line, event.line_id)
        operation = facts.get("tf_op") or last.get(thread, "")
        last[thread] = operation
        yield AllocatorEvent(
            t_s=(event.start_ps - begun_ps) * _PS,
            taken=event.name == TAKEN,
            address=int(facts["addr"]),
            size_bytes=int(facts["allocation_bytes"]),
            in_use_bytes=int(facts["bytes_allocated"]),
            operation=operation,
            scratch=facts.get("region_type") == "temp",
            fragmentation=float(facts.get("fragmentation", "nan")),
        )


def _operations(events: Iterable[Event], begun_ps: int, *, on_gpu: bool) -> Iterable[OperationEvent]:
    """What ran on the device, each operation with its own time only: without those that ran inside it."""
    by_thread: dict[tuple[str, str, int], list[Event]] = defaultdict(list)
    for event in events:
        if event.plane.startswith("/device:GPU") == on_gpu:
            by_thread[event.plane, event.line, event.line_id].append(event)
    ends = _ends(events)
    for thread in by_thread.values():
        named = [(event, named) for event in thread if (named := _named(event)) is not None]
        for (event, (name, kind)), own_ps in zip(named, _own_ps([event for event, _ in named]), strict=True):
            later = ends.get((name, kind))
            if later is not None and later > event.start_ps + event.duration_ps:
                own_ps = later - event.start_ps  # begun here, ended by another thread
            yield OperationEvent((event.start_ps - begun_ps) * _PS, own_ps * _PS, name, kind, event.line)


def _named(event: Event) -> tuple[str, str] | None:
    """Name and kind of an event that is an operation."""
    facts = event.facts
    scope = facts.get("tf_op") or facts.get("name") or ""
    if isinstance(scope, str) and (found := _OPERATION.match(scope)) is not None:
        return found["name"], found["kind"]
    instruction = facts.get("hlo_op")
    if instruction and not event.name.startswith(_END):
        return str(instruction), _NUMBERED.sub("", str(instruction))
    found = _OPERATION.match(event.name)
    if found is None or found["name"] == found["kind"]:
        return None
    return found["name"], found["kind"]


def _ends(events: Iterable[Event]) -> dict[tuple[str, str], int]:
    """When instructions ended that began on one thread and ended on another."""
    return {
        (name := event.name.removeprefix(_END), _NUMBERED.sub("", name)): event.start_ps + event.duration_ps
        for event in events
        if event.name.startswith(_END)
    }


def _own_ps(events: list[Event]) -> list[int]:
    """Duration of each event less that of the events inside it; all of one thread."""
    order = sorted(range(len(events)), key=lambda i: (events[i].start_ps, -events[i].duration_ps))
    own = [event.duration_ps for event in events]
    open_: list[int] = []
    for i in order:
        event = events[i]
        while open_ and events[open_[-1]].start_ps + events[open_[-1]].duration_ps <= event.start_ps:
            open_.pop()
        if open_:
            own[open_[-1]] -= event.duration_ps
        open_.append(i)
    return [max(0, duration) for duration in own]


def as_trace_events(recording: Recording) -> list[dict[str, Any]]:
    """The step in the Trace Event Format, which Perfetto and chrome://tracing open.

    Complete events (``X``) for operations, a counter (``C``) for the bytes in use, metadata (``M``) for names; times
    in microseconds.  Format: "Trace Event Format", the document of the Chromium project.
    """
    threads = {name: number for number, name in enumerate(sorted({o.thread for o in recording.operations}), start=1)}
    made: list[dict[str, Any]] = [
        {"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": phrase("training step")}},
        *(
            {"name": "thread_name", "ph": "M", "pid": 1, "tid": number, "args": {"name": name or "thread"}}
            for name, number in threads.items()
        ),
    ]
    made += [
        {
            "name": operation.name,
            "cat": operation.kind,
            "ph": "X",
            "pid": 1,
            "tid": threads[operation.thread],
            "ts": round(operation.t_s * 1e6, 3),
            "dur": round(operation.duration_s * 1e6, 3),
            "args": {"kind": operation.kind},
        }
        for operation in recording.operations
    ]
    made += [
        {
            "name": phrase("memory in use"),
            "ph": "C",
            "pid": 1,
            "tid": 0,
            "ts": round(request.t_s * 1e6, 3),
            "args": {"bytes": request.in_use_bytes},
        }
        for request in recording.requests
    ]
    return sorted(made, key=lambda event: event.get("ts", -1.0))
