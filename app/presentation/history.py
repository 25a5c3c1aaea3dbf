"""The runs that were kept: the list, how some of them differ, and how good the estimates before them were."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.pipeline.waiting import measured_wait
from app.core.types.plan import plan_options
from app.core.types.run import Run, RunSummary
from app.core.types.text import Text, join, phrase
from app.core.types.track_record import Errors, TrackRecord
from app.core.types.units import NOT_AVAILABLE, format_count, format_moment, format_number
from app.presentation.layout import Table, facts
from app.presentation.run import WAITS, Comparison, comparisons, data_words, told
from app.presentation.words import OUTCOMES, shape_words

SHORT_LIST = (0, 1, 2, 9, 4, 3, 5, 7, 10)
"""The columns of `runs_table` that fit into a terminal."""

ESTIMATED = ("step", "memory")
"""What the estimate before a run stands beside when runs are compared."""


def settings(run: Run) -> dict[str, str]:
    """Everything that was chosen for a run or found around it, by name."""
    workload, machine = run.workload, run.machine
    told = {phrase("Model"): workload.model.name, phrase("Data"): join(", ", data_words(workload))}
    told |= {one.label: one.value_words(getattr(workload.plan, one.name)) for one in plan_options()}
    told[phrase("Input")] = shape_words(workload.input_shape) if workload.input_shape else ""
    told[phrase("Processor")] = machine.cpu.name or NOT_AVAILABLE
    told[phrase("Graphics cards")] = join(", ", (gpu.name for gpu in machine.gpus)) or phrase("none found")
    return told | dict(sorted(run.result.environment.items()))


def all_settings(run: Run) -> Table:
    """`settings` as a table."""
    return facts(phrase("Everything about this run"), settings(run).items())


def side_by_side(runs: Sequence[Run]) -> Table:
    """What was measured of each run with the estimate made before it, then only the settings that differ."""
    chosen = [settings(run) for run in runs]
    rows = [(name, *(one.get(name, "") for one in chosen)) for name in dict.fromkeys(n for one in chosen for n in one)]
    different = [row for row in rows if len(set(row[1:])) > 1]
    results = _results(runs)
    titles = tuple(phrase("Run {run_id}", run_id=run.run_id) for run in runs)
    return Table(("", *titles), (*results, *different), title=phrase("Runs side by side"), rule=len(results))


def _results(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """How each run ended and what was measured, of time and memory also how far the estimate was off."""
    found = [run.result.measurement for run in runs]
    rows: list[tuple[str, ...]] = [(phrase("Outcome"), *(OUTCOMES[run.result.outcome] for run in runs))]
    compared = [comparisons(run.prediction if run.result.measurement else None, run.result.measurement) for run in runs]
    for rows_of in zip(*compared, strict=True):
        first = rows_of[0]
        if any(one.measured.known for one in rows_of):
            rows.append((first.name, *(one.measured.marked if one.measured.known else "" for one in rows_of)))
            if first.quantity in ESTIMATED:
                rows.append((phrase("{quantity}, estimated before", quantity=first.name), *map(_estimate, rows_of)))
    waits = [measured_wait(one) if one is not None else None for one in found]
    if any(waits):
        rows.append((WAITS, *("" if wait is None else wait.words for wait in waits)))
    return rows


def _estimate(one: Comparison) -> Text:
    """An estimate, and how far the measurement was from it."""
    if not one.estimated.known:
        return Text()
    if not one.difference:
        return one.estimated.marked
    return phrase("{estimate} ({difference})", estimate=one.estimated.marked, difference=one.difference)


def runs_table(rows: Sequence[RunSummary]) -> Table:
    """The list of runs, in the order that is given."""
    names = [phrase("Run"), phrase("When"), phrase("Model"), phrase("Outcome"), phrase("Batch"), phrase("Step")]
    names += [phrase("Samples per second"), phrase("Memory needed"), phrase("Plan"), phrase("Data"), phrase("Note")]
    return Table(tuple(names), tuple(map(_summary, rows)), (0, 4, 5, 6, 7), spare=(8, 6, 9, 10, 3))


def _summary(one: RunSummary) -> tuple[str, ...]:
    """A line of the list."""
    return (
        str(one.run_id),
        format_moment(one.created_at),
        one.model,
        OUTCOMES[one.outcome],
        format_count(one.batch_size),
        told(one.step_s, "seconds"),
        told(one.samples_per_s, "samples_per_s"),
        told(one.allocator_peak_bytes, "bytes"),
        join(" · ", (one.optimizer, one.precision, one.device)),
        one.dataset,
        one.note,
    )


def record_lines(record: TrackRecord) -> tuple[Text, ...]:
    """The program's own error, a sentence each, with the run that it missed most."""
    parts = ((phrase("memory"), record.memory), (phrase("time"), record.time))
    return (_inside(record), *(_errors(name, errors) for name, errors in parts if errors is not None))


def _inside(record: TrackRecord) -> Text:
    """How many runs lay inside what was told of them before."""
    if record.runs == 1 and record.inside:
        return phrase("Your last run lay inside its interval.")
    if record.runs == 1:
        return phrase("Your last run lay outside its interval.")
    if record.inside == record.runs:
        return phrase("Your last {n} runs lay inside their intervals.", n=format_count(record.runs))
    counted = {"inside": format_count(record.inside), "n": format_count(record.runs)}
    return phrase("Of your last {n} runs, {inside} lay inside the interval.", **counted)


def _errors(name: Text, errors: Errors) -> Text:
    """The errors of one quantity."""
    median = _percent(errors.median_error)
    if errors.runs == 1:
        return phrase("Error of the {name}: {median}.", name=name, median=median)
    return phrase(
        "{Name}: median error {median}, largest {worst} in run {run} ({model}), {side} was predicted.",
        Name=name,
        median=median,
        worst=_percent(abs(errors.worst_error)),
        run=errors.worst_run_id,
        model=errors.worst_model,
        side=phrase("too much") if errors.worst_error > 0 else phrase("too little"),
    )


def _percent(share: float) -> Text:
    """A share as percent, with a decimal where it matters: ``0.4 %``, ``12 %``."""
    return phrase("{percent} %", percent=format_number(100 * share, ".1f" if share < 0.0995 else ".0f"))
