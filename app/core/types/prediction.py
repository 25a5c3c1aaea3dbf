"""The whole answer of an estimate: predicted memory, predicted time, verdict.

Never to be confused with `app.core.types.measurement`: the two share no type.  Bytes and seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.types.basis import BASES, Explanation
from app.core.types.machine import Gpu, Machine
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.predicted_time import PredictedTime
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import Text, phrase
from app.core.types.track_record import TrackRecord
from app.core.types.whole import PredictedWhole
from app.core.types.workload import Plan

Verdict = Literal["fits", "tight", "does_not_fit", "unknown"]


@dataclass(frozen=True)
class Fit:
    """The verdict: *needed* against *allowed* on one device.

    ``reasons`` explain the verdict in words, most important first.
    """

    verdict: Verdict
    allowed_bytes: int | None
    needed_bytes: int
    max_batch_size: int | None
    best_batch_size: int | None
    device_name: str
    reasons: tuple[Text, ...] = ()
    explanation: tuple[Explanation, ...] = ()

    @property
    def headroom_bytes(self) -> int | None:
        """What is allowed beyond what is needed; negative where it is too little."""
        return None if self.allowed_bytes is None else self.allowed_bytes - self.needed_bytes


@dataclass(frozen=True)
class BatchPoint:
    """One point of the batch chart."""

    batch_size: int
    allocator_peak_bytes: int
    samples_per_s: float | None


@dataclass(frozen=True)
class Uncalibrated:
    """The same prediction before any run or refinement corrected it: what runs are compared with to learn."""

    allocator_peak_bytes: int
    low_bytes: int
    high_bytes: int
    step_s: float | None = None
    low_s: float | None = None
    high_s: float | None = None


@dataclass(frozen=True)
class Prediction:
    """Everything an estimate answers."""

    model: ModelFacts
    plan: Plan
    machine: Machine
    memory: PredictedMemory
    fit: Fit
    time: PredictedTime
    textbook_bytes: int
    textbook_reason: Text = Text()
    """Why the textbook formula differs, when it does by more than a third."""
    rule_of_thumb_bytes: int | None = None
    batch_curve: tuple[BatchPoint, ...] = ()
    assumptions: tuple[Text, ...] = ()
    xla: bool = False
    """The step is compiled; what the plan's ``jit`` means on this device."""
    uncalibrated: Uncalibrated | None = None
    """None where nothing was traced, and in runs stored before this was kept."""
    track_record: TrackRecord | None = None
    """How good such predictions have been on this machine until now."""
    whole: PredictedWhole | None = None
    """The whole of the training; None where the model is only used, and where many are compared."""

    @property
    def card(self) -> Gpu | None:
        """The card that trains; None for the processor."""
        return next((gpu for gpu in self.machine.gpus if gpu.name == self.fit.device_name), None)

    @property
    def shown_peak_bytes(self) -> int | None:
        """What TensorFlow's own counter shows of the card in the end: kernels are tried with what room there is."""
        shown, allowed = self.memory.shown_peak_bytes, self.fit.allowed_bytes
        if shown is None or allowed is None:
            return shown
        return min(shown, max(allowed, self.memory.first_step_peak_bytes or 0))


def basis_words(prediction: Prediction) -> Text:
    """What memory and time of a prediction are based on."""
    memory, time = BASES[prediction.memory.basis], BASES[prediction.time.basis]
    return phrase("{memory} memory, {time} time", memory=memory, time=time)
