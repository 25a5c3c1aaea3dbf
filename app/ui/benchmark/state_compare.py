"""What the Benchmark page shows of variants side by side and of a search for the batch size.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.units import NOT_AVAILABLE
from app.presentation.figure import Figure, measured
from app.ui.kit.quantities import format_bytes, format_count, format_number, format_seconds

if TYPE_CHECKING:
    from app.core.runs.comparison import Ratio
    from app.core.types.measurement import Measurement
    from app.services.benchmarks.batch_finder import BatchFinding, TrialRun
    from app.services.benchmarks.compared import Comparison, VariantRun

MEASURES = ("plan", "device", "xla", "precision", "threads", "data", "batch")
"""What a start can measure: the plan by itself, variants that differ in one setting, or the batch that fits."""


@dataclass(frozen=True)
class VariantRow:
    """One variant of a comparison."""

    label: str
    run_id: int
    outcome: str
    problem: str
    total: str = NOT_AVAILABLE
    epoch: str = NOT_AVAILABLE
    step: Figure = Figure()
    samples: str = NOT_AVAILABLE
    cpu: str = NOT_AVAILABLE
    gpu: str = NOT_AVAILABLE
    needed: str = NOT_AVAILABLE
    held: str = NOT_AVAILABLE
    host: str = NOT_AVAILABLE


@dataclass(frozen=True)
class ComparedState:
    """Variants side by side; ``winner`` is empty if nobody is faster beyond chance."""

    epochs: int
    rows: tuple[VariantRow, ...]
    ratios: tuple[Ratio, ...]
    winner: str
    waiting: tuple[str, ...]
    """Labels of variants that wait for their data."""
    interleaved: bool
    method: str


@dataclass(frozen=True)
class TrialRow:
    """One batch that was tried."""

    batch_size: int
    run_id: int
    outcome: str
    samples: str
    peak: str


@dataclass(frozen=True)
class FoundState:
    """What a search for the batch size found; batches are None if nothing ran."""

    rows: tuple[TrialRow, ...]
    largest: int | None
    best: int | None
    stopped_by: str
    limit: str
    pair: str = ""
    """Batch and steps for the effective batch that was asked for."""


def compared_state(comparison: Comparison) -> ComparedState:
    """The card of a comparison that has ended."""
    first = comparison.variants[0].run.workload.plan if comparison.variants else None
    return ComparedState(
        epochs=first.epochs if first else 1,
        rows=tuple(map(_variant_row, comparison.variants)),
        ratios=comparison.ratios,
        winner=comparison.winner or "",
        waiting=tuple(one.label for one in comparison.variants if one.waits_for_data),
        interleaved=comparison.interleaved,
        method=comparison.method,
    )


def found_state(finding: BatchFinding) -> FoundState:
    """The card of a search that has ended."""
    pair = finding.accumulation
    return FoundState(
        rows=tuple(map(_trial_row, finding.trials)),
        largest=finding.largest_batch_size,
        best=finding.best_batch_size,
        stopped_by=finding.stopped_by,
        limit=format_bytes(finding.limit_bytes),
        pair=f"{pair.batch_size} × {pair.accumulate}" if pair else "",
    )


def _variant_row(one: VariantRun) -> VariantRow:
    """One variant as texts."""
    result = one.run.result
    found = result.measurement
    problem = result.problem.message if result.problem else ""
    if found is None:
        return VariantRow(one.label, one.run.run_id, result.outcome, problem)
    memory = found.memory
    return VariantRow(
        label=one.label,
        run_id=one.run.run_id,
        outcome=result.outcome,
        problem=problem,
        total=format_seconds(one.total_s),
        epoch=format_seconds(found.epoch_s),
        step=_step(found),
        samples=format_count(found.samples_per_s),
        cpu=_percent(found.cpu_percent),
        gpu=_percent(found.gpu_percent),
        needed=format_bytes(memory.allocator_peak_bytes),
        held=format_bytes(memory.held_bytes),
        host=format_bytes(memory.host_bytes),
    )


def _step(found: Measurement) -> Figure:
    """The step time with its spread."""
    step = found.step
    return measured(step.median_s, "seconds", step.low_s, step.high_s)


def _trial_row(trial: TrialRun) -> TrialRow:
    """One trial as texts."""
    return TrialRow(
        trial.batch_size,
        trial.run.run_id,
        trial.run.result.outcome,
        format_count(trial.samples_per_s),
        format_bytes(trial.peak_bytes),
    )


def _percent(value: float | None) -> str:
    """A share of a device's time."""
    return format_number(value, ".0f", "%")
