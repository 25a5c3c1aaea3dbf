"""What was seen of a run from outside, beside what its child read of its allocator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.core.runs.memory_course import seen_from_outside
from app.core.types.measurement import Measurement, PhaseSpan, Sample
from app.core.types.memory_over_time import OutsideView


def with_outside_view(
    measured: Measurement | None, samples: Sequence[Sample], phases: Sequence[PhaseSpan]
) -> Measurement | None:
    """The measurement with resident memory (the process and its children) and the driver's view at each point.

    Held memory is known for the end of the run only; what an allocator takes it keeps, so that it was never more.

    Args:
        measured: What the child found.
        samples: Taken from outside; their time counts from the start of the run.
        phases: When the measurement began, which is where the points' time counts from.
    """
    begun_s = next((span.start_s for span in phases if span.name == "measure"), None)
    if measured is None or begun_s is None or not measured.memory_over_time:
        return measured
    views = [OutsideView(s.t_s - begun_s, s.ram_bytes, s.gpu_memory_bytes) for s in samples if s.ram_bytes is not None]
    *points, last = seen_from_outside(measured.memory_over_time, views)
    return replace(measured, memory_over_time=(*points, replace(last, held_bytes=measured.memory.held_bytes)))
