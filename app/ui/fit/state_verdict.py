"""The header that is always visible, and how far an answer has come.  No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.types.prediction import Prediction, Verdict
from app.core.types.units import NOT_AVAILABLE
from app.ui.kit.quantities import format_bytes, format_count, format_number, format_seconds
from app.ui.kit.state import ErrorState, Number, estimate_mark, needed_number, seconds_interval, short_name, time_mark

Stage = Literal["loading", "textbook", "predicted", "failed"]


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


def verdict_state(prediction: Prediction, *, textbook: bool = False) -> VerdictState:
    """The header for a prediction; ``textbook`` is the first answer, before the model was traced."""
    epoch, total, samples = _times(prediction)
    fit = prediction.fit
    mark = estimate_mark(prediction)
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
        reasons=_reasons(prediction),
        simulated=prediction.machine.simulated,
    )


def _reasons(prediction: Prediction) -> tuple[str, ...]:
    """Why, unless it is only that more is needed than is allowed: the header's sentence says that itself."""
    allowed, needed = prediction.fit.allowed_bytes, prediction.memory.allocator_peak_bytes
    return () if allowed is not None and needed > allowed else prediction.fit.reasons


def _times(prediction: Prediction) -> tuple[Number, Number, Number]:
    """Epoch, whole run and throughput."""
    time = prediction.time
    mark = time_mark(prediction)

    def number(value: float | None, text: str, scale: float | None) -> Number:
        if value is None:
            return Number(assumption=time.dominant_assumption)
        interval = ""
        if scale is not None and time.low_s is not None and time.high_s is not None:
            interval = seconds_interval(time.low_s * scale, time.high_s * scale)
        return Number(text, mark, interval, time.dominant_assumption, time.explanation)

    def scale(value: float | None) -> float | None:
        return value / time.step_s if value is not None and time.step_s else None

    many = (time.samples_per_s or 0) >= 10
    samples = format_count(time.samples_per_s) if many else format_number(time.samples_per_s or 0, ".2g")
    return (
        number(time.epoch_s, format_seconds(time.epoch_s), scale(time.epoch_s)),
        number(time.total_s, format_seconds(time.total_s), scale(time.total_s)),
        number(time.samples_per_s, samples, None),
    )


def failed_verdict(error: ErrorState, previous: VerdictState) -> VerdictState:
    """The header when the question cannot be answered."""
    return VerdictState(
        stage="failed", error=error, batch_size=previous.batch_size, epochs=previous.epochs, reasons=(error.message,)
    )
