"""What the Benchmark page shows: phases, curves, and estimate beside measured.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.core.pipeline.waiting import measured_wait
from app.core.types.measurement import Doubt, PhaseSpan
from app.core.types.text import phrase
from app.core.types.units import format_count
from app.presentation.figure import Figure
from app.presentation.figure import measured as measured_figure
from app.presentation.layout import Table
from app.presentation.problem import ErrorState, problem_state
from app.presentation.run import Comparison, comparisons, measured_facts, shares_of, step_figure
from app.presentation.whole import grown_lines, measured_table
from app.ui.benchmark.state_live import Curves
from app.ui.benchmark.state_profile import ProfileState, profile_state

if TYPE_CHECKING:
    from app.core.types.run import Run
    from app.core.types.workload import Workload
    from app.ui.benchmark.state_compare import ComparedState, FoundState

Stage = Literal["idle", "running", "stopping", "done"]
PASSING = (
    *("gpu_throttled", "cpu_throttled", "battery", "power_saver"),
    *("card_shared", "busy_host", "drift", "unsettled", "few_steps"),
)
"""Doubts that another run at a better moment may not have."""


@dataclass(frozen=True)
class Remedy:
    """A doubt about a run's figures, and the one thing to do about it."""

    kind: str
    text: str
    action: str = ""
    """``apply_batch:N`` or ``measure``; empty if there is nothing to press."""


@dataclass(frozen=True)
class ResultState:
    """The card of a finished run."""

    run_id: int
    outcome: str
    title: str
    step: Figure = Figure()
    steps_counted: int = 0
    samples: Figure = Figure()
    memory: Figure = Figure()
    epoch: Figure = Figure()
    waits: str = ""
    """What a step waited for, in a sentence without a full stop."""
    comparisons: tuple[Comparison, ...] = ()
    warnings: tuple[str, ...] = ()
    error: ErrorState | None = None
    profile: ProfileState | None = None
    facts: Table | None = None
    """What else was measured."""
    shares: tuple[tuple[str, float], ...] = ()
    """Where the time of a step goes: key and share."""
    remedies: tuple[Remedy, ...] = ()
    whole: Table | None = None
    """The phases of the whole training, where some of everything was run."""
    grown: tuple[str, ...] = ()
    """What grows from epoch to epoch of it."""


@dataclass(frozen=True)
class BenchState:
    """The Benchmark page."""

    stage: Stage = "idle"
    title: str = ""
    phase: str = ""
    phases: tuple[PhaseSpan, ...] = ()
    fraction: float | None = None
    text: str = ""
    elapsed_s: float = 0.0
    curves: Curves = field(default_factory=dict)
    limit_gib: float | None = None
    """Memory that the training may use."""
    result: ResultState | None = None
    error: ErrorState | None = None
    simulated: bool = False
    unbuildable: str = ""
    """Why the present model cannot be built, so that there is nothing to measure."""
    seconds: int = 20
    measure: str = "plan"
    measures: tuple[str, ...] = ("plan",)
    """What a start can measure here, of `app.ui.benchmark.state_compare.MEASURES`."""
    comparison: ComparedState | None = None
    finding: FoundState | None = None
    label: str = ""
    """The variant or batch that the live plots show."""
    devices: tuple[tuple[str, str], ...] = ()
    """Devices that can be compared, as key and name."""
    chosen_devices: tuple[str, ...] = ()


def workload_title(workload: Workload) -> str:
    """A workload in a few words, for `app.ui.kit.speech`."""
    return phrase(
        "{model}, batch {batch_size}", model=workload.model.name, batch_size=format_count(workload.plan.batch_size)
    )


def result_state(run: Run) -> ResultState:
    """The card of a run that has ended."""
    result, prediction = run.result, run.prediction
    largest = prediction.fit.max_batch_size if prediction is not None else None
    error = problem_state(result.problem, result.outcome, largest, run.workload.plan.batch_size)
    measured, title = result.measurement, workload_title(run.workload)
    if measured is None:
        return ResultState(run.run_id, result.outcome, title, warnings=result.warnings, error=error)
    wait = measured_wait(measured)
    return ResultState(
        run_id=run.run_id,
        outcome=result.outcome,
        title=title,
        step=step_figure(measured),
        steps_counted=measured.step.n,
        samples=measured_figure(measured.samples_per_s, "samples_per_s"),
        memory=measured_figure(measured.memory.allocator_peak_bytes, "bytes"),
        epoch=measured_figure(measured.epoch_s, "seconds"),
        waits=wait.sentence if wait is not None else "",
        comparisons=comparisons(prediction, measured) if prediction is not None else (),
        warnings=tuple(text for text in result.warnings if text not in {d.text for d in measured.doubts}),
        error=error,
        profile=profile_state(run),
        facts=measured_facts(measured),
        shares=shares_of(measured.shares),
        remedies=tuple(_remedy(doubt, largest, run.workload.plan.batch_size) for doubt in measured.doubts),
        whole=measured_table(run),
        grown=grown_lines(run),
    )


def _remedy(doubt: Doubt, largest: int | None, batch_size: int) -> Remedy:
    """A doubt with the one thing to do: less memory where it spilled, another run where something passed by."""
    if doubt.kind in ("spill", "swapping"):
        smaller = largest if largest and largest < batch_size else batch_size // 2
        return Remedy(doubt.kind, doubt.text, f"apply_batch:{smaller}" if smaller else "")
    return Remedy(doubt.kind, doubt.text, "measure" if doubt.kind in PASSING else "")
