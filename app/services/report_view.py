"""What a report says, as text ready to be laid out: pure functions from a run.

Every number carries its mark; what is not available says so.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from app.core.measurement import Measurement, RunResult, Sample
from app.core.prediction import Explanation, Prediction
from app.core.units import format_bytes, format_count, format_seconds
from app.core.workload import option_words
from app.services.history import Run
from app.services.words import (
    LEGEND,
    MARK_MEASURED,
    MEMORY_MARKS,
    OUTCOMES,
    PARTS,
    TIME_MARKS,
    VERDICTS,
    bound_words,
    byte_range,
    difference_words,
    estimate_mark,
    shape_words,
    time_range,
    variant_words,
)

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

PLOT_WIDTH = 640
PLOT_HEIGHT = 140


@dataclass(frozen=True)
class Row:
    """A line of a table: a name and its cells."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Segment:
    """A piece of a stacked bar; start and width are percent of the bar."""

    name: str
    text: str
    start_percent: float
    width_percent: float
    colour: str


@dataclass(frozen=True)
class Plot:
    """A line of step times as SVG points, and the texts beside it."""

    points: str
    top_text: str
    end_text: str


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
    plot: Plot | None
    warnings: tuple[str, ...]
    assumptions: tuple[str, ...]
    basis: tuple[Explanation, ...]
    environment: tuple[Row, ...]
    legend: str = LEGEND


def view_of(run: Run) -> ReportView:
    """Everything a report says of a run."""
    predicted, result = run.prediction, run.result
    return ReportView(
        title=f"Will it train? Run {run.run_id}: {run.workload.model.name}",
        headline=headline(result),
        problem=_problem_lines(result),
        facts=tuple(_facts(run)),
        comparison=tuple(_comparison(result.measurement, predicted)),
        verdict=_verdict(predicted) if predicted else "",
        reasons=predicted.fit.reasons if predicted else (),
        segments=tuple(stacked(predicted)) if predicted else (),
        plot=step_plot(result.samples),
        warnings=result.warnings,
        assumptions=_assumptions(predicted) if predicted else (),
        basis=_basis(predicted) if predicted else (),
        environment=tuple(Row(name, (value,)) for name, value in sorted(result.environment.items())),
    )


def headline(result: RunResult) -> str:
    """How the run ended and how fast it was, in one line."""
    measured = result.measurement
    if measured is None:
        return OUTCOMES[result.outcome]
    speed = f"{MARK_MEASURED} {format_seconds(measured.step.median_s)} per step"
    return f"{OUTCOMES[result.outcome]}: {speed}, {format_count(measured.samples_per_s)} samples/s"


def stacked(predicted: Prediction) -> list[Segment]:
    """The parts of the predicted memory as pieces of one bar."""
    sizes = {name: size for name, size in asdict(predicted.memory.parts).items() if size > 0}
    total = sum(sizes.values())
    mark = estimate_mark(predicted.memory.basis)
    segments, start = [], 0.0
    for name, size in sizes.items():
        width = 100 * size / total
        segments.append(Segment(PARTS[name], f"{mark} {format_bytes(size)}", start, width, COLOURS[name]))
        start += width
    return segments


def step_plot(samples: tuple[Sample, ...]) -> Plot | None:
    """Step time over the run; None if there are fewer than two readings."""
    readings = [(s.t_s, s.step_s) for s in samples if s.step_s is not None]
    if len(readings) < 2:
        return None
    first_s, last_s = readings[0][0], readings[-1][0]
    top_s = max(step_s for _, step_s in readings) or 1.0
    span_s = (last_s - first_s) or 1.0
    points = " ".join(
        f"{PLOT_WIDTH * (t_s - first_s) / span_s:.1f},{PLOT_HEIGHT * (1 - step_s / top_s):.1f}"
        for t_s, step_s in readings
    )
    return Plot(points, format_seconds(top_s), format_seconds(last_s - first_s))


def _facts(run: Run) -> list[Row]:
    """What was trained, where and when."""
    plan, dataset, machine = run.workload.plan, run.workload.dataset, run.machine
    data = "random values" if dataset is None else dataset.name
    if dataset is not None and not dataset.real:
        data += " (made up: right shape and type)"
    rows = [Row("Model", (run.workload.model.name,)), Row("Data", (data,))]
    if run.prediction is not None:
        facts = run.prediction.model
        counts = f"{format_count(facts.params)}, {format_count(facts.trainable_params)} trained"
        rows.append(Row("Parameters", (counts,)))
        rows.append(Row("Input", (", ".join(shape_words(shape) for shape in facts.input_shapes),)))
    settings = ", ".join([
        f"batch {plan.batch_size:,}", plan.optimizer, plan.precision, plan.mode, f"device {plan.device}",
        *option_words(plan), *variant_words(plan),
    ])  # fmt: skip
    cards = ", ".join(gpu.name for gpu in machine.gpus) or "no GPU"
    rows += [
        Row("Plan", (settings,)),
        Row("Machine", (f"{machine.cpu.name or 'processor not known'}; {format_bytes(machine.ram.total_bytes)} RAM; "
                        f"{cards}",)),
        Row("When", (run.created_at,)),
    ]  # fmt: skip
    return rows + [Row("Note", (run.note,))] * bool(run.note)


