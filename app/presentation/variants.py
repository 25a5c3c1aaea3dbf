"""Runs that belong together: variants of a plan side by side, and trials of batch sizes."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.types.run import Run
from app.core.types.text import Text, phrase
from app.core.types.units import format_count
from app.presentation.figure import measured
from app.presentation.layout import Table
from app.presentation.run import step_figure, told
from app.presentation.words import OUTCOMES

VARIANTS = (
    phrase("Variant"),
    phrase("Outcome"),
    phrase("All epochs"),
    phrase("Epoch"),
    phrase("Step"),
    phrase("Interval"),
    phrase("Samples per second"),
    phrase("Processor use"),
    phrase("Card use"),
    phrase("Needed"),
    phrase("Held"),
    phrase("RAM"),
    phrase("Run"),
)
TRIALS = (phrase("Batch"), phrase("Outcome"), phrase("Samples per second"), phrase("Peak"), phrase("Run"))


def variants_table(variants: Sequence[tuple[str, Run]]) -> Table:
    """What each variant took, by its label."""
    return Table(VARIANTS, tuple(_variant(label, run) for label, run in variants), tuple(range(2, len(VARIANTS))))


def trials_table(trials: Sequence[tuple[Run, float | None, int | None]]) -> Table:
    """Trials of batches: the run, its samples per second and its peak."""
    rows = tuple(
        (
            format_count(run.workload.plan.batch_size),
            OUTCOMES[run.result.outcome],
            told(samples_per_s, "samples_per_s"),
            told(peak_bytes, "bytes"),
            str(run.run_id),
        )
        for run, samples_per_s, peak_bytes in trials
    )
    return Table(TRIALS, rows, (0, 2, 3, 4))


def problems(variants: Sequence[tuple[str, Run]]) -> tuple[Text, ...]:
    """What ended those variants that did not come through."""
    return tuple(
        phrase("{label}: {problem}", label=label, problem=run.result.problem.message)
        for label, run in variants
        if run.result.problem is not None
    )


def _variant(label: str, run: Run) -> tuple[str, ...]:
    """One variant; where nothing was measured, only how it ended."""
    found, outcome, number = run.result.measurement, OUTCOMES[run.result.outcome], str(run.run_id)
    if found is None:
        return (label, outcome, *[""] * (len(VARIANTS) - 3), number)
    step, epochs = step_figure(found), run.workload.plan.epochs
    total_s = None if found.epoch_s is None or epochs == 1 else found.epoch_s * epochs
    return (
        label,
        outcome,
        told(total_s, "seconds"),
        told(found.epoch_s, "seconds"),
        step.marked,
        step.range,
        measured(found.samples_per_s, "samples_per_s").marked,
        told(found.cpu_percent, "percent"),
        told(found.gpu_percent, "percent"),
        told(found.memory.allocator_peak_bytes, "bytes"),
        told(found.memory.held_bytes or found.memory.device_bytes, "bytes"),
        told(found.memory.host_bytes, "bytes"),
        number,
    )
