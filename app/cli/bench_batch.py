"""``willittrain bench --find-batch``: the largest and the fastest batch, by trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.bench_modes import ModeOptions
from app.cli.exit_codes import DOES_NOT_FIT, INTERRUPTED, WORKER_FAILED
from app.cli.output import SCHEMA, dataset_json, model_or_name_json, print_json
from app.cli.text import show
from app.core.types.plans import plan_to_json
from app.core.types.text import phrase
from app.core.types.units import format_bytes, format_count, parse_bytes
from app.presentation.figure import Figure, measured
from app.presentation.layout import BLANK, Block, Line, points
from app.presentation.variants import trials_table
from app.presentation.words import STOPPED_BY

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor
    from app.services.benchmarks.batch_finder import BatchFinding


def find_batch(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, *, json: bool, check: bool
) -> int:
    """Search, print what was found, and give the exit code."""
    from app.cli.session import live, prepare_if_possible

    limit = parse_bytes(modes.memory_limit) if modes.memory_limit else None
    with live(phrase("finding the batch")) as state:
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
        show(*finding_blocks(found))
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


def finding_blocks(found: BatchFinding) -> tuple[Block, ...]:
    """The answer first, then the trials."""
    trials = [(one.run, one.samples_per_s, one.peak_bytes) for one in found.trials]
    failed = [one.run.result.problem.message for one in found.trials if one.run.result.problem]
    return (
        _headline(found),
        Line(phrase("of {limit} that may be held", limit=format_bytes(found.limit_bytes)), indent=1),
        BLANK,
        trials_table(trials),
        *_pair_lines(found),
        *points(phrase("What happened"), failed),
    )


def _headline(found: BatchFinding) -> Line:
    """The largest batch and the fastest, and why the search ended."""
    why = STOPPED_BY[found.stopped_by]
    if found.largest_batch_size is None:
        return Line(phrase("No batch ran: {why}", why=why), "bad")
    largest = measured(found.largest_batch_size, "count").marked
    rest = phrase(" — {why}", why=why)
    if found.best_batch_size is not None:
        best = measured(found.best_batch_size, "count").marked
        rest = phrase(" · nearly as fast as the fastest from {best}{rest}", best=best, rest=rest)
    return Line(phrase("Largest batch {batch}", batch=largest), "good", rest)


def _pair_lines(found: BatchFinding) -> tuple[Line, ...]:
    """The pair for a wanted effective batch."""
    pair = found.accumulation
    if pair is None:
        return ()
    words = phrase(
        "{batch} samples an update: {options} ({memory}, {time} an update)",
        batch=format_count(pair.effective_batch_size),
        options=f"--batch-size {pair.batch_size} --accumulate {pair.accumulate}",
        memory=Figure(pair.peak_bytes, "bytes", "scaled").marked,
        time=Figure(pair.update_s, "seconds", "scaled").marked,
    )
    return (BLANK, Line(words), *[Line(pair.hint, "soft", indent=1)] * bool(pair.hint))
