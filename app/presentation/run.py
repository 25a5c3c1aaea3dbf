"""A run: how it ended, what it measured beside what was estimated before it, and how it differs from others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.core.pipeline.waiting import measured_wait, predicted_wait
from app.core.types.measurement import MeasuredShares, Measurement, RunResult
from app.core.types.plans import plan_words
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import Text, join, phrase, plural, sentence
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_moment, format_number, format_share
from app.core.types.workload import Workload
from app.presentation.figure import MARKS, Figure, Mark, Unit, estimate_mark, measured
from app.presentation.layout import BLANK, Block, Line, Table, Weight, fact, facts, marked, points
from app.presentation.problem import problem_lines
from app.presentation.whole import measured_blocks
from app.presentation.words import (
    LEGEND,
    MODES,
    OUTCOMES,
    PHASES,
    QUANTITIES,
    REMEDIES,
    SHARES,
    difference_words,
    shape_words,
)

WAITS = phrase("It waits for")
_WEIGHTS: dict[str, Weight] = {"succeeded": "good", "cancelled": "warning"}


@dataclass(frozen=True)
class Comparison:
    """A quantity, estimated and measured."""

    quantity: str
    """A key of `app.presentation.words.QUANTITIES`."""
    estimated: Figure
    measured: Figure

    @property
    def name(self) -> Text:
        """What is compared."""
        return QUANTITIES[self.quantity]

    @property
    def difference(self) -> Text:
        """How far the estimate was from the measurement; empty if either is unknown."""
        return difference_words(self.estimated.amount, self.measured.amount)

    @property
    def known(self) -> bool:
        """There is something to show."""
        return self.estimated.known or self.measured.known


def headline(run: Run) -> Line:
    """How a run ended and how fast it was, in one line."""
    result = run.result
    outcome: Text = OUTCOMES[result.outcome]
    found = result.measurement
    if found is None and result.problem is not None and result.problem.phase:
        outcome = phrase(
            "{outcome} during {phase}", outcome=outcome, phase=PHASES.get(result.problem.phase, result.problem.phase)
        )
    rest = [phrase(" — {speed}", speed=_speed(found))] if found is not None else []
    rest += [phrase(" · run {run_id}", run_id=run.run_id)] if run.run_id else []
    return Line(outcome, _WEIGHTS.get(result.outcome, "bad"), join("", rest))


def ending_lines(run: Run) -> tuple[Line, ...]:
    """How a run ended, and if not well, why and what helps."""
    problem = problem_lines(run.result.problem) if run.result.problem is not None else ()
    return (headline(run), *(Line(sentence(line), indent=1) for line in problem))


def result_blocks(run: Run) -> tuple[Block, ...]:
    """What was measured beside the estimate, and what casts doubt on it."""
    found = run.result.measurement
    tables = (comparison_table(run.prediction, found), measured_facts(found)) if found is not None else ()
    whole = measured_blocks(run)
    return (*tables, *whole, *points(phrase("Please note"), notes(run.result)), BLANK, Line(LEGEND, "soft"))


def notes(result: RunResult) -> tuple[str, ...]:
    """What casts doubt on a run, each with one thing to do about it where there is one."""
    doubts = result.measurement.doubts if result.measurement is not None else ()
    remedies = {doubt.text: REMEDIES[doubt.kind] for doubt in doubts if doubt.kind in REMEDIES}
    return tuple(
        phrase("{Doubt}. {remedy}", Doubt=text, remedy=remedies[text]) if text in remedies else text
        for text in dict.fromkeys((*result.warnings, *(doubt.text for doubt in doubts)))
    )


def comparisons(prediction: Prediction | None, found: Measurement | None) -> tuple[Comparison, ...]:
    """Estimate beside measured, one row a quantity; what was measured in an earlier run is an estimate of this one."""
    memory = found.memory if found is not None else None
    expected = _estimates(prediction) if prediction is not None else {}
    truth = {
        "step": step_figure(found) if found else Figure(),
        "epoch": measured(found.epoch_s if found else None, "seconds"),
        "samples": measured(found.samples_per_s if found else None, "samples_per_s"),
        "memory": measured(memory.allocator_peak_bytes if memory else None, "bytes"),
        "held": measured(memory.held_bytes if memory else None, "bytes"),
        "seen": measured(memory.device_bytes if memory else None, "bytes"),
        "process": measured(memory.host_bytes if memory else None, "bytes"),
    }
    return tuple(Comparison(key, expected.get(key, Figure()), figure) for key, figure in truth.items())


def comparison_table(prediction: Prediction | None, found: Measurement | None) -> Table:
    """Measured, the estimate made before with its interval, and how far that was off."""
    rows: list[tuple[str, ...]] = [
        (row.name, row.measured.marked, row.estimated.marked, row.estimated.range, row.difference)
        for row in comparisons(prediction, found)
        if row.known
    ]
    waited = measured_wait(found) if found is not None else None
    expected = predicted_wait(prediction.time) if prediction is not None else None
    if waited is not None:
        rows.append((WAITS, waited.words, expected.words if expected is not None else "", "", ""))
    columns = ("", phrase("Measured"), phrase("Estimate"), phrase("Interval"), phrase("Difference"))
    return Table(columns, tuple(rows), (1, 2, 3, 4), phrase("Measured, and the estimate made before"))


def step_figure(found: Measurement) -> Figure:
    """The step time with its spread."""
    return measured(found.step.median_s, "seconds", found.step.low_s, found.step.high_s)


def measured_facts(found: Measurement) -> Table:
    """What else was measured; what was not is left out."""
    data, energy = found.data, found.energy
    rows = [
        fact(phrase("Where a step's time goes"), *_share_words(found.shares)),
        fact(phrase("First step, compilation included"), told(found.first_step_s, "seconds")),
        fact(phrase("Building the model"), told(found.build_s, "seconds")),
        fact(phrase("A step of the data alone"), told(found.data_only_step_s, "seconds")),
        fact(phrase("A step on one cached batch"), told(found.compute_only_step_s, "seconds")),
        fact(phrase("Beginning an epoch"), told(data.pass_start_s, "seconds")),
        fact(phrase("First epoch, from the disk"), told(data.first_epoch_s, "seconds")),
        fact(phrase("Reading from the disk"), _per_second(data.read_bytes_per_s)),
        fact(phrase("RAM for each byte on disk"), told(data.expansion, "times")),
        fact(phrase("Processor use"), told(found.cpu_percent, "percent")),
        fact(phrase("Card use"), told(found.gpu_percent, "percent")),
        fact(phrase("Power of the card"), *(_power(energy.gpu_w, energy.gpu_epoch_j) if energy else ())),
        fact(phrase("Power of the processor"), *(_power(energy.cpu_w, energy.cpu_epoch_j) if energy else ())),
        fact(phrase("Who counted the memory"), found.memory.needed_basis),
    ]
    return facts(phrase("What else was measured"), rows)


def shares_of(shares: MeasuredShares) -> tuple[tuple[str, float], ...]:
    """Shares of a step by their keys in `SHARES`, disk and decoding apart where both are known."""
    apart = shares.disk is not None and shares.decode is not None
    names = ("disk", "decode", "copy", "compute") if apart else ("input", "copy", "compute")
    known = ((name, getattr(shares, name)) for name in names)
    return tuple((name, share) for name, share in known if share is not None)


def run_facts(run: Run) -> Table:
    """What a run trained, where and when."""
    workload, prediction = run.workload, run.prediction
    rows = [fact(phrase("Model"), workload.model.name), fact(phrase("Data"), *data_words(workload))]
    if prediction is not None:
        model = prediction.model
        trained = phrase(
            "of which {trainable_params} are trained", trainable_params=format_count(model.trainable_params)
        )
        whole = model.trainable_params == model.params
        rows.append(fact(phrase("Parameters"), format_count(model.params), "" if whole else trained))
        rows.append(fact(phrase("Input"), *(shape_words(shape) for shape in model.input_shapes)))
    rows += [
        fact(phrase("Plan"), *plan_facts(workload)),
        fact(phrase("Processor"), run.machine.cpu.name or NOT_AVAILABLE),
        fact("GPU", *(gpu.name for gpu in run.machine.gpus)),
        fact(phrase("When"), format_moment(run.created_at), phrase("deleted") * run.deleted),
        fact(phrase("Note"), run.note),
    ]
    return facts(phrase("What was trained"), rows)


def _speed(found: Measurement) -> Text:
    """Step time with its spread, and samples per second."""
    step = step_figure(found)
    return phrase(
        "{step} per step ({range}, {steps}) · {samples} samples/s",
        step=step.marked,
        range=step.range,
        steps=plural("{n} step", "{n} steps", found.step.n, n=format_count(found.step.n)),
        samples=format_count(found.samples_per_s),
    )


def _estimates(prediction: Prediction) -> dict[str, Figure]:
    """What was predicted of each quantity."""
    time, memory = prediction.time, prediction.memory
    time_mark: Mark = "scaled" if time.basis == "measured" else time.basis
    mark = estimate_mark(memory.basis)

    def of_time(amount: float | None, unit: Unit = "seconds") -> Figure:
        return Figure(amount, unit, time_mark if amount is not None else "none", basis=time.explanation)

    needed = Figure(
        memory.allocator_peak_bytes, "bytes", mark, memory.low_bytes, memory.high_bytes, basis=memory.explanation
    )
    step = of_time(time.step_s)
    return {
        "step": replace(step, low=time.low_s, high=time.high_s) if step.known else step,
        "epoch": of_time(time.epoch_s),
        "samples": of_time(time.samples_per_s, "samples_per_s"),
        "memory": needed,
        "seen": Figure(memory.device_bytes, "bytes", mark),
        "process": Figure(memory.host_bytes, "bytes", mark),
    }


def told(amount: float | None, unit: Unit) -> Text:
    """A measured value after its mark; nothing where it is not known."""
    return Text() if amount is None else measured(amount, unit).marked


def _per_second(rate: float | None) -> Text:
    """A measured rate."""
    return Text() if rate is None else marked(MARKS["measured"], phrase("{size}/s", size=format_bytes(rate)))


def _power(power_w: float | None, epoch_j: float | None) -> Iterator[str]:
    """Watts while it computes, and the energy of an epoch."""
    if power_w is not None:
        yield marked(MARKS["measured"], phrase("{power} W", power=format_number(power_w, ".0f")))
    if epoch_j is not None:
        yield phrase("{energy} an epoch", energy=told(epoch_j / 3600, "watt_hours"))


def _share_words(shares: MeasuredShares) -> Iterator[str]:
    """What a step spends its time with, in percent."""
    for name, share in shares_of(shares):
        yield join(" ", (SHARES[name], format_share(share)))


def data_words(workload: Workload) -> tuple[str, ...]:
    """What is learnt from."""
    data = workload.dataset
    if data is None:
        return (phrase("random values"),)
    return (data.name,) if data.real else (data.name, phrase("made up in the right shape and type"))


def plan_facts(workload: Workload) -> tuple[str, ...]:
    """A plan's headline, and what is not usual in it."""
    plan = workload.plan
    return (
        phrase("batch {batch_size}", batch_size=format_count(plan.batch_size)),
        plan.optimizer,
        plan.precision,
        MODES[plan.mode],
        phrase("device {device}", device=plan.device),
        *plan_words(plan),
    )
