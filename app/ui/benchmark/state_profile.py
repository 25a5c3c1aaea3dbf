"""What is shown of a run's memory over time, of its profiled step, and of several runs' peaks.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.runs.memory_course import telling
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.step_profile import StepProfile
from app.core.types.units import GIB, NOT_AVAILABLE
from app.presentation.figure import Figure, Mark, memory_mark
from app.presentation.figure import measured as measured_figure
from app.services.benchmarks.peaks import compare_runs, curves, layers_at_peak
from app.ui.kit.quantities import format_bytes, format_number, format_seconds

if TYPE_CHECKING:
    from app.services.store.runs import Run

LISTED_LAYERS = 12
Curves = dict[str, tuple[tuple[float, ...], tuple[float, ...]]]


@dataclass(frozen=True)
class LayerLine:
    """One layer of a profiled step."""

    name: str
    kind: str
    measured: str
    predicted: str
    time: str
    share: str


@dataclass(frozen=True)
class MomentLine:
    """The memories at one moment of a run."""

    name: str
    time: str
    now: str
    peak: str
    held: str
    process: str
    seen: str


@dataclass(frozen=True)
class ProfileState:
    """A run's memory over time, and the step that was profiled; ``skipped`` says why there is none."""

    peak: Figure = Figure()
    operation: str = ""
    held: str = NOT_AVAILABLE
    timeline: tuple[tuple[float, int], ...] = ()
    layers: tuple[LayerLine, ...] = ()
    predicted_mark: Mark = "none"
    moments: tuple[MomentLine, ...] = ()
    curves: Curves = field(default_factory=dict)
    skipped: str = ""


@dataclass(frozen=True)
class PeakBar:
    """One run's peak; ``size_bytes`` is None where nobody counted it."""

    name: str
    size_bytes: int | None


@dataclass(frozen=True)
class PeaksState:
    """Peaks of several runs as bars, at each moment as a table, and their memory over time as curves."""

    bars: tuple[PeakBar, ...]
    moments: tuple[tuple[str, ...], ...]
    largest: str = ""
    smallest: str = ""
    more: str = ""
    curves: Curves = field(default_factory=dict)


def profile_state(run: Run) -> ProfileState | None:
    """What a run shows of its memory; None if it measured nothing."""
    measured = run.result.measurement
    if measured is None:
        return None
    profile, points = measured.profile, measured.memory_over_time
    moments = [point for point in points if point.moment != "step"]
    marks = tuple(_moment(point) for point in telling(moments, lambda point: (point.peak_bytes,)))
    if profile is None:
        if not marks and not measured.profile_skipped:
            return None
        return ProfileState(moments=marks, curves=_curves(points), skipped=measured.profile_skipped)
    return ProfileState(
        peak=measured_figure(profile.peak_bytes or None, "bytes"),
        operation=profile.peak_operation,
        held=format_bytes(profile.held_bytes),
        timeline=_timeline(profile),
        layers=_layers(run, profile),
        predicted_mark=memory_mark(run.prediction.memory.basis) if run.prediction else "none",
        moments=marks,
        curves=_curves(points),
    )


def peaks_state(runs: Sequence[Run]) -> PeaksState | None:
    """The peaks of runs side by side; None if nobody counted any."""
    compared = compare_runs(runs)
    if not any(compared.peaks):
        return None
    largest, smallest = compared.largest, compared.smallest
    return PeaksState(
        bars=tuple(map(PeakBar, compared.names, compared.peaks)),
        moments=tuple((row.name, *map(format_bytes, row.peaks)) for row in telling(compared.rows, lambda r: r.peaks)),
        largest=compared.names[largest] if largest is not None else "",
        smallest=compared.names[smallest] if smallest is not None else "",
        more=format_bytes(compared.more_bytes),
        curves={
            curve.name: (tuple(p.t_s for p in curve.points), tuple(p.current_bytes / GIB for p in curve.points))
            for curve in curves(runs)
        },
    )


def _timeline(profile: StepProfile) -> tuple[tuple[float, int], ...]:
    """Memory in use against the share of the step."""
    last_s = max((point.t_s for point in profile.timeline), default=0.0) or 1.0
    return tuple((point.t_s / last_s, point.in_use_bytes) for point in profile.timeline)


def _layers(run: Run, profile: StepProfile) -> tuple[LayerLine, ...]:
    """The largest layers at the peak, measured and predicted, with the time of their operations."""
    measured = run.result.measurement
    assert measured is not None
    times = {layer.name: layer.time_s for layer in profile.layers}
    whole_s = profile.operations_s or 1.0
    return tuple(
        LayerLine(
            row.name,
            row.kind,
            format_bytes(row.measured_bytes),
            format_bytes(row.predicted_bytes),
            format_seconds(times.get(row.name)),
            format_number(100 * times[row.name] / whole_s, ".0f", "%") if row.name in times else NOT_AVAILABLE,
        )
        for row in layers_at_peak(measured, run.prediction, LISTED_LAYERS)
    )


def _moment(point: MemoryPoint) -> MomentLine:
    """One moment as texts."""
    sizes = (point.current_bytes, point.peak_bytes, point.held_bytes, point.process_bytes, point.seen_bytes)
    return MomentLine(point.name, format_seconds(point.t_s), *map(format_bytes, sizes))


def _curves(points: Sequence[MemoryPoint]) -> Curves:
    """Needed now, its peak, held and seen, in GiB against seconds."""
    readings: dict[str, list[tuple[float, int | None]]] = {
        "current_gib": [(p.t_s, p.current_bytes) for p in points],
        "needed_gib": [(p.t_s, p.peak_bytes) for p in points],
        "held_gib": [(p.t_s, p.held_bytes) for p in points],
        "seen_gib": [(p.t_s, p.seen_bytes) for p in points],
    }
    found: Curves = {}
    for name, pairs in readings.items():
        known = [(t_s, size) for t_s, size in pairs if size is not None]
        if known:
            found[name] = (tuple(t for t, _ in known), tuple(size / GIB for _, size in known))
    return found
