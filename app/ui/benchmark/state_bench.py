"""What the Benchmark page shows: phases, curves, and estimate beside measured.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from app.core.types.measurement import Doubt, MeasuredShares, Measurement, PhaseSpan, Problem
from app.core.types.prediction import Prediction
from app.core.types.text import phrase
from app.core.types.units import NOT_AVAILABLE
from app.ui.benchmark.state_live import Curves
from app.ui.benchmark.state_profile import ProfileState, profile_state
from app.ui.kit.quantities import format_bytes, format_count, format_number, format_seconds, format_share
from app.ui.kit.state import ErrorState, Number, estimate_mark, seconds_interval

if TYPE_CHECKING:
    from app.core.types.workload import Workload
    from app.services.store.runs import Run
    from app.ui.benchmark.state_compare import ComparedState, FoundState

Stage = Literal["idle", "running", "stopping", "done"]
PASSING = ("gpu_throttled", "cpu_throttled", "battery", "power_saver", "card_shared", "busy_host", "drift", "unsettled")
"""Doubts that another run at a better moment may not have."""


@dataclass(frozen=True)
class Comparison:
    """A quantity, estimated and measured."""

    quantity: str
    """Key: ``step``, ``epoch``, ``samples``, ``memory``."""
    estimated: Number
    measured: Number
    difference: str


@dataclass(frozen=True)
class Remedy:
    """A doubt about a run's figures, and the one thing to do about it."""

    kind: str
    text: str
    action: str = ""
    """``apply_batch:N`` or ``measure``; empty if there is nothing to press."""


@dataclass(frozen=True)
class ResultState:
    """The card of a finished run."""

    run_id: int
    outcome: str
    title: str
    step: Number = Number()
    steps_counted: int = 0
    samples: Number = Number()
    memory: Number = Number()
    epoch: Number = Number()
    bound_by: str | None = None
    comparisons: tuple[Comparison, ...] = ()
    warnings: tuple[str, ...] = ()
    error: ErrorState | None = None
    profile: ProfileState | None = None
    facts: tuple[tuple[str, str], ...] = ()
    """What else was measured: key and value."""
    shares: tuple[tuple[str, float], ...] = ()
    """Where the time of a step goes: key and share."""
    remedies: tuple[Remedy, ...] = ()


@dataclass(frozen=True)
class BenchState:
    """The Benchmark page."""

    stage: Stage = "idle"
    title: str = ""
    phase: str = ""
    phases: tuple[PhaseSpan, ...] = ()
    fraction: float | None = None
    text: str = ""
    elapsed_s: float = 0.0
    curves: Curves = field(default_factory=dict)
    limit_gib: float | None = None
    """Memory that the training may use."""
    result: ResultState | None = None
    error: ErrorState | None = None
    simulated: bool = False
    seconds: int = 20
    measure: str = "plan"
    measures: tuple[str, ...] = ("plan",)
    """What a start can measure here, of `app.ui.benchmark.state_compare.MEASURES`."""
    comparison: ComparedState | None = None
    finding: FoundState | None = None
    label: str = ""
    """The variant or batch that the live plots show."""
    devices: tuple[tuple[str, str], ...] = ()
    """Devices that can be compared, as key and name."""
    chosen_devices: tuple[str, ...] = ()


def difference(estimated: float | None, measured: float | None) -> str:
    """How far the estimate is from the measured value, signed, of the measured one."""
    if estimated is None or not measured:
        return NOT_AVAILABLE
    return format_share(estimated / measured - 1, signed=True)


def workload_title(workload: Workload) -> str:
    """A workload in a few words, for `app.ui.kit.speech`."""
    return phrase(
        "{model}, batch {batch_size}",
        model=workload.model.name,
        batch_size=format_number(workload.plan.batch_size, ","),
    )


def _memory_rows(prediction: Prediction, measured: Measurement) -> Comparison:
    """Peak of the allocator, estimated and measured."""
    # What was measured in an earlier run is an estimate of this one.
    mark = estimate_mark(prediction)
    estimate, peak = prediction.memory.allocator_peak_bytes, measured.memory.allocator_peak_bytes
    return Comparison(
        "memory",
        Number(format_bytes(estimate), mark, basis=prediction.memory.explanation),
        Number(format_bytes(peak), "measured" if peak is not None else "none"),
        difference(estimate, peak),
    )


def comparisons(prediction: Prediction | None, measured: Measurement) -> tuple[Comparison, ...]:
    """Estimate beside measured, one row per quantity."""
    if prediction is None:
        return ()
    time = prediction.time
    mark = "scaled" if time.basis == "measured" else time.basis

    def row(key: str, estimate: float | None, real: float | None, write: Any) -> Comparison:
        return Comparison(
            key,
            Number(write(estimate), mark if estimate is not None else "none", basis=time.explanation),
            Number(write(real), "measured" if real is not None else "none"),
            difference(estimate, real),
        )

    return (
        row("step", time.step_s, measured.step.median_s, format_seconds),
        row("epoch", time.epoch_s, measured.epoch_s, format_seconds),
        row("samples", time.samples_per_s, measured.samples_per_s, format_count),
        _memory_rows(prediction, measured),
    )


