"""Peaks of runs beside each other (case S3), and a profiled step beside what was predicted of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.runs.memory_course import compare_peaks
from app.core.types.measurement import Measurement
from app.core.types.memory_over_time import MemoryPoint, PeakComparison
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes, format_number

if TYPE_CHECKING:
    from app.services.store.runs import Run


@dataclass(frozen=True)
class LayerRow:
    """One layer at the peak: measured by the profiled step against predicted; None where one does not know it."""

    name: str
    kind: str
    measured_bytes: int | None
    predicted_bytes: int | None


@dataclass(frozen=True)
class MemoryCurve:
    """One run's memory over time, to be laid over others': seconds since the measurement began, and bytes."""

    run_id: int
    name: str
    points: tuple[MemoryPoint, ...]


def compare_runs(runs: Sequence[Run]) -> PeakComparison:
    """The allocator's peaks of runs: of each moment that case S3 names, and of the whole run."""
    measured = [run.result.measurement for run in runs]
    points = [m.memory_over_time if m else () for m in measured]
    return compare_peaks([run_name(run) for run in runs], points, [_peak_bytes(m) for m in measured])


def curves(runs: Sequence[Run]) -> tuple[MemoryCurve, ...]:
    """The memory curves of those runs that have one."""
    return tuple(
        MemoryCurve(run.run_id, run_name(run), run.result.measurement.memory_over_time)
        for run in runs
        if run.result.measurement is not None and run.result.measurement.memory_over_time
    )


def run_name(run: Run) -> Text:
    """A run in few words."""
    return phrase(
        "Run {run_id} {model}, batch {batch_size}",
        run_id=run.run_id,
        model=run.workload.model.name,
        batch_size=format_number(run.workload.plan.batch_size, ","),
    )


def verdict_words(compared: PeakComparison) -> Text:
    """Which run needs most memory, and by what; says so if that is not known."""
    largest, smallest, more = compared.largest, compared.smallest, compared.more_bytes
    if largest is None or smallest is None or more is None:
        return phrase("Which needs more memory is not known: fewer than two of the runs could count it.")
    if more == 0:
        return phrase("All need the same: {peaks}.", peaks=format_bytes(compared.peaks[largest]))
    least = compared.peaks[smallest]
    times = (
        phrase(", {peaks} times as much", peaks=format_number((compared.peaks[largest] or 0) / least, ".2f"))
        if least
        else ""
    )
    return phrase(
        "{names} needs most: {more} more than {names2}{times}.",
        names=compared.names[largest],
        more=format_bytes(more),
        names2=compared.names[smallest],
        times=times,
    )


def layers_at_peak(measured: Measurement, predicted: Prediction | None, count: int = 10) -> tuple[LayerRow, ...]:
    """The layers with most memory at the profiled step's peak, and those that were predicted to be.

    Weights, their optimizer state and everything that the layer's operations had made and was still alive.
    """
    seen = {} if measured.profile is None else {layer.name: layer for layer in measured.profile.layers}
    guessed = {} if predicted is None else {layer.name: layer for layer in predicted.memory.largest_layers}
    rows = [
        LayerRow(
            name,
            (seen.get(name) or guessed[name]).kind,
            None if name not in seen else seen[name].weights_bytes + seen[name].activation_bytes,
            None if name not in guessed else guessed[name].weights_bytes + guessed[name].activation_bytes,
        )
        for name in dict.fromkeys([*seen, *guessed])
    ]
    rows.sort(key=lambda row: -max(row.measured_bytes or 0, row.predicted_bytes or 0))
    return tuple(rows[:count])


def _peak_bytes(measured: Measurement | None) -> int | None:
    """The most that a run needed: in its first steps or while measuring."""
    if measured is None:
        return None
    peaks = [point.peak_bytes for point in measured.memory_over_time]
    return max([*peaks, measured.memory.allocator_peak_bytes or 0]) or None
