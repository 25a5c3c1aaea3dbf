"""What a report says: the blocks of `app.presentation`, and its drawings between them.

Every number carries its mark; what is not available says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from app.core.types.advice import Advice
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import Text, phrase
from app.core.types.units import format_day, format_share
from app.presentation.advice import what_to_do
from app.presentation.estimate import assumed, verdict_lines
from app.presentation.figure import Figure, estimate_mark, time_mark
from app.presentation.fit import parts_of
from app.presentation.language import ENGLISH, Language
from app.presentation.layout import Block, Line, Table, facts, points, said_all
from app.presentation.machine import machine_table
from app.presentation.profile import profile_blocks
from app.presentation.run import comparison_table, ending_lines, measured_facts, notes, run_facts
from app.presentation.whole import measured_blocks, whole_blocks
from app.presentation.words import LEGEND, PARTS
from app.services.reports.charts import Chart, charts_of

COLOURS = {
    "weights": "#0072B2",
    "gradients": "#56B4E9",
    "optimizer_state": "#009E73",
    "activations": "#E69F00",
    "workspace": "#D55E00",
    "inputs": "#CC79A7",
    "framework": "#8A8A8A",
}
"""Distinguishable with colour-blindness (Okabe & Ito 2008, "Color Universal Design")."""


@dataclass(frozen=True)
class Segment:
    """A piece of a stacked bar; start and width are percent of the bar."""

    name: str
    text: str
    share: str
    start_percent: float
    width_percent: float
    colour: str


@dataclass(frozen=True)
class Bar:
    """The parts of the predicted memory as pieces of one bar, and as a table."""

    kind: ClassVar = "bar"
    title: str
    segments: tuple[Segment, ...]


Part = Block | Bar | Chart


def report_title(run: Run) -> Text:
    """Which run of which model."""
    return phrase("Will it train? Run {run_id}: {model}", run_id=run.run_id, model=run.workload.model.name)


def report_blocks(
    run: Run, advice: Advice | None = None, language: Language = ENGLISH, *, version: str = "", written_at: str = ""
) -> tuple[Part, ...]:
    """Everything a report says of a run, and what would be better, in a language.

    Args:
        run: The run.
        advice: What would be better.
        language: How to say it.
        version: Of the program that writes the report.
        written_at: The day on which it is written, in ISO 8601.
    """
    predicted, result = run.prediction, run.result
    drawn = charts_of(predicted, result.measurement, result.samples, language.say)
    written = phrase("Written by Will It Train? {version} on {day}.", version=version, day=format_day(written_at))
    blocks: tuple[Part, ...] = (
        *ending_lines(run),
        *(verdict_lines(predicted) if predicted is not None else ()),
        run_facts(run),
        comparison_table(predicted, result.measurement),
        Line(LEGEND, "soft"),
        *((measured_facts(result.measurement),) if result.measurement is not None else ()),
        *whole_of(run),
        *((Bar(phrase("What fills the memory"), stacked(predicted)),) if predicted is not None else ()),
        *drawn,
        *profile_blocks(run),
        *_advice(run, advice),
        *points(phrase("Please note"), notes(result)),
        *(_reasons(predicted) if predicted is not None else ()),
        machine_table(run.machine),
        facts(phrase("Versions and settings"), sorted(result.environment.items())),
        Line(written, "soft"),
    )
    return cast("tuple[Part, ...]", said_all(blocks, language.say))


def whole_of(run: Run) -> tuple[Block, ...]:
    """The whole of the training: what was predicted of it, and what was measured."""
    predicted = run.prediction
    return (*(whole_blocks(predicted) if predicted is not None else ()), *measured_blocks(run))


def stacked(predicted: Prediction) -> tuple[Segment, ...]:
    """The parts of the predicted memory as pieces of one bar."""
    mark = estimate_mark(predicted.memory.basis)
    segments, start = [], 0.0
    for part in parts_of(predicted):
        width = 100 * part.share
        size = Figure(part.size_bytes, "bytes", mark).marked
        segments.append(Segment(PARTS[part.part], size, format_share(part.share), start, width, COLOURS[part.part]))
        start += width
    return tuple(segments)


def _advice(run: Run, advice: Advice | None) -> tuple[Block, ...]:
    """What would be better, as the command line says it."""
    if advice is None:
        return ()
    mark = time_mark(run.prediction.time.basis) if run.prediction is not None else "predicted"
    return what_to_do(advice, mark, run.workload.plan.epochs)


def _reasons(predicted: Prediction) -> tuple[Block, ...]:
    """What was assumed, and where the numbers come from, each once."""
    lines = predicted.memory.explanation + predicted.fit.explanation + predicted.time.explanation
    columns = (phrase("Quantity"), phrase("Value"), phrase("Formula"), phrase("Source"))
    rows = tuple((one.name, one.value, one.formula, one.source) for one in dict.fromkeys(lines))
    basis = Table(columns, rows, title=phrase("Where the numbers come from"))
    return (*points(phrase("What the estimate assumed"), assumed(predicted)), *([basis] if rows else []))
