"""What people read: the verdict first, then the numbers with their marks, then what they are made of."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.types.plan import plan_words
from app.core.types.prediction import Prediction
from app.core.types.track_record import TrackRecord
from app.core.types.units import format_bytes, format_count, format_share
from app.presentation.figure import Figure, estimate_mark
from app.presentation.fit import memories_of, parts_of
from app.presentation.verdict import VerdictState, needs_words, verdict_state
from app.presentation.words import LEGEND, MEMORIES, PARTS, VERDICT_ICONS, VERDICTS, shape_words

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
        console.print(_WithoutEnds(part))


@dataclass(frozen=True)
class _WithoutEnds:
    """What is shown, without the blanks that tables and indented lines fill the width with."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.part, options, pad=False):
            while line and not line[-1].text.rstrip():
                line.pop()
            if line:
                line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
            yield from line
            yield Segment.line()


def verdict_text(prediction: Prediction) -> RenderableType:
    """The answer in three lines: does it fit, how long, what does it wait for."""
    state = verdict_state(prediction)
    first = Text(f"{VERDICT_ICONS[state.verdict]} {VERDICTS[state.verdict]}", style=_STYLES[state.verdict])
    first.append(f" — {needs_words(state)}", style="default")
    batches = [f"Batch {state.batch_size:,}"]
    batches += [f"largest batch {state.largest_batch.marked}"] * state.largest_batch.known
    batches += [f"best {state.best_batch.marked}"] * state.best_batch.known
    lines: list[RenderableType] = [first, Text(f"  {' · '.join(batches)}"), Text(f"  {' · '.join(_duration(state))}")]
    lines += [Text(f"  {state.waits}")] * bool(state.waits)
    lines += [Text(f"  {reason}", style="dim") for reason in state.reasons]
    return Group(*lines)


def estimate_text(prediction: Prediction) -> RenderableType:
    """All of an estimate."""
    parts: list[RenderableType] = [verdict_text(prediction), Text(), model_text(prediction.model, prediction.plan)]
    parts += [Text(), _memory_table(prediction), Text(), _other_formulas(prediction)]
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


def _duration(state: VerdictState) -> list[str]:
    """How long, as far as it is known."""
    if not state.step.known:
        return ["time not available"]
    words = [f"{state.step.marked} per step ({state.step.range})"]
    words += [f"{state.epoch.marked} per epoch"] * state.epoch.known
    words += [f"{state.total.marked} for {state.epochs} epochs"] * (state.total.known and state.epochs > 1)
    return words


def _memory_table(prediction: Prediction) -> RenderableType:
    """What fills the memory."""
    mark = estimate_mark(prediction.memory.basis)
    table = plain_table("Memory", "Size", "Share", numbers=("Size", "Share"))
    for part in parts_of(prediction):
        table.add_row(PARTS[part.part], Figure(part.size_bytes, "bytes", mark).marked, format_share(part.share))
    table.add_section()
    for row in memories_of(prediction):
        table.add_row(MEMORIES[row.kind], row.size.marked, row.size.range)
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
