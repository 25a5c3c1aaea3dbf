"""What the Benchmark page shows: live series, phases, and estimate beside measured.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from app.core.measurement import Measurement, PhaseSpan, Problem
from app.core.prediction import Prediction
from app.core.units import GIB, NOT_AVAILABLE
from app.ui.quantities import format_bytes, format_count, format_number, format_seconds
from app.ui.state import ErrorState, Mark, Number, memory_mark, seconds_interval
from app.ui.state_profile import ProfileState, profile_state

if TYPE_CHECKING:
    from app.services.history import Run
    from app.ui.state_compare import ComparedState, FoundState

Stage = Literal["idle", "running", "stopping", "done"]
MAX_POINTS = 2400
"""Points kept per curve; beyond that every second one is dropped, so an hour stays bounded."""

SERIES = ("step_ms", "needed_gib", "current_gib", "seen_gib", "cpu_percent", "gpu_percent", "ram_gib")


@dataclass
class LiveSeries:
    """Growing curves of a run; each point is (seconds since the start, value)."""

    curves: dict[str, tuple[list[float], list[float]]] = field(default_factory=lambda: {n: ([], []) for n in SERIES})
    stride: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, t_s: float, value: float | None) -> None:
        """Append a reading; unknown readings leave a gap, not a zero."""
        if value is None:
            return
        count = self.seen[name] = self.seen.get(name, -1) + 1
        stride = self.stride.setdefault(name, 1)
        if count % stride:
            return
        times, values = self.curves[name]
        times.append(t_s)
        values.append(value)
        if len(times) > MAX_POINTS:
            self.curves[name] = (times[::2], values[::2])
            self.stride[name] = stride * 2

    def take(self, event: Any) -> None:
        """Read a `Reading` or a `Sample` into the curves."""
        t_s = event.t_s
        step_s = getattr(event, "step_s", None)
        self.add("step_ms", t_s, None if step_s is None else step_s * 1e3)
        self.add("needed_gib", t_s, _gib(getattr(event, "peak_bytes", None)))
        self.add("current_gib", t_s, _gib(getattr(event, "current_bytes", None)))
        self.add("seen_gib", t_s, _gib(getattr(event, "gpu_memory_bytes", None)))
        self.add("cpu_percent", t_s, getattr(event, "cpu_percent", None))
        self.add("gpu_percent", t_s, getattr(event, "gpu_percent", None))
        self.add("ram_gib", t_s, _gib(getattr(event, "ram_bytes", None)))

    def frozen(self) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
        """A snapshot that nobody changes any more."""
        return {name: (tuple(times), tuple(values)) for name, (times, values) in self.curves.items()}


@dataclass(frozen=True)
class Comparison:
    """A quantity, estimated and measured."""

    quantity: str
    """Key: ``step``, ``epoch``, ``samples``, ``memory``."""
    estimated: Number
    measured: Number
    difference: str


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
    curves: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = field(default_factory=dict)
    result: ResultState | None = None
    error: ErrorState | None = None
    simulated: bool = False
    seconds: int = 20
    measure: str = "plan"
    measures: tuple[str, ...] = ("plan",)
    """What a start can measure here, of `app.ui.state_compare.MEASURES`."""
    comparison: ComparedState | None = None
    finding: FoundState | None = None
    label: str = ""
    """The variant or batch that the live plots show."""


def _gib(size_bytes: float | None) -> float | None:
    """Bytes as GiB for an axis."""
    return None if size_bytes is None else size_bytes / GIB


def difference(estimated: float | None, measured: float | None) -> str:
    """How far the estimate is from the measured value, signed, of the measured one."""
    if estimated is None or not measured:
        return NOT_AVAILABLE
    return format_number((estimated / measured - 1) * 100, "+.0f", "%")


def run_title(run: Run) -> str:
    """A run's workload in a few words."""
    return f"{run.workload.model.name} · {run.workload.plan.batch_size}"


def _memory_rows(prediction: Prediction, measured: Measurement) -> Comparison:
    """Peak of the allocator, estimated and measured."""
    # What was measured in an earlier run is an estimate of this one.
    mark: Mark = "predicted" if memory_mark(prediction) == "predicted" else "scaled"
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
        expected=format_bytes(problem.had_bytes) if problem.had_bytes is not None else "",
        received=format_bytes(problem.needed_bytes) if problem.needed_bytes is not None else "",
        hint=problem.hint,
        original=original,
        action=action,
    )


def result_state(run: Run) -> ResultState:
    """The card of a run that has ended."""
    result, prediction = run.result, run.prediction
    largest = prediction.fit.max_batch_size if prediction is not None else None
    error = problem_state(result.problem, result.outcome, largest, run.workload.plan.batch_size)
    measured = result.measurement
    if measured is None:
        return ResultState(run.run_id, result.outcome, run_title(run), warnings=result.warnings, error=error)
    step = measured.step
    peak = measured.memory.allocator_peak_bytes
    return ResultState(
        run_id=run.run_id,
        outcome=result.outcome,
        title=run_title(run),
        step=Number(format_seconds(step.median_s), "measured", seconds_interval(step.low_s, step.high_s)),
        steps_counted=step.n,
        samples=Number(format_count(measured.samples_per_s), "measured"),
        memory=Number(format_bytes(peak), "measured" if peak is not None else "none"),
        epoch=Number(format_seconds(measured.epoch_s), "measured" if measured.epoch_s is not None else "none"),
        bound_by=measured.bound_by,
        comparisons=comparisons(prediction, measured),
        warnings=result.warnings,
        error=error,
        profile=profile_state(run),
    )
