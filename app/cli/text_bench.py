"""What people read of a run: how it ended, what was measured, and how the estimate compares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.text import list_text, plain_table
from app.core.types.measurement import MeasuredMemory, Measurement, Problem
from app.core.types.text import phrase
from app.core.types.units import format_bytes, format_count, format_seconds, format_share
from app.services.reports.words import (
    LEGEND,
    MARK_MEASURED,
    MEMORY_MARKS,
    OUTCOMES,
    TIME_MARKS,
    bound_words,
    difference_words,
    estimate_mark,
    time_range,
)

if TYPE_CHECKING:
    from app.core.types.prediction import Prediction
    from app.services.store.runs import Run

_STYLES = {"succeeded": "bold green", "out_of_memory": "bold red", "cancelled": "bold yellow"}


def bench_text(run: Run) -> RenderableType:
    """All of a run."""
    result = run.result
    parts: list[RenderableType] = [_headline(run)]
    if result.problem is not None:
        parts.append(problem_text(result.problem))
    if result.measurement is not None:
        parts += [Text(), comparison_table(result.measurement, run.prediction)]
        parts += list_text("What it waited for", _waiting(result.measurement))
    parts += list_text("Please note", [*_needed_words(run), *result.warnings])
    parts += [Text(), Text(LEGEND, style="dim")]
    return Group(*parts)


def comparison_table(measured: Measurement, predicted: Prediction | None) -> RenderableType:
    """Estimate beside measurement, with the difference of the estimate."""
    table = plain_table(
        "", "Measured", "Estimate before", "Difference", numbers=("Measured", "Estimate before", "Difference")
    )
    time = predicted.time if predicted else None
    memory = predicted.memory if predicted else None
    time_mark = TIME_MARKS[time.basis] if time else ""
    memory_mark = MEMORY_MARKS[memory.basis] if memory else ""
    host_mark = estimate_mark(memory.basis) if memory else ""
    needed = memory.allocator_peak_bytes if memory else None
    rows: list[tuple[str, float | None, float | None, str, Callable[[float | None], str]]] = [
        ("Step", measured.step.median_s, time.step_s if time else None, time_mark, format_seconds),
        ("Epoch", measured.epoch_s, time.epoch_s if time else None, time_mark, format_seconds),
        ("Memory needed", measured.memory.allocator_peak_bytes, needed, memory_mark, format_bytes),
        ("Process in RAM", measured.memory.host_bytes, memory.host_bytes if memory else None, host_mark, format_bytes),
    ]
    for name, truth, guess, mark, write in rows:
        shown = f"{MARK_MEASURED} {write(truth)}" if truth is not None else write(None)
        guessed = f"{mark} {write(guess)}" if guess is not None else write(None)
        table.add_row(name, shown, guessed, difference_words(guess, truth))
    for name, size in _more_memory(measured.memory):
        table.add_row(name, f"{MARK_MEASURED} {format_bytes(size)}", "", "")
    return table


def problem_text(problem: Problem) -> RenderableType:
    """What happened, where, and what to do."""
    lines = [problem.message]
    if problem.needed_bytes is not None or problem.had_bytes is not None:
        lines.append(
            phrase(
                "needed {needed}, had {had}",
                needed=format_bytes(problem.needed_bytes),
                had=format_bytes(problem.had_bytes),
            )
        )
    if problem.where:
        lines.append(phrase("in {where}", where=problem.where))
    if problem.hint:
        lines.append(phrase("What helps: {hint}", hint=problem.hint))
    return Text("\n".join(f"  {line}" for line in lines))


def _headline(run: Run) -> Text:
    """The outcome and the speed in one line."""
    result = run.result
    line = Text(OUTCOMES[result.outcome], style=_STYLES.get(result.outcome, "bold red"))
    measured = result.measurement
    if measured is None:
        phase = result.problem.phase if result.problem else None
        line.append(f" during {phase}" if phase else "", style="default")
    else:
        step = measured.step
        speed = f"{format_count(measured.samples_per_s)} samples/s"
        spread = f"{time_range(step.low_s, step.high_s)}, {step.n} steps"
        median = f"{MARK_MEASURED} {format_seconds(step.median_s)}"
        line.append(f" — {median} per step ({spread}) · {speed}", style="default")
    if run.run_id:
        line.append(f" · run {run.run_id}", style="dim")
    return line


def _waiting(measured: Measurement) -> list[str]:
    """What a step waited for, as far as it was found."""
    words = []
    if measured.bound_by is not None:
        words.append(f"It waits for {bound_words(measured.bound_by)}")
    shares = {"input": measured.shares.input, "copy": measured.shares.copy, "compute": measured.shares.compute}
    known = [f"{name} {format_share(share)}" for name, share in shares.items() if share is not None]
    if known:
        words.append("Share of a step: " + ", ".join(known))
    words += _data_words(measured)
    words.append(f"The first step took {format_seconds(measured.first_step_s)}")
    return words + _energy(measured)


def _energy(measured: Measurement) -> list[str]:
    """Power and energy of an epoch, where the machine tells."""
    energy = measured.energy
    found = (
        []
        if energy is None
        else [("The card", energy.gpu_w, energy.gpu_epoch_j), ("The processor", energy.cpu_w, energy.cpu_epoch_j)]
    )
    return [
        f"{name} took {power_w:.0f} W" + ("" if epoch_j is None else f", {epoch_j / 3600:.1f} Wh an epoch")
        for name, power_w, epoch_j in found
        if power_w is not None
    ]


def _data_words(measured: Measurement) -> list[str]:
    """What was learnt of the user's files."""
    data, shares = measured.data, measured.shares
    words = []
    if shares.disk is not None and shares.input:
        disk = shares.disk / shares.input
        words.append(f"Of its input: disk {format_share(disk)}, decoding {format_share(1 - disk)}")
    if data.read_bytes_per_s is not None:
        words.append(f"The disk gave the files at {format_bytes(data.read_bytes_per_s)}/s")
    if data.first_epoch_s is not None and measured.epoch_s is not None and data.first_epoch_s > measured.epoch_s:
        words.append(f"The first epoch, with nothing in memory yet, takes {format_seconds(data.first_epoch_s)} or more")
    if data.expansion is not None:
        words.append(f"Decoded and cached, the data takes {data.expansion:.1f} times its size on disk")
    return words


def _needed_words(run: Run) -> list[str]:
    """Who counted the memory, where it is not TensorFlow's allocator as usual."""
    measured = run.result.measurement
    basis = measured.memory.needed_basis if measured is not None else ""
    return [f"memory needed: {basis}"] if basis and run.workload.plan.backend != "tensorflow" else []


def _more_memory(memory: MeasuredMemory) -> list[tuple[str, int]]:
    """Memories that only a run can tell."""
    sizes = [("Memory held", memory.held_bytes), ("Memory seen", memory.device_bytes)]
    return [(name, size) for name, size in sizes if size is not None]
