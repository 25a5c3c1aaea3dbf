"""What people read of the history: lists, one run's facts, and runs side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.text import plain_table
from app.core.pipeline.waiting import measured_wait
from app.core.types.measurement import Measurement
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_seconds
from app.presentation.words import MARK_MEASURED, OUTCOMES
from app.services import typed_json
from app.services.store.runs import Run, RunSummary

_MEASURED: tuple[tuple[str, Callable[[Measurement], str]], ...] = (
    ("Step", lambda m: format_seconds(m.step.median_s)),
    ("Samples/s", lambda m: format_count(m.samples_per_s)),
    ("Epoch", lambda m: format_seconds(m.epoch_s)),
    ("Memory needed", lambda m: format_bytes(m.memory.allocator_peak_bytes)),
    ("Memory held", lambda m: format_bytes(m.memory.held_bytes)),
    ("Process in RAM", lambda m: format_bytes(m.memory.host_bytes)),
    ("It waits for", lambda m: wait.words if (wait := measured_wait(m)) is not None else NOT_AVAILABLE),
)


def runs_table(rows: tuple[RunSummary, ...]) -> RenderableType:
    """The list of runs, newest first."""
    table = plain_table(
        "Run",
        "When (UTC)",
        "Model",
        "Data",
        "Batch",
        "Outcome",
        "Step",
        "Memory",
        "Note",
        numbers=("Run", "Batch", "Step", "Memory"),
    )
    for row in rows:
        table.add_row(
            str(row.run_id),
            row.created_at[:16].replace("T", " "),
            row.model,
            row.dataset,
            f"{row.batch_size:,}",
            OUTCOMES[row.outcome],
            "" if row.step_s is None else f"{MARK_MEASURED} {format_seconds(row.step_s)}",
            "" if row.allocator_peak_bytes is None else f"{MARK_MEASURED} {format_bytes(row.allocator_peak_bytes)}",
            row.note,
        )
    return table


def run_facts(run: Run) -> RenderableType:
    """What a run trained, where, and when."""
    cards = ", ".join(gpu.name for gpu in run.machine.gpus) or "no GPU"
    dataset = run.workload.dataset.name if run.workload.dataset else "random values"
    lines = [
        f"Run {run.run_id} · {run.created_at}" + (" · deleted" if run.deleted else ""),
        f"Model  {run.workload.model.name} on {dataset}",
        f"Here   {run.machine.cpu.name or 'processor not known'} · {cards}",
    ]
    return Text("\n".join(lines + [f"Note   {run.note}"] * bool(run.note)))


def comparison(runs: list[Run]) -> RenderableType:
    """Runs side by side: only the settings that differ, then what was measured."""
    table = plain_table("", *(f"Run {run.run_id}" for run in runs))
    for name, values in different_settings(runs):
        table.add_row(name, *values)
    table.add_section()
    table.add_row("Outcome", *(OUTCOMES[run.result.outcome] for run in runs))
    for name, read in _MEASURED:
        found = [run.result.measurement for run in runs]
        table.add_row(name, *("" if m is None else _marked(read(m)) for m in found))
    return Group(table)


def _marked(words: str) -> str:
    """A measured value with its mark; what was not measured has none."""
    return words if words == NOT_AVAILABLE else f"{MARK_MEASURED} {words}"


def different_settings(runs: list[Run]) -> list[tuple[str, list[str]]]:
    """The settings that are not the same in all runs, with the value of each run."""
    columns = [_settings(run) for run in runs]
    names = dict.fromkeys(name for column in columns for name in column)
    values = {name: [column.get(name, NOT_AVAILABLE) for column in columns] for name in names}
    return [(name, found) for name, found in values.items() if len(set(found)) > 1]


def _settings(run: Run) -> dict[str, str]:
    """Everything that was chosen for a run, as words."""
    dataset = run.workload.dataset
    facts: dict[str, Any] = {
        "model": run.workload.model.name,
        "dataset": dataset.name if dataset else "random values",
        "input_shape": run.workload.input_shape,
        **dataclasses.asdict(run.workload.plan),
        "cpu": run.machine.cpu.name,
        "gpus": [gpu.name for gpu in run.machine.gpus],
        **{f"environment {name}": value for name, value in run.result.environment.items()},
    }
    return {name: _words(value) for name, value in facts.items()}


def _words(value: Any) -> str:
    """A setting as text."""
    return value if isinstance(value, str) else typed_json.encode_english(value).decode()
