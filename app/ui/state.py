"""What the verdict and the Fit page show: frozen states derived from a `Prediction`.

Pure functions, no Qt.  A state holds facts and numbers written for people; the words around them belong
to the widgets, where they are translated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from app.core.errors import WillItTrainError
from app.core.machine import Gpu
from app.core.prediction import Explanation, LayerMemory, Prediction, Verdict
from app.core.units import NOT_AVAILABLE, format_bytes, format_count, format_seconds
from app.core.workload import Workload

Mark = Literal["measured", "scaled", "predicted", "none"]
Stage = Literal["loading", "textbook", "predicted", "failed"]

_MEMORY_MARKS: dict[str, Mark] = {"measured": "measured", "calibrated": "scaled"}
_TIME_MARKS: dict[str, Mark] = {"measured": "measured", "scaled": "scaled", "predicted": "predicted"}
PART_ORDER = ("weights", "gradients", "optimizer_state", "activations", "workspace", "inputs")


@dataclass(frozen=True)
class Number:
    """A number on screen: text, where it comes from, and what can be said about it."""

    text: str = NOT_AVAILABLE
    mark: Mark = "none"
    interval: str = ""
    assumption: str = ""
    basis: tuple[Explanation, ...] = ()

    @property
    def known(self) -> bool:
        """There is a value."""
        return self.text != NOT_AVAILABLE


@dataclass(frozen=True)
class ErrorState:
    """What an error card shows."""

    message: str
    expected: str = ""
    received: str = ""
    hint: str = ""
    original: str = ""
    action: str = ""
    """Id of the one thing to do, for example ``apply_batch:128``; empty if there is none."""
    action_text: str = ""


@dataclass(frozen=True)
class VerdictState:
    """The header that is always visible."""

    stage: Stage = "loading"
    verdict: Verdict = "unknown"
    needed: Number = Number()
    allowed: str = NOT_AVAILABLE
    device: str = ""
    batch_size: int = 1
    epoch: Number = Number()
    total: Number = Number()
    epochs: int = 1
    largest_batch: Number = Number()
    samples: Number = Number()
    bound_by: str | None = None
    bound_share: float | None = None
    reasons: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()
    error: ErrorState | None = None


@dataclass(frozen=True)
class Segment:
    """One part of the memory bar."""

    part: str
    size_bytes: int


@dataclass(frozen=True)
class CurvePoint:
    """One point of the batch chart."""

    batch_size: int
    needed_bytes: int
    samples_per_s: float | None


@dataclass(frozen=True)
class FitState:
    """The Fit page."""

    segments: tuple[Segment, ...] = ()
    needed: Number = Number()
    needed_bytes: int = 0
    low_bytes: int = 0
    high_bytes: int = 0
    allowed_bytes: int | None = None
    others_bytes: int | None = None
    total_bytes: int | None = None
    device: str = ""
    verdict: Verdict = "unknown"
    stage: Stage = "loading"
    curve: tuple[CurvePoint, ...] = ()
    batch_size: int = 1
    largest_batch: int | None = None
    best_batch: int | None = None
    layers: tuple[LayerMemory, ...] = ()
    timeline: tuple[tuple[float, int], ...] = ()
    assumptions: tuple[str, ...] = ()
    textbook: str = ""
    textbook_reason: str = ""
    rule_of_thumb: str = ""


def error_state(error: BaseException | None) -> ErrorState:
    """Describe an error for a card; an error that is not the user's keeps its type's name."""
    if isinstance(error, WillItTrainError):
        return ErrorState(error.message, error.expected, error.received, error.hint)
    if error is None:
        return ErrorState("The program stopped working on this without saying why")
    return ErrorState("Something in this program is broken", original=f"{type(error).__name__}: {error}")


def _interval(low: str, high: str) -> str:
    """Low and high as one text; the unit is written once when both share it."""
    if low == high:
        return low
    low_value, _, low_unit = low.rpartition(" ")
    high_value, _, high_unit = high.rpartition(" ")
    if low_unit == high_unit and " " not in low_value:
        return f"{low_value}–{high_value} {high_unit}"
    return f"{low} – {high}"


def seconds_interval(low_s: float | None, high_s: float | None) -> str:
    """An interval of durations, or nothing if one end is unknown."""
    if low_s is None or high_s is None:
        return ""
    return _interval(format_seconds(low_s), format_seconds(high_s))


def bytes_interval(low_bytes: float | None, high_bytes: float | None) -> str:
    """An interval of sizes, or nothing if one end is unknown."""
    if low_bytes is None or high_bytes is None:
        return ""
    return _interval(format_bytes(low_bytes), format_bytes(high_bytes))


def short_name(name: str | None) -> str:
    """A processor's or card's name without the words that every maker adds."""
    if not name:
        return NOT_AVAILABLE
    for word in ("(R)", "(TM)", "(tm)", " CPU", " Processor", "AMD ", "Intel ", "NVIDIA ", "GeForce "):
        name = name.replace(word, "")
    name = re.sub(r"\s\d+-Core.*", "", name.split("@")[0])
    return " ".join(name.split()) or NOT_AVAILABLE


def memory_mark(prediction: Prediction) -> Mark:
    """Which mark the memory numbers of a prediction carry."""
    return _MEMORY_MARKS.get(prediction.memory.basis, "predicted")


def time_mark(prediction: Prediction) -> Mark:
    """Which mark the time numbers of a prediction carry."""
    return _TIME_MARKS[prediction.time.basis]


def needed_number(prediction: Prediction) -> Number:
    """The memory that the verdict compares with what is allowed; the framework's context is taken off there."""
    memory = prediction.memory
    return Number(
        text=format_bytes(memory.allocator_peak_bytes),
        mark=memory_mark(prediction),
        interval=bytes_interval(memory.low_bytes, memory.high_bytes),
        assumption=memory.dominant_assumption,
        basis=memory.explanation,
    )


