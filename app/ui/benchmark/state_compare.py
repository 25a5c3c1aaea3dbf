"""What the Benchmark page shows of variants side by side and of a search for the batch size.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.units import format_bytes
from app.presentation.layout import Table
from app.presentation.variants import problems, trials_table, variants_table

if TYPE_CHECKING:
    from app.core.runs.comparison import Ratio
    from app.services.benchmarks.batch_finder import BatchFinding
    from app.services.benchmarks.compared import Comparison

MEASURES = ("plan", "whole", "device", "xla", "precision", "threads", "data", "batch")
"""What a start can measure: the plan's steps, some of everything of its training, variants that differ in one setting,
or the batch that fits."""


@dataclass(frozen=True)
class ComparedState:
    """Variants side by side; ``winner`` is empty if nobody is faster beyond chance."""

    epochs: int
    table: Table
    measured: int
    """Variants of which something was measured."""
    problems: tuple[str, ...]
    ratios: tuple[Ratio, ...]
    winner: str
    waiting: tuple[str, ...]
    """Labels of variants that wait for their data."""
    interleaved: bool
    method: str


@dataclass(frozen=True)
class FoundState:
    """What a search for the batch size found; batches are None if nothing ran."""

    table: Table
    largest: int | None
    best: int | None
    stopped_by: str
    limit: str
    pair: str = ""
    """Batch and steps for the effective batch that was asked for."""


def compared_state(comparison: Comparison) -> ComparedState:
    """The card of a comparison that has ended."""
    variants = [(one.label, one.run) for one in comparison.variants]
    first = comparison.variants[0].run.workload.plan if comparison.variants else None
    return ComparedState(
        epochs=first.epochs if first else 1,
        table=variants_table(variants),
        measured=sum(run.result.measurement is not None for _, run in variants),
        problems=problems(variants),
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
        table=trials_table([(one.run, one.samples_per_s, one.peak_bytes) for one in finding.trials]),
        largest=finding.largest_batch_size,
        best=finding.best_batch_size,
        stopped_by=finding.stopped_by,
        limit=format_bytes(finding.limit_bytes),
        pair=f"{pair.batch_size} × {pair.accumulate}" if pair else "",
    )
