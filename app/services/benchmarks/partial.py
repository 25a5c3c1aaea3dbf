"""Figures of a child that could not send its own any more: taken from the readings it had sent."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredStep, Measurement, PhaseSpan, Sample
from app.core.types.messages import Reading
from app.core.types.text import phrase
from app.core.types.workload import Workload

PARTIAL = Doubt("partial", phrase("the run ended before its answer: these are the few readings that came until then"))


def partial_measurement(
    workload: Workload, readings: Sequence[Reading], samples: Sequence[Sample], phases: Sequence[PhaseSpan]
) -> Measurement | None:
    """A measurement from the live readings of the phase ``measure``, or None if no step was timed.

    The first step's time is that of the whole phase ``compile``, which hardly does anything else.
    """
    steps = {r.step: r.step_s for r in readings if r.step_s}
    compile_s = next((p.end_s - p.start_s for p in phases if p.name == "compile" and p.end_s is not None), None)
    if not steps or compile_s is None:
        return None
    times = sorted(steps.values())
    peaks = [r.peak_bytes for r in readings if r.peak_bytes is not None]
    median_s, batch = statistics.median(times), workload.plan.batch_size
    count = workload.dataset.samples if workload.dataset else None
    return Measurement(
        step=MeasuredStep(median_s, times[0], times[-1], len(times)),
        first_step_s=compile_s,
        samples_per_s=batch / median_s,
        epoch_s=math.ceil(count / batch) * median_s if count else None,
        memory=MeasuredMemory(
            allocator_peak_bytes=max(peaks, default=None),
            host_bytes=max((s.ram_bytes for s in samples if s.ram_bytes is not None), default=None),
        ),
        doubts=(PARTIAL,),
    )
