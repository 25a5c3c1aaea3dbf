"""What people read: the verdict first, then the numbers with their marks, then what they are made of."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.types.plan import plan_words
from app.core.types.prediction import Fit, PredictedMemory, PredictedTime, Prediction
from app.core.types.track_record import TrackRecord
from app.core.types.units import format_bytes, format_count, format_seconds, format_share
from app.services.reports.words import (
    LEGEND,
    MEMORY_MARKS,
    PARTS,
    TIME_MARKS,
    VERDICT_ICONS,
    VERDICTS,
    bound_words,
    byte_range,
    estimate_mark,
    shape_words,
    time_range,
)

if TYPE_CHECKING:
    from app.core.types.stepgraph import ModelFacts
    from app.core.types.workload import Plan

_STYLES = {"fits": "bold green", "tight": "bold yellow", "does_not_fit": "bold red", "unknown": "bold"}
PIPE_WIDTH = 120
"""Columns where the output is no terminal: a pipe, a file, a log."""

_COMPILED = {True: "XLA on", False: "XLA off", None: "XLA as Keras decides"}


def show(*parts: RenderableType) -> None:
    """Print on stdout, in colour if it is a terminal.  Names of users are never read as markup."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    for part in parts:
        console.print(part)


def verdict_text(prediction: Prediction) -> RenderableType:
    """The answer in three lines: does it fit, how long, what does it wait for."""
    fit, memory, time, plan = prediction.fit, prediction.memory, prediction.time, prediction.plan
    style = _STYLES[fit.verdict]
    first = Text(f"{VERDICT_ICONS[fit.verdict]} {VERDICTS[fit.verdict]}", style=style)
    mark = MEMORY_MARKS[memory.basis]
    needed = f" — needs {mark} {format_bytes(memory.allocator_peak_bytes)}"
    first.append(f"{needed} of {format_bytes(fit.allowed_bytes)} allowed on {fit.device_name}", style="default")
    batches = " · ".join([f"Batch {plan.batch_size:,}", *_batches(fit, estimate_mark(memory.basis))])
    duration = " · ".join(_duration(time, plan.epochs))
    lines: list[RenderableType] = [first, Text(f"  {batches}"), Text(f"  {duration}")]
    if time.bound_by is not None:
        lines.append(Text(f"  It waits for {bound_words(time.bound_by, time.bound_share)}"))
    lines += [Text(f"  {reason}", style="dim") for reason in fit.reasons]
    return Group(*lines)


def estimate_text(prediction: Prediction) -> RenderableType:
    """All of an estimate."""
    parts: list[RenderableType] = [verdict_text(prediction), Text(), model_text(prediction.model, prediction.plan)]
    parts += [Text(), _memory_table(prediction.memory), Text(), _other_formulas(prediction)]
    if prediction.track_record is not None:
        parts += [Text(), record_text(prediction.track_record)]
    assumed = [prediction.memory.dominant_assumption, prediction.time.dominant_assumption, *prediction.assumptions]
    parts += list_text("Assumed", assumed)
    parts += [Text(), Text(LEGEND, style="dim")]
    return Group(*parts)


def record_text(record: TrackRecord) -> Text:
    """The product's own error, with the run that it missed most."""
    title = record_title(record)
    lines = [f"{title[0].upper()}{title[1:]}: {record_words(record)}."]
    for name, errors in (("memory", record.memory), ("time", record.time)):
        if errors is not None and errors.runs > 1:
            side = "too much" if errors.worst_error > 0 else "too little"
            lines.append(
                f"  Worst for {name}: run {errors.worst_run_id} ({errors.worst_model}), "
                f"{percent_words(abs(errors.worst_error))} {side} predicted."
            )
    return Text("\n".join(lines), style="dim")


def model_text(model: ModelFacts, plan: Plan) -> Text:
    """One line each on the model and the plan."""
    shapes = ", ".join(shape_words(shape) for shape in model.input_shapes)
    trained = "" if model.trainable_params == model.params else f" ({format_count(model.trainable_params)} trained)"
    compiled = _COMPILED[plan.jit] if plan.backend != "torch" else f"torch.compile {'on' if plan.jit else 'off'}"
    settings = [plan.mode, plan.optimizer, plan.precision, compiled, *plan_words(plan)]
    return Text(
        f"Model  {model.name} · {format_count(model.params)} parameters{trained} · input {shapes}\n"
        f"Plan   {' · '.join(settings)}"
    )


def list_text(title: str, lines: Sequence[str]) -> list[RenderableType]:
    """A heading and its points, each once; nothing if there are none."""
    points = [line for line in dict.fromkeys(lines) if line]
    if not points:
        return []
    return [Text(), Text(title, style="bold"), *(Padding(Text(f"- {line}"), (0, 0, 0, 2)) for line in points)]


def plain_table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """A table without a frame; the columns in ``numbers`` stand to the right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for index, name in enumerate(columns):
        table.add_column(name, justify="right" if name in numbers else "left", overflow="fold", no_wrap=index == 0)
    return table


def _duration(time: PredictedTime, epochs: int) -> list[str]:
    """How long, as far as it is known."""
    mark = TIME_MARKS[time.basis]
    if time.step_s is None:
        return ["time not available"]
    words = [f"{mark} {format_seconds(time.step_s)} per step ({time_range(time.low_s, time.high_s)})"]
    if time.epoch_s is not None:
        words.append(f"{mark} {format_seconds(time.epoch_s)} per epoch")
    if time.total_s is not None and epochs > 1:
        words.append(f"{mark} {format_seconds(time.total_s)} for {epochs} epochs")
    return words


def _batches(fit: Fit, mark: str) -> list[str]:
    """The largest and the best batch, as far as they are known."""
    words = [] if fit.max_batch_size is None else [f"largest batch {mark} {fit.max_batch_size:,}"]
    return words if fit.best_batch_size is None else [*words, f"best {mark} {fit.best_batch_size:,}"]


def _memory_table(memory: PredictedMemory) -> RenderableType:
    """What fills the memory."""
    mark, part_mark = MEMORY_MARKS[memory.basis], estimate_mark(memory.basis)
    total = max(1, sum(asdict(memory.parts).values()))
    table = plain_table("Memory", "Size", "Share", numbers=("Size", "Share"))
    for name, size in asdict(memory.parts).items():
        if size:
            table.add_row(PARTS[name], f"{part_mark} {format_bytes(size)}", format_share(size / total))
    table.add_section()
    table.add_row(
        "Needed by tensors",
        f"{mark} {format_bytes(memory.allocator_peak_bytes)}",
        byte_range(memory.low_bytes, memory.high_bytes),
    )
    table.add_row("Seen by the driver", f"{part_mark} {format_bytes(memory.device_bytes)}", "")
    table.add_row("The process in RAM", f"{part_mark} {format_bytes(memory.host_bytes)}", "")
    return table


def _other_formulas(prediction: Prediction) -> Text:
    """What the usual formulas say, and why they differ."""
    size, why = format_bytes(prediction.textbook_bytes), prediction.textbook_reason
    needed = format_bytes(prediction.memory.allocator_peak_bytes)
    text = Text(f"The textbook formula says {size}", style="dim")
    text.append(f" where {needed} are predicted here: {why}." if why else ", which is much the same.")
    if prediction.rule_of_thumb_bytes is not None:
        text.append(
            f"\nThe rule of 35 × the dataset says {format_bytes(prediction.rule_of_thumb_bytes)}; "
            "it ignores the network and the batch."
        )
    return text
