"""The JSON of memory over time, of a profiled step, and of compared peaks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from app.core.types.measurement import Measurement
from app.core.types.run import Run
from app.presentation.profile import compare_runs, curves


def profile_json(measured: Measurement) -> dict[str, Any]:
    """Two keys of "measured"; ``profile`` is null where no step was profiled, and ``profile_skipped`` says why."""
    return {
        "memory_over_time": [dataclasses.asdict(point) for point in measured.memory_over_time],
        "profile": None if measured.profile is None else dataclasses.asdict(measured.profile),
        "profile_skipped": measured.profile_skipped or None,
    }


def peaks_json(runs: Sequence[Run]) -> dict[str, Any]:
    """Peaks as bars, which is the largest and by what, and the curves to lay over each other."""
    compared = compare_runs(runs)
    largest = compared.largest
    return {
        "names": list(compared.names),
        "peak_bytes": list(compared.peaks),
        "largest": None if largest is None else runs[largest].run_id,
        "more_bytes": compared.more_bytes,
        "moments": [{"name": row.name, "peak_bytes": list(row.peaks)} for row in compared.rows],
        "curves": [
            {
                "run_id": curve.run_id,
                "t_s": [point.t_s for point in curve.points],
                "current_bytes": [point.current_bytes for point in curve.points],
                "peak_bytes": [point.peak_bytes for point in curve.points],
            }
            for curve in curves(runs)
        ],
    }
