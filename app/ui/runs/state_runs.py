"""What the Runs page shows: the list, one run in detail, two runs compared.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.types.measurement import PhaseSpan
from app.core.types.run import Run, RunSummary
from app.core.types.track_record import TrackRecord
from app.presentation.history import all_settings, side_by_side
from app.presentation.layout import Table
from app.presentation.problem import ErrorState
from app.presentation.profile import run_name
from app.presentation.run import run_facts
from app.ui.benchmark.state_bench import ResultState, result_state
from app.ui.benchmark.state_live import Curves, LiveSeries
from app.ui.benchmark.state_profile import PeaksState, peaks_state


@dataclass(frozen=True)
class RunDetails:
    """One run in full."""

    run_id: int
    result: ResultState
    facts: Table
    """What was trained."""
    settings: Table
    """Everything that was chosen for it or found around it."""
    note: str
    curves: Curves = field(default_factory=dict)
    phases: tuple[PhaseSpan, ...] = ()


@dataclass(frozen=True)
class ComparisonState:
    """Runs side by side, only what differs."""

    table: Table
    peaks: PeaksState | None = None
    steps: Curves = field(default_factory=dict)
    """Step times of the runs in ms, each from the start of its measurement on."""


@dataclass(frozen=True)
class RunsState:
    """The Runs page."""

    loaded: bool = False
    rows: tuple[RunSummary, ...] = ()
    record: TrackRecord | None = None
    filter_text: str = ""
    details: RunDetails | None = None
    comparison: ComparisonState | None = None
    error: ErrorState | None = None


def run_details(run: Run) -> RunDetails:
    """One run in full."""
    series = LiveSeries()
    for sample in run.result.samples:
        series.take(sample)
    return RunDetails(
        run.run_id, result_state(run), run_facts(run), all_settings(run), run.note, series.frozen(), run.result.phases
    )


def compare_runs(runs: tuple[Run, ...]) -> ComparisonState:
    """Runs side by side; what is the same in all of them is left out."""
    steps: Curves = {run_name(run): _steps(run) for run in runs}
    shown = {name: curve for name, curve in steps.items() if curve[0]}
    return ComparisonState(side_by_side(runs), peaks_state(runs), shown)


def _steps(run: Run) -> tuple[list[float], list[float]]:
    """Seconds since the measurement began, and step times in ms."""
    measured = [s for s in run.result.samples if s.phase == "measure" and s.step_s is not None]
    start_s = measured[0].t_s if measured else 0.0
    return [s.t_s - start_s for s in measured], [(s.step_s or 0.0) * 1e3 for s in measured]
