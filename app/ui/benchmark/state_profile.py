"""What is shown of a run's memory over time, of its profiled step, and of several runs' peaks.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.core.types.memory_over_time import MemoryPoint
from app.core.types.run import Run
from app.core.types.step_profile import StepProfile
from app.core.types.units import GIB
from app.presentation.layout import Table
from app.presentation.profile import (
    compare_runs,
    curves,
    layers_table,
    moments_table,
    peak_words,
    peaks_table,
    times_table,
    verdict_words,
)

Curves = dict[str, tuple[tuple[float, ...], tuple[float, ...]]]


@dataclass(frozen=True)
class ProfileState:
    """A run's memory over time, and the step that was profiled; ``skipped`` says why there is none."""

    moments: Table
    curves: Curves = field(default_factory=dict)
    skipped: str = ""
    peak: str = ""
    timeline: tuple[tuple[float, int], ...] = ()
    layers: Table | None = None
    times: Table | None = None


@dataclass(frozen=True)
class PeakBar:
    """One run's peak; ``size_bytes`` is None where nobody counted it."""

    name: str
    size_bytes: int | None


@dataclass(frozen=True)
class PeaksState:
    """Peaks of several runs as bars, at each moment as a table, and their memory over time as curves."""

    bars: tuple[PeakBar, ...]
    moments: Table
    answer: str
    curves: Curves = field(default_factory=dict)


def profile_state(run: Run) -> ProfileState | None:
    """What a run shows of its memory; None if it measured nothing."""
    found = run.result.measurement
    if found is None:
        return None
    profile, moments, drawn = found.profile, moments_table(found), _curves(found.memory_over_time)
    if profile is None:
        told = moments.rows or found.profile_skipped
        return ProfileState(moments, drawn, found.profile_skipped) if told else None
    timeline, layers = _timeline(profile), layers_table(run)
    return ProfileState(moments, drawn, "", peak_words(profile), timeline, layers, times_table(profile))


def peaks_state(runs: Sequence[Run]) -> PeaksState | None:
    """The peaks of runs side by side; None if nobody counted any."""
    compared = compare_runs(runs)
    if not any(compared.peaks):
        return None
    return PeaksState(
        bars=tuple(map(PeakBar, compared.names, compared.peaks)),
        moments=peaks_table(compared),
        answer=verdict_words(compared),
        curves={
            curve.name: (tuple(p.t_s for p in curve.points), tuple(p.current_bytes / GIB for p in curve.points))
            for curve in curves(runs)
        },
    )


def _timeline(profile: StepProfile) -> tuple[tuple[float, int], ...]:
    """Memory in use against the share of the step."""
    last_s = max((point.t_s for point in profile.timeline), default=0.0) or 1.0
    return tuple((point.t_s / last_s, point.in_use_bytes) for point in profile.timeline)


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
