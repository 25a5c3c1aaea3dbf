"""What a report says, as text ready to be laid out: pure functions from a run.

Every number carries its mark; what is not available says so.  Texts are values until `view_of` has them said in the
report's language.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from app.core.pipeline.waiting import measured_wait, predicted_wait
from app.core.types.advice import Advice
from app.core.types.machine import Cpu, Gpu, Machine
from app.core.types.measurement import Measurement, RunResult
from app.core.types.plan import plan_words
from app.core.types.prediction import Explanation, Prediction
from app.core.types.text import Text, phrase
from app.core.types.units import (
    NOT_AVAILABLE,
    format_bytes,
    format_count,
    format_day,
    format_moment,
    format_number,
    format_seconds,
    format_share,
)
from app.presentation.advice import (
    KINDS,
    Say,
    UpgradeRow,
    answers,
    extras,
    price_notes,
    recommendation_rows,
    time_title,
    upgrade_rows,
)
from app.presentation.figure import Figure, estimate_mark
from app.presentation.fit import parts_of
from app.presentation.problem import problem_lines
from app.presentation.run import comparisons
from app.presentation.verdict import needs_words, verdict_state
from app.presentation.words import LEGEND, MARK_MEASURED, MODES, OUTCOMES, PARTS, VERDICTS, shape_words
from app.services.reports.charts import Chart, charts_of
from app.services.reports.language import ENGLISH, Language, said_all
from app.services.store.runs import Run

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
class Row:
    """A line of a table: a name and its cells, which stand in columns or are listed."""

    name: str
    cells: tuple[str, ...]


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
class AdviceView:
    """What would be better: changes as (title, reason, effect), hardware as rows with an answer to each."""

    waits: str
    recommendations: tuple[tuple[str, str, str], ...]
    nothing_to_gain: str
    time_title: str
    upgrades: tuple[UpgradeRow, ...]
    answers: tuple[str, ...]
    notes: tuple[str, ...]
    basis: str


@dataclass(frozen=True)
class ReportView:
    """All that a template needs."""

    title: str
    headline: str
    problem: tuple[str, ...]
    facts: tuple[Row, ...]
    comparison: tuple[Row, ...]
    verdict: str
    reasons: tuple[str, ...]
    segments: tuple[Segment, ...]
    charts: tuple[Chart, ...]
    warnings: tuple[str, ...]
    assumptions: tuple[str, ...]
    basis: tuple[Explanation, ...]
    machine: tuple[Row, ...]
    environment: tuple[Row, ...]
    advice: AdviceView | None = None
    written: str = ""
    legend: str = LEGEND


def view_of(
    run: Run, advice: Advice | None = None, language: Language = ENGLISH, *, version: str = "", written_at: str = ""
) -> ReportView:
    """Everything a report says of a run, and what would be better, in a language.

    Args:
        run: The run.
        advice: What would be better.
        language: How to say it.
        version: Of the program that writes the report.
        written_at: The day on which it is written, in ISO 8601.
    """
    view = _english_view(run, advice, language)
    written = phrase("Written by Will It Train? {version} on {day}.", version=version, day=format_day(written_at))
    told = cast("ReportView", said_all(replace(view, written=written), language.say))
    return replace(told, reasons=tuple(map(_capital, told.reasons)), problem=tuple(map(_capital, told.problem)))


def _capital(text: str) -> str:
    """A line that stands alone begins with a capital letter."""
    return text[:1].upper() + text[1:]


def _english_view(run: Run, advice: Advice | None, language: Language) -> ReportView:
    """The view before it is said; only drawings and lists of advice are said already."""
    predicted, result = run.prediction, run.result
    return ReportView(
        title=phrase("Will it train? Run {run_id}: {model}", run_id=run.run_id, model=run.workload.model.name),
        headline=headline(result),
        problem=problem_lines(result.problem) if result.problem is not None else (),
        facts=tuple(_facts(run)),
        comparison=tuple(_comparison(result.measurement, predicted)),
        verdict=_verdict(predicted) if predicted else "",
        reasons=predicted.fit.reasons if predicted else (),
        segments=tuple(stacked(predicted)) if predicted else (),
        charts=tuple(charts_of(predicted, result.measurement, result.samples, language.say)),
        warnings=result.warnings,
        assumptions=_assumptions(predicted) if predicted else (),
        basis=_basis(predicted) if predicted else (),
        machine=tuple(_machine(run.machine)),
        environment=tuple(Row(name, (value,)) for name, value in sorted(result.environment.items())),
        advice=_advice(advice, run.workload.plan.epochs, language.say) if advice else None,
    )


def _advice(advice: Advice, epochs: int, say: Say) -> AdviceView:
    """What would be better, in the words of the command line."""
    nothing = advice.nothing_to_gain or phrase("the plan is good as it is")
    return AdviceView(
        waits=advice.waits or "",
        recommendations=recommendation_rows(advice),
        nothing_to_gain="" if advice.recommendations else phrase("Nothing to gain: {nothing}.", nothing=nothing),
        time_title=time_title(epochs),
        upgrades=upgrade_rows(advice.upgrades, epochs),
        answers=answers(advice.upgrades, say),
        notes=(*extras(advice.upgrades, say), *price_notes(advice, say)),
        basis=phrase("The advice stands on {basis}.", basis=advice.basis),
    )


def headline(result: RunResult) -> Text:
    """How the run ended and how fast it was, in one line."""
    measured = result.measurement
    if measured is None:
        return OUTCOMES[result.outcome]
    return phrase(
        "{outcomes}: {mark_measured} {median} per step, {samples_per} samples/s",
        outcomes=OUTCOMES[result.outcome],
        mark_measured=MARK_MEASURED,
        median=format_seconds(measured.step.median_s),
        samples_per=format_count(measured.samples_per_s),
    )


def stacked(predicted: Prediction) -> list[Segment]:
    """The parts of the predicted memory as pieces of one bar."""
    mark = estimate_mark(predicted.memory.basis)
    segments, start = [], 0.0
    for part in parts_of(predicted):
        width = 100 * part.share
        share = "< 1 %" if width < 0.5 else format_share(part.share)
        size = Figure(part.size_bytes, "bytes", mark).marked
        segments.append(Segment(PARTS[part.part], size, share, start, width, COLOURS[part.part]))
        start += width
    return segments


def _facts(run: Run) -> list[Row]:
    """What was trained, where and when."""
    plan, dataset = run.workload.plan, run.workload.dataset
    data: tuple[str, ...] = (phrase("random values"),) if dataset is None else (dataset.name,)
    if dataset is not None and not dataset.real:
        data = (*data, phrase("made up in the right shape and type"))
    rows = [Row(phrase("Model"), (run.workload.model.name,)), Row(phrase("Data"), data)]
    if run.prediction is not None:
        facts = run.prediction.model
        trained = phrase(
            "of which {trainable_params} are trained", trainable_params=format_count(facts.trainable_params)
        )
        rows.append(Row(phrase("Parameters"), (format_count(facts.params), trained)))
        rows.append(Row(phrase("Input"), tuple(shape_words(shape) for shape in facts.input_shapes)))
    settings = (
        phrase("batch {batch_size}", batch_size=format_number(plan.batch_size, ",")),
        plan.optimizer,
        plan.precision,
        MODES[plan.mode],
        phrase("device {device}", device=plan.device),
        *plan_words(plan),
    )
    rows += [Row(phrase("Plan"), settings), Row(phrase("When"), (format_moment(run.created_at),))]
    return rows + [Row(phrase("Note"), (run.note,))] * bool(run.note)


def _machine(machine: Machine) -> list[Row]:
    """What it ran on; parts that were not this machine's own say so."""
    cpu, ram = machine.cpu, machine.ram
    system = " ".join(filter(None, (machine.os, machine.os_version)))
    rows = [
        Row(
            phrase("System"),
            (system or NOT_AVAILABLE, *["WSL"] * machine.wsl, *[phrase("in a container")] * machine.container),
        ),
        Row(phrase("Processor"), (cpu.name if cpu.name else NOT_AVAILABLE, *_cores(cpu))),
        Row(phrase("Memory"), _memory(ram.total_bytes, ram.available_bytes)),
    ]
    rows += [Row(phrase("Card {index}", index=gpu.index), _card(gpu)) for gpu in machine.gpus] or [
        Row(phrase("Card"), (phrase("none"),))
    ]
    if machine.nvidia_driver:
        cuda = [f"CUDA {machine.cuda_version}"] if machine.cuda_version else []
        rows.append(Row(phrase("Driver"), (f"NVIDIA {machine.nvidia_driver}", *cuda)))
    if machine.simulated:
        rows.append(Row(phrase("Simulated"), tuple(KINDS.get(part, part) for part in machine.simulated)))
    if machine.taken_at:
        rows.append(Row(phrase("Read"), (format_moment(machine.taken_at),)))
    return rows


