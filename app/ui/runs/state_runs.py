"""What the Runs page shows: the list, one run in detail, two runs compared.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.pipeline.waiting import measured_wait
from app.core.types.measurement import PhaseSpan
from app.core.types.plan import plan_options
from app.core.types.track_record import TrackRecord
from app.presentation.problem import ErrorState
from app.ui.benchmark.state_bench import ResultState, result_state
from app.ui.benchmark.state_live import Curves, LiveSeries
from app.ui.benchmark.state_profile import PeaksState, peaks_state
from app.ui.kit.quantities import format_bytes, format_count, format_moment, format_seconds

if TYPE_CHECKING:
    from app.services.store.runs import Run, RunSummary


@dataclass(frozen=True)
class RunRow:
    """One line of the list."""

    run_id: int
    when: str
    model: str
    dataset: str
    batch_size: int
    plan: str
    outcome: str
    step: str
    samples: str
    memory: str
    note: str
    order: tuple[float | str, ...] = ()
    """What each column is sorted by."""


@dataclass(frozen=True)
class DetailRow:
    """A fact of a run, or of two that are compared."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class RunDetails:
    """One run in full."""

    run_id: int
    when: str
    result: ResultState
    facts: tuple[DetailRow, ...]
    note: str
    curves: Curves = field(default_factory=dict)
    phases: tuple[PhaseSpan, ...] = ()


@dataclass(frozen=True)
class ComparisonState:
    """Runs side by side, only what differs."""

    titles: tuple[str, ...]
    rows: tuple[DetailRow, ...]
    peaks: PeaksState | None = None
    steps: Curves = field(default_factory=dict)
    """Step times of the runs in ms, each from the start of its measurement on."""


@dataclass(frozen=True)
class RunsState:
    """The Runs page."""

    loaded: bool = False
    rows: tuple[RunRow, ...] = ()
    record: TrackRecord | None = None
    filter_text: str = ""
    details: RunDetails | None = None
    comparison: ComparisonState | None = None
    error: ErrorState | None = None


def run_row(summary: RunSummary) -> RunRow:
    """One line of the list."""
    numbers = (summary.step_s, summary.samples_per_s, summary.allocator_peak_bytes)
    step, samples, memory = (-1.0 if value is None else float(value) for value in numbers)
    plan = f"{summary.optimizer} · {summary.precision} · {summary.device}"
    return RunRow(
        run_id=summary.run_id,
        when=format_moment(summary.created_at),
        model=summary.model,
        dataset=summary.dataset,
        batch_size=summary.batch_size,
        plan=plan,
        outcome=summary.outcome,
        step=format_seconds(summary.step_s),
        samples=format_count(summary.samples_per_s),
        memory=format_bytes(summary.allocator_peak_bytes),
        note=summary.note,
        order=(
            summary.run_id,
            summary.model,
            summary.outcome,
            summary.batch_size,
            step,
            samples,
            memory,
            plan,
            summary.dataset,
            summary.note,
        ),
    )


def _facts(run: Run) -> dict[str, str]:
    """Everything about a run that can differ from another, by key."""
    workload, machine, result = run.workload, run.machine, run.result
    facts = {"model": workload.model.name, "dataset": workload.dataset.name if workload.dataset else "–"}
    for one in plan_options():
        facts[f"plan.{one.name}"] = one.value_words(getattr(workload.plan, one.name))
    facts["outcome"] = result.outcome
    measured = result.measurement
    if measured is not None:
        facts["step"] = format_seconds(measured.step.median_s)
        facts["samples"] = format_count(measured.samples_per_s)
        facts["epoch"] = format_seconds(measured.epoch_s)
        facts["memory"] = format_bytes(measured.memory.allocator_peak_bytes)
        facts["host_memory"] = format_bytes(measured.memory.host_bytes)
        facts["first_step"] = format_seconds(measured.first_step_s)
        facts["bound_by"] = wait.what if (wait := measured_wait(measured)) is not None else "–"
    facts["cpu"] = machine.cpu.name or "–"
    facts["gpus"] = ", ".join(gpu.name for gpu in machine.gpus) or "–"
    facts.update({f"environment.{name}": value for name, value in sorted(result.environment.items())})
    return facts


def run_details(run: Run) -> RunDetails:
    """One run in full."""
    rows = tuple(DetailRow(key, (value,)) for key, value in _facts(run).items())
    series = LiveSeries()
    for sample in run.result.samples:
        series.take(sample)
    return RunDetails(
        run.run_id, format_moment(run.created_at), result_state(run), rows, run.note, series.frozen(), run.result.phases
    )


def compare_runs(runs: tuple[Run, ...]) -> ComparisonState:
    """Runs side by side; what is the same in all of them is left out."""
    facts = [_facts(run) for run in runs]
    keys = list(dict.fromkeys(key for one in facts for key in one))
    rows = [DetailRow(key, tuple(one.get(key, "–") for one in facts)) for key in keys]
    titles = tuple(f"#{run.run_id} · {run.workload.model.name}" for run in runs)
    differing = tuple(row for row in rows if len(set(row.values)) > 1)
    steps = {title: _steps(run) for title, run in zip(titles, runs, strict=True)}
    return ComparisonState(titles, differing, peaks_state(runs), {name: c for name, c in steps.items() if c[0]})


def _steps(run: Run) -> tuple[list[float], list[float]]:
    """Seconds since the measurement began, and step times in ms."""
    measured = [s for s in run.result.samples if s.phase == "measure" and s.step_s is not None]
    start_s = measured[0].t_s if measured else 0.0
    return [s.t_s - start_s for s in measured], [(s.step_s or 0.0) * 1e3 for s in measured]
