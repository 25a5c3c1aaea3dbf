"""What people read of a run: how it ended, what was measured, and how the estimate compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.text import list_text, plain_table
from app.core.pipeline.waiting import measured_wait
from app.core.types.measurement import Measurement
from app.core.types.units import format_bytes, format_count, format_seconds, format_share
from app.presentation.figure import measured as measured_figure
from app.presentation.problem import problem_lines
from app.presentation.run import comparisons
from app.presentation.words import LEGEND, OUTCOMES

if TYPE_CHECKING:
    from app.core.types.prediction import Prediction
    from app.services.store.runs import Run

_STYLES = {"succeeded": "bold green", "out_of_memory": "bold red", "cancelled": "bold yellow"}


def bench_text(run: Run) -> RenderableType:
    """All of a run."""
    result = run.result
    parts: list[RenderableType] = [_headline(run)]
    if result.problem is not None:
        parts += [Text(f"  {line}") for line in problem_lines(result.problem)]
    if result.measurement is not None:
        parts += [Text(), comparison_table(result.measurement, run.prediction)]
        parts += list_text("What it waited for", _waiting(result.measurement))
    parts += list_text("Please note", [*_needed_words(run), *result.warnings])
    parts += [Text(), Text(LEGEND, style="dim")]
    return Group(*parts)


def comparison_table(measured: Measurement, predicted: Prediction | None) -> RenderableType:
    """Estimate beside measurement, with the difference of the estimate."""
    numbers = ("Measured", "Estimate before", "Difference")
    table = plain_table("", *numbers, numbers=numbers)
    for row in comparisons(predicted, measured):
        if row.known:
            table.add_row(row.name, row.measured.marked, row.estimated.marked, row.difference)
    return table


def _headline(run: Run) -> Text:
    """The outcome and the speed in one line."""
    result = run.result
    line = Text(OUTCOMES[result.outcome], style=_STYLES.get(result.outcome, "bold red"))
    measured = result.measurement
    if measured is None:
        phase = result.problem.phase if result.problem else None
        line.append(f" during {phase}" if phase else "", style="default")
    else:
        step = measured_figure(measured.step.median_s, "seconds", measured.step.low_s, measured.step.high_s)
        speed = f"{format_count(measured.samples_per_s)} samples/s"
        line.append(f" — {step.marked} per step ({step.range}, {measured.step.n} steps) · {speed}", style="default")
    if run.run_id:
        line.append(f" · run {run.run_id}", style="dim")
    return line


def _waiting(measured: Measurement) -> list[str]:
    """What a step waited for, as far as it was found."""
    wait = measured_wait(measured)
    words: list[str] = [] if wait is None else [wait.sentence]
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
