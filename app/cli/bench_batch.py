"""``willittrain bench --find-batch``: the largest and the fastest batch, by trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.bench_modes import ModeOptions
from app.cli.exit_codes import DOES_NOT_FIT, INTERRUPTED, WORKER_FAILED
from app.cli.output import SCHEMA, dataset_json, model_or_name_json, print_json
from app.cli.text import list_text, plain_table, show
from app.core.types.plan import plan_to_json
from app.core.types.units import format_bytes, format_count, format_seconds, parse_bytes
from app.presentation.words import MARK_MEASURED, MARK_SCALED, OUTCOMES, STOPPED_BY

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor
    from app.services.benchmarks.batch_finder import BatchFinding


def find_batch(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, *, json: bool, check: bool
) -> int:
    """Search, print what was found, and give the exit code."""
    from app.cli.session import live
    from app.cli.work import prepare_if_possible

    limit = parse_bytes(modes.memory_limit) if modes.memory_limit else None
    with live("finding the batch") as state:
        prepare_if_possible(advisor, workload, machine, state)
        found = advisor.benchmarks.find_batch(
            workload,
            machine,
            effective=modes.effective_batch,
            memory_limit_bytes=limit,
            on_event=state.on_event,
            cancel=state.cancel,
        )
    if json:
        print_json(finding_json(found, workload))
    else:
        show(finding_text(found))
    if found.stopped_by == "cancelled":
        return INTERRUPTED
    if found.stopped_by == "failed" and found.largest_batch_size is None:
        return WORKER_FAILED
    return DOES_NOT_FIT if check and found.largest_batch_size is None else 0


def finding_json(found: BatchFinding, workload: Workload) -> dict[str, Any]:
    """The answer of ``bench --find-batch``, schema 1; bytes and seconds, ``null`` is "not available"."""
    pair = found.accumulation
    return {
        "schema": SCHEMA,
        "model": model_or_name_json(found.trials[0].run) if found.trials else {"name": workload.model.name},
        "plan": plan_to_json(workload.plan),
        "dataset": dataset_json(workload.dataset),
        "trials": [
            {
                "batch_size": one.batch_size,
                "outcome": one.run.result.outcome,
                "message": one.run.result.problem.message if one.run.result.problem else "",
                "samples_per_s": one.samples_per_s,
                "peak_bytes": one.peak_bytes,
                "run_id": one.run.run_id,
            }
            for one in found.trials
        ],
        "limit_bytes": found.limit_bytes,
        "largest_batch_size": found.largest_batch_size,
        "best_batch_size": found.best_batch_size,
        "stopped_by": found.stopped_by,
        "accumulation": None
        if pair is None
        else {
            "effective_batch_size": pair.effective_batch_size,
            "batch_size": pair.batch_size,
            "accumulate": pair.accumulate,
            "allocator_peak_bytes": pair.peak_bytes,
            "update_s": pair.update_s,
            "hint": pair.hint or None,
        },
    }


def finding_text(found: BatchFinding) -> RenderableType:
    """The answer first, then the trials."""
    if found.largest_batch_size is None:
        headline = Text(f"No batch ran: {STOPPED_BY[found.stopped_by]}", style="bold red")
    else:
        headline = Text(f"Largest batch {MARK_MEASURED} {found.largest_batch_size:,}", style="bold green")
        if found.best_batch_size is not None:
            headline.append(f" · nearly as fast as the fastest from {MARK_MEASURED} {found.best_batch_size:,}")
        headline.append(f" — {STOPPED_BY[found.stopped_by]}", style="default")
    numbers = ("Batch", "Samples/s", "Memory", "Run")
    table = plain_table("Batch", "Outcome", "Samples/s", "Memory", "Run", numbers=numbers)
    for one in found.trials:
        table.add_row(
            f"{one.batch_size:,}",
            OUTCOMES[one.run.result.outcome],
            "" if one.samples_per_s is None else f"{MARK_MEASURED} {format_count(one.samples_per_s)}",
            "" if one.peak_bytes is None else f"{MARK_MEASURED} {format_bytes(one.peak_bytes)}",
            str(one.run.run_id),
        )
    problems = [one.run.result.problem.message for one in found.trials if one.run.result.problem]
    parts: list[RenderableType] = [headline, Text(f"  of {format_bytes(found.limit_bytes)} that may be held"), Text()]
    parts += [table, *_pair_text(found), *list_text("What happened", problems)]
    return Group(*parts)


def _pair_text(found: BatchFinding) -> list[RenderableType]:
    """The pair for a wanted effective batch."""
    pair = found.accumulation
    if pair is None:
        return []
    takes = f"{MARK_SCALED} {format_bytes(pair.peak_bytes)}, {MARK_SCALED} {format_seconds(pair.update_s)} an update"
    options = f"--batch-size {pair.batch_size} --accumulate {pair.accumulate}"
    words = f"{pair.effective_batch_size:,} samples an update: {options} ({takes})"
    return [Text(), Text(words), *([Text(f"  {pair.hint}", style="dim")] if pair.hint else [])]