def _times(prediction: Prediction) -> tuple[Number, Number, Number]:
    """Epoch, whole run and throughput."""
    time = prediction.time
    mark = _TIME_MARKS[time.basis]

    def number(value: float | None, text: str, scale: float | None) -> Number:
        if value is None:
            return Number(assumption=time.dominant_assumption)
        interval = ""
        if scale is not None and time.low_s is not None and time.high_s is not None:
            interval = seconds_interval(time.low_s * scale, time.high_s * scale)
        return Number(text, mark, interval, time.dominant_assumption, time.explanation)

    def scale(value: float | None) -> float | None:
        return value / time.step_s if value is not None and time.step_s else None

    samples = format_count(time.samples_per_s) if (time.samples_per_s or 0) >= 10 else f"{time.samples_per_s or 0:.2g}"
    return (
        number(time.epoch_s, format_seconds(time.epoch_s), scale(time.epoch_s)),
        number(time.total_s, format_seconds(time.total_s), scale(time.total_s)),
        number(time.samples_per_s, samples, None),
    )


def verdict_state(prediction: Prediction, *, textbook: bool = False) -> VerdictState:
    """The header for a prediction; ``textbook`` is the first answer, before the model was traced."""
    epoch, total, samples = _times(prediction)
    fit = prediction.fit
    mark = memory_mark(prediction)
    largest = Number(format_count(fit.max_batch_size), mark, "", prediction.memory.dominant_assumption, fit.explanation)
    return VerdictState(
        stage="textbook" if textbook else "predicted",
        verdict=fit.verdict,
        needed=needed_number(prediction),
        allowed=format_bytes(fit.allowed_bytes),
        device=short_name(fit.device_name),
        batch_size=prediction.plan.batch_size,
        epoch=epoch,
        total=total,
        epochs=prediction.plan.epochs,
        largest_batch=largest if fit.max_batch_size is not None else Number(),
        samples=samples,
        bound_by=prediction.time.bound_by,
        bound_share=prediction.time.bound_share,
        reasons=fit.reasons,
        simulated=prediction.machine.simulated,
    )


def device_of(prediction: Prediction) -> Gpu | None:
    """The card that the verdict is about, or None for host memory."""
    wanted = prediction.fit.device_name
    named = [gpu for gpu in prediction.machine.gpus if gpu.name and (gpu.name == wanted or gpu.name in wanted)]
    return named[0] if named else None


def device_total_bytes(prediction: Prediction) -> int | None:
    """Memory of the device that the verdict is about, with whatever others hold."""
    gpu = device_of(prediction)
    if gpu is not None:
        return gpu.memory_total_bytes
    ram = prediction.machine.ram
    sizes = [size for size in (ram.total_bytes, ram.limit_bytes) if size]
    return min(sizes) if sizes else None


def fit_state(prediction: Prediction, *, textbook: bool = False) -> FitState:
    """The Fit page for a prediction."""
    memory, fit = prediction.memory, prediction.fit
    total = device_total_bytes(prediction)
    others = max(0, total - fit.allowed_bytes) if total is not None and fit.allowed_bytes is not None else None
    parts = vars(memory.parts) if hasattr(memory.parts, "__dict__") else {}
    segments = tuple(Segment(part, parts[part]) for part in PART_ORDER if parts.get(part))
    return FitState(
        segments=segments,
        needed=needed_number(prediction),
        needed_bytes=memory.allocator_peak_bytes,
        low_bytes=memory.low_bytes,
        high_bytes=memory.high_bytes,
        allowed_bytes=fit.allowed_bytes,
        others_bytes=others,
        total_bytes=total,
        device=short_name(fit.device_name),
        verdict=fit.verdict,
        stage="textbook" if textbook else "predicted",
        curve=tuple(
            CurvePoint(p.batch_size, p.allocator_peak_bytes, p.samples_per_s) for p in prediction.batch_curve
        ),
        batch_size=prediction.plan.batch_size,
        largest_batch=fit.max_batch_size,
        best_batch=fit.best_batch_size,
        layers=memory.largest_layers,
        timeline=memory.timeline,
        assumptions=(*prediction.model.assumptions, *prediction.assumptions),
        textbook=format_bytes(prediction.textbook_bytes) if prediction.textbook_bytes else "",
        textbook_reason=prediction.textbook_reason,
        rule_of_thumb=format_bytes(prediction.rule_of_thumb_bytes) if prediction.rule_of_thumb_bytes else "",
    )


def failed_verdict(error: ErrorState, previous: VerdictState) -> VerdictState:
    """The header when the question cannot be answered."""
    return VerdictState(stage="failed", error=error, batch_size=previous.batch_size, reasons=(error.message,))


def trace_key(workload: Workload) -> tuple[object, ...]:
    """What a trace depends on: two workloads with one key share a step graph."""
    plan, data = workload.plan, workload.dataset
    shape = (data.name, data.sample_shape, data.classes, data.path) if data is not None else None
    return (workload.model, shape, workload.input_shape, workload.classes, *plan.traced)