def _cores(cpu: Cpu) -> tuple[str, ...]:
    """How many cores there are, and how many threads may be used, as far as that is known."""
    physical = (
        ()
        if cpu.physical_cores is None
        else (phrase("{physical_cores} cores", physical_cores=format_count(cpu.physical_cores)),)
    )
    usable = (
        ()
        if cpu.usable_cores is None
        else (phrase("{usable_cores} threads usable", usable_cores=format_count(cpu.usable_cores)),)
    )
    return (*physical, *usable)


def _card(gpu: Gpu) -> tuple[str, ...]:
    """One card and its memory."""
    return (gpu.name, *_memory(gpu.memory_total_bytes, gpu.memory_free_bytes))


def _memory(total_bytes: int | None, free_bytes: int | None) -> tuple[str, ...]:
    """How large a memory is, and how much of it was free if that is known."""
    free = () if free_bytes is None else (phrase("{free} were free", free=format_bytes(free_bytes)),)
    return (format_bytes(total_bytes), *free)


def _comparison(measured: Measurement | None, predicted: Prediction | None) -> list[Row]:
    """Rows of (measured, estimate before, interval of the estimate, difference)."""
    rows = [
        Row(row.name, (row.measured.marked, row.estimated.marked, row.estimated.range, row.difference))
        for row in comparisons(predicted, measured)
    ]
    waited = measured_wait(measured) if measured is not None else None
    if waited is not None:
        expected = predicted_wait(predicted.time) if predicted is not None else None
        rows.append(Row(phrase("It waits for"), (waited.words, expected.words if expected else "", "", "")))
    return rows


def _verdict(predicted: Prediction) -> str:
    """The verdict in one line."""
    state = verdict_state(predicted)
    return phrase("{verdict}: {needs}", verdict=VERDICTS[state.verdict], needs=needs_words(state))


def _assumptions(predicted: Prediction) -> tuple[str, ...]:
    """What was assumed, each once, the dominant ones first."""
    lines = (predicted.memory.dominant_assumption, predicted.time.dominant_assumption, *predicted.assumptions)
    return tuple(line for line in dict.fromkeys(lines) if line)


def _basis(predicted: Prediction) -> tuple[Explanation, ...]:
    """Where the numbers come from, each line once."""
    lines = predicted.memory.explanation + predicted.fit.explanation + predicted.time.explanation
    return tuple(dict.fromkeys(lines))