def problem_state(
    problem: Problem | None, outcome: str, largest_batch: int | None, batch_size: int
) -> ErrorState | None:
    """What went wrong in a run, with one thing to do about it."""
    if problem is None:
        return None
    action = ""
    if outcome == "out_of_memory":
        smaller = largest_batch if largest_batch and largest_batch < batch_size else max(1, batch_size // 2)
        action = f"apply_batch:{smaller}" if smaller < batch_size else ""
    original = "\n".join((f"{problem.where}" if problem.where else "", *problem.stderr[-6:])).strip()
    return ErrorState(
        problem.message,
        needed=format_bytes(problem.needed_bytes) if problem.needed_bytes is not None else "",
        had=format_bytes(problem.had_bytes) if problem.had_bytes is not None else "",
        hint=problem.hint,
        original=original,
        action=action,
    )


def result_state(run: Run) -> ResultState:
    """The card of a run that has ended."""
    result, prediction = run.result, run.prediction
    largest = prediction.fit.max_batch_size if prediction is not None else None
    error = problem_state(result.problem, result.outcome, largest, run.workload.plan.batch_size)
    measured, title = result.measurement, workload_title(run.workload)
    if measured is None:
        return ResultState(run.run_id, result.outcome, title, warnings=result.warnings, error=error)
    step = measured.step
    peak = measured.memory.allocator_peak_bytes
    return ResultState(
        run_id=run.run_id,
        outcome=result.outcome,
        title=title,
        step=Number(format_seconds(step.median_s), "measured", seconds_interval(step.low_s, step.high_s)),
        steps_counted=step.n,
        samples=Number(format_count(measured.samples_per_s), "measured"),
        memory=Number(format_bytes(peak), "measured" if peak is not None else "none"),
        epoch=Number(format_seconds(measured.epoch_s), "measured" if measured.epoch_s is not None else "none"),
        bound_by=measured.bound_by,
        comparisons=comparisons(prediction, measured),
        warnings=tuple(text for text in result.warnings if text not in {d.text for d in measured.doubts}),
        error=error,
        profile=profile_state(run),
        facts=_facts(measured),
        shares=_shares(measured.shares),
        remedies=tuple(_remedy(doubt, largest, run.workload.plan.batch_size) for doubt in measured.doubts),
    )


def _facts(measured: Measurement) -> tuple[tuple[str, str], ...]:
    """What else was measured, as key and value; what is not known is left out."""
    data, energy = measured.data, measured.energy
    times = {
        "first_step": measured.first_step_s,
        "build": measured.build_s,
        "data_only": measured.data_only_step_s,
        "compute_only": measured.compute_only_step_s,
        "pass_start": data.pass_start_s,
        "first_epoch": data.first_epoch_s,
    }
    sizes = {
        "held": measured.memory.held_bytes,
        "seen": measured.memory.device_bytes,
        "process": measured.memory.host_bytes,
    }
    percents = {"cpu_use": measured.cpu_percent, "gpu_use": measured.gpu_percent}
    joules = {"gpu_energy": energy.gpu_epoch_j, "cpu_energy": energy.cpu_epoch_j} if energy is not None else {}
    found = [(key, format_seconds(value)) for key, value in times.items() if value is not None]
    found += [(key, format_bytes(value)) for key, value in sizes.items() if value is not None]
    found += [(key, format_number(value, ".0f", "%")) for key, value in percents.items() if value is not None]
    found += [(key, format_number(value / 3600, ".3g", "Wh")) for key, value in joules.items() if value is not None]
    found += [("expansion", format_number(data.expansion, ".1f", "×"))] if data.expansion is not None else []
    return tuple(found)


def _shares(shares: MeasuredShares) -> tuple[tuple[str, float], ...]:
    """Shares of a step, disk and decoding apart where both are known."""
    apart = shares.disk is not None and shares.decode is not None
    names = ("disk", "decode", "copy", "compute") if apart else ("input", "copy", "compute")
    known = ((name, getattr(shares, name)) for name in names)
    return tuple((name, share) for name, share in known if share is not None)


def _remedy(doubt: Doubt, largest: int | None, batch_size: int) -> Remedy:
    """A doubt with the one thing to do: less memory where it spilled, another run where something passed by."""
    if doubt.kind in ("spill", "swapping"):
        smaller = largest if largest and largest < batch_size else batch_size // 2
        return Remedy(doubt.kind, doubt.text, f"apply_batch:{smaller}" if smaller else "")
    return Remedy(doubt.kind, doubt.text, "measure" if doubt.kind in PASSING else "")