def _comparison(measured: Measurement | None, predicted: Prediction | None) -> list[Row]:
    """Rows of (measured, estimate before, interval of the estimate, difference)."""
    memory, time = (predicted.memory, predicted.time) if predicted else (None, None)
    found = measured.memory if measured else None
    rows = [
        _time_row("Step", measured.step.median_s if measured else None, time.step_s if time else None, predicted),
        _time_row("Epoch", measured.epoch_s if measured else None, time.epoch_s if time else None, predicted),
        _size_row("Memory needed", found.allocator_peak_bytes if found else None,
                  memory.allocator_peak_bytes if memory else None, predicted),
        _size_row("Memory held", found.held_bytes if found else None, None, predicted),
        _size_row("Memory seen", found.device_bytes if found else None, memory.device_bytes if memory else None,
                  predicted),
        _size_row("Process in RAM", found.host_bytes if found else None, memory.host_bytes if memory else None,
                  predicted),
    ]  # fmt: skip
    if measured is not None and measured.bound_by is not None:
        rows.append(Row("Waits for", (bound_words(measured.bound_by), _waits(predicted), "", "")))
    return rows


def _time_row(name: str, truth: float | None, guess: float | None, predicted: Prediction | None) -> Row:
    """A duration, measured and estimated."""
    mark = TIME_MARKS[predicted.time.basis] if predicted else ""
    interval = ""
    if predicted is not None and name == "Step" and guess is not None:
        interval = time_range(predicted.time.low_s, predicted.time.high_s)
    cells = (_marked(MARK_MEASURED, truth, format_seconds(truth)), _marked(mark, guess, format_seconds(guess)))
    return Row(name, (*cells, interval, difference_words(guess, truth)))


def _size_row(name: str, truth: int | None, guess: int | None, predicted: Prediction | None) -> Row:
    """A size, measured and estimated."""
    mark = estimate_mark(predicted.memory.basis) if predicted else ""
    interval = ""
    if predicted is not None and name == "Memory needed":
        mark = MEMORY_MARKS[predicted.memory.basis]
        interval = byte_range(predicted.memory.low_bytes, predicted.memory.high_bytes)
    cells = (_marked(MARK_MEASURED, truth, format_bytes(truth)), _marked(mark, guess, format_bytes(guess)))
    return Row(name, (*cells, interval, difference_words(guess, truth)))


def _marked(mark: str, value: float | None, text: str) -> str:
    """A number with its mark; without a value there is nothing to mark."""
    return text if value is None else f"{mark} {text}"


def _waits(predicted: Prediction | None) -> str:
    """What the estimate says the training waits for."""
    return bound_words(predicted.time.bound_by, predicted.time.bound_share) if predicted else ""


def _verdict(predicted: Prediction) -> str:
    """The verdict in one line."""
    fit, memory = predicted.fit, predicted.memory
    needed = f"{MEMORY_MARKS[memory.basis]} {format_bytes(memory.allocator_peak_bytes)}"
    return f"{VERDICTS[fit.verdict]}: needs {needed} of {format_bytes(fit.allowed_bytes)} allowed on {fit.device_name}"


def _problem_lines(result: RunResult) -> tuple[str, ...]:
    """What went wrong, in words."""
    problem = result.problem
    if problem is None:
        return ()
    lines = [problem.message]
    if problem.needed_bytes is not None or problem.had_bytes is not None:
        lines.append(f"needed {format_bytes(problem.needed_bytes)}, had {format_bytes(problem.had_bytes)}")
    lines += [f"in {problem.where}"] * bool(problem.where) + [f"What helps: {problem.hint}"] * bool(problem.hint)
    return tuple(lines)


def _assumptions(predicted: Prediction) -> tuple[str, ...]:
    """What was assumed, each once, the dominant ones first."""
    lines = (predicted.memory.dominant_assumption, predicted.time.dominant_assumption, *predicted.assumptions)
    return tuple(line for line in dict.fromkeys(lines) if line)


def _basis(predicted: Prediction) -> tuple[Explanation, ...]:
    """Where the numbers come from, each line once."""
    lines = predicted.memory.explanation + predicted.fit.explanation + predicted.time.explanation
    return tuple(dict.fromkeys(lines))
