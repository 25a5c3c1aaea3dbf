"""The verdict: does it fit, how long, and what does it wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.core.pipeline.waiting import predicted_wait
from app.core.types.predicted_time import UNMEASURED
from app.core.types.text import Text, phrase
from app.presentation.figure import AWAITED, Figure, Unit, estimate_mark, memory_mark, time_mark
from app.presentation.problem import ErrorState

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.prediction import Prediction, Verdict

Stage = Literal["loading", "textbook", "predicted", "failed"]


@dataclass(frozen=True)
class VerdictState:
    """The answer, and how far it has come."""

    stage: Stage = "loading"
    verdict: Verdict = "unknown"
    needed: Figure = Figure()
    allowed: Figure = Figure()
    device: str = ""
    batch_size: int = 1
    step: Figure = Figure()
    epoch: Figure = Figure()
    total: Figure = Figure()
    epochs: int = 1
    trainings: int = 1
    """So many of them are in the total."""
    largest_batch: Figure = Figure()
    best_batch: Figure = Figure()
    samples: Figure = Figure()
    waits: str = ""
    """What a step waits for, in a sentence without a full stop."""
    unmeasured: bool = False
    """The time is the data sheet's: nobody has measured this processor yet."""
    reasons: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()
    error: ErrorState | None = None


def awaited_verdict(batch_size: int = 1, epochs: int = 1) -> VerdictState:
    """No answer yet; its numbers are being worked out."""
    return VerdictState(
        batch_size=batch_size,
        epochs=epochs,
        needed=AWAITED,
        epoch=AWAITED,
        total=AWAITED,
        largest_batch=AWAITED,
        samples=AWAITED,
    )


def verdict_state(prediction: Prediction, *, textbook: bool = False) -> VerdictState:
    """What a prediction answers; ``textbook`` is the first answer, before the model was traced."""
    captured = prediction.model.captured
    fit, time, wait = prediction.fit, prediction.time, predicted_wait(prediction.time)
    return VerdictState(
        stage="textbook" if textbook else "predicted",
        verdict=fit.verdict,
        needed=needed_figure(prediction),
        allowed=Figure(fit.allowed_bytes, "bytes"),
        device=fit.device_name,
        batch_size=prediction.plan.batch_size,
        step=_time(prediction, time.step_s),
        epoch=_time(prediction, time.epoch_s),
        total=_time(prediction, time.total_s),
        epochs=prediction.plan.epochs,
        trainings=len(captured.same_line) if captured is not None and captured.same_line else 1,
        largest_batch=_batch(prediction, fit.max_batch_size),
        best_batch=_batch(prediction, fit.best_batch_size),
        samples=_time(prediction, time.samples_per_s, "samples_per_s"),
        waits=wait.sentence if wait is not None else "",
        unmeasured=time.dominant_assumption in UNMEASURED,
        reasons=_reasons(prediction),
        simulated=prediction.machine.simulated,
    )


def needed_figure(prediction: Prediction) -> Figure:
    """The memory that the verdict compares with what is allowed; the framework's context is taken off there."""
    memory = prediction.memory
    return Figure(
        memory.allocator_peak_bytes,
        "bytes",
        memory_mark(memory.basis),
        memory.low_bytes,
        memory.high_bytes,
        memory.dominant_assumption,
        memory.explanation,
    )


def needs_words(state: VerdictState) -> Text:
    """What is needed where, and how much of it may be used, after the verdict's word."""
    if not state.allowed.known:
        return phrase("needs {needed} on {device}", needed=state.needed.marked, device=state.device)
    return phrase(
        "needs {needed} of {allowed} allowed on {device}",
        needed=state.needed.marked,
        allowed=state.allowed.text,
        device=state.device,
    )


def failed_verdict(error: ErrorState, previous: VerdictState) -> VerdictState:
    """The answer to a question that cannot be answered."""
    return VerdictState(
        stage="failed", error=error, batch_size=previous.batch_size, epochs=previous.epochs, reasons=(error.message,)
    )


def _reasons(prediction: Prediction) -> tuple[str, ...]:
    """Why, unless it is only that more is needed than is allowed: the sentence with both numbers says that itself."""
    allowed, needed = prediction.fit.allowed_bytes, prediction.memory.allocator_peak_bytes
    return () if allowed is not None and needed > allowed else prediction.fit.reasons


def _batch(prediction: Prediction, size: int | None) -> Figure:
    """A batch that was searched for."""
    if size is None:
        return Figure()
    memory = prediction.memory
    basis = prediction.fit.explanation
    return Figure(size, "count", estimate_mark(memory.basis), assumption=memory.dominant_assumption, basis=basis)


def _time(prediction: Prediction, amount: float | None, unit: Unit = "seconds") -> Figure:
    """A time with the interval of the step, scaled; a speed without one."""
    time = prediction.time
    if amount is None:
        return Figure(unit=unit, assumption=time.dominant_assumption)
    low = high = None
    if unit == "seconds" and time.step_s and time.low_s is not None and time.high_s is not None:
        scale = amount / time.step_s
        low, high = time.low_s * scale, time.high_s * scale
    return Figure(amount, unit, time_mark(time.basis), low, high, time.dominant_assumption, time.explanation)
