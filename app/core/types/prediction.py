"""Answers that were computed: predicted memory, predicted time, verdict.

Never to be confused with `app.core.types.measurement`: the two share no type.  Bytes and seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.types.machine import Gpu, Machine
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import Text, phrase
from app.core.types.track_record import TrackRecord
from app.core.types.workload import Plan

MemoryBasis = Literal["formula", "traced", "compiled", "calibrated", "measured"]
TimeBasis = Literal["predicted", "scaled", "measured"]
Verdict = Literal["fits", "tight", "does_not_fit", "unknown"]
Bound = Literal["compute", "memory", "overhead", "input", "disk"]


@dataclass(frozen=True)
class Explanation:
    """One line of a "basis": a quantity, its live value, the formula and where it comes from."""

    name: Text
    value: Text
    formula: Text = Text()
    source: Text = Text()


@dataclass(frozen=True)
class MemoryParts:
    """Bytes alive at the peak, by what they are for (the names of torch/profiler ``Category``)."""

    weights: int = 0
    gradients: int = 0
    optimizer_state: int = 0
    activations: int = 0
    workspace: int = 0
    inputs: int = 0
    framework: int = 0


@dataclass(frozen=True)
class LayerMemory:
    """What one layer keeps alive at the peak."""

    name: str
    kind: str
    weights_bytes: int
    activation_bytes: int


@dataclass(frozen=True)
class PredictedMemory:
    """Memory of one step.

    ``allocator_peak_bytes`` is *needed* as the framework's allocator counts it; ``device_bytes`` adds
    the framework's context; ``wanted_workspace_bytes`` is what the fastest kernels would like on top;
    ``host_bytes`` is the process on the host.  ``timeline`` holds (share of the step 0..1, live bytes).
    """

    allocator_peak_bytes: int
    low_bytes: int
    high_bytes: int
    device_bytes: int
    wanted_workspace_bytes: int
    host_bytes: int | None
    parts: MemoryParts
    basis: MemoryBasis
    dominant_assumption: Text
    largest_layers: tuple[LayerMemory, ...] = ()
    timeline: tuple[tuple[float, int], ...] = ()
    explanation: tuple[Explanation, ...] = ()
    first_step_peak_bytes: int | None = None
    """The allocator's peak up to the end of the first step, whose slots are new; None if not known."""
    dataset_bytes: int = 0
    """What a dataset held as one array takes of the peak."""


@dataclass(frozen=True)
class Fit:
    """The verdict: *needed* against *allowed* on one device.

    ``reasons`` explain the verdict in words, most important first.
    """

    verdict: Verdict
    allowed_bytes: int | None
    headroom_bytes: int | None
    max_batch_size: int | None
    best_batch_size: int | None
    device_name: str
    reasons: tuple[Text, ...] = ()
    explanation: tuple[Explanation, ...] = ()


@dataclass(frozen=True)
class StepParts:
    """How one step's time divides, in seconds; the parts may overlap, so they need not add up."""

    compute_s: float
    memory_s: float
    overhead_s: float
    input_s: float | None = None
    disk_s: float | None = None


@dataclass(frozen=True)
class Stages:
    """Seconds that each stage of a step would take alone (`app.core.pipeline.stages`).

    ``decode_s`` is all work of the host on a batch: decoding, augmenting, putting it together.
    """

    device_s: float
    copy_s: float = 0.0
    decode_s: float = 0.0
    disk_s: float = 0.0
    overlap: bool = True
    """The input runs ahead of the step."""
    one_thread: bool = False
    """Reading and decoding take turns."""
    contention: float = 0.0
    """Share of the device that decoding takes away: the workers' share of the cores, if the processor trains."""
    workers: float = 1.0
    disk_rate: float | None = None
    """Usual rate of the disk, bytes per second."""

    @property
    def input_s(self) -> float:
        """A batch from the input pipeline alone."""
        if self.overlap and not self.one_thread:
            return max(self.disk_s, self.decode_s)
        return self.disk_s + self.decode_s

    @property
    def device_side_s(self) -> float:
        """Copying and computing, which take turns."""
        return self.copy_s + self.device_s

    @property
    def step_s(self) -> float:
        """The whole step."""
        if not self.overlap:
            return self.input_s + self.device_side_s
        return max(self.input_s, self.device_side_s + self.contention * self.decode_s)

    @property
    def waiting_share(self) -> float:
        """Share of the step in which the device has nothing to do, 0..1."""
        return max(0.0, 1 - self.device_side_s / self.step_s) if self.step_s > 0 else 0.0


@dataclass(frozen=True)
class PredictedTime:
    """Time of one step, epoch and the whole training; ``None`` where nothing is known."""

    step_s: float | None
    low_s: float | None
    high_s: float | None
    epoch_s: float | None
    total_s: float | None
    samples_per_s: float | None
    bound_by: Bound | None
    bound_share: float | None
    """Share of the step that the bound accounts for, 0..1."""
    basis: TimeBasis
    parts: StepParts | None = None
    dominant_assumption: Text = Text()
    explanation: tuple[Explanation, ...] = ()
    stages: Stages | None = None
    """Of a step in later epochs; None where nothing is known."""
    first_epoch_s: float | None = None
    """The first epoch, in which files come from the disk and caches are filled."""


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

    @property
    def card(self) -> Gpu | None:
        """The card that trains; None for the processor."""
        return next((gpu for gpu in self.machine.gpus if gpu.name == self.fit.device_name), None)


BASES: dict[MemoryBasis | TimeBasis, Text] = {
    "formula": phrase("formula"),
    "traced": phrase("traced"),
    "compiled": phrase("compiled"),
    "calibrated": phrase("calibrated"),
    "measured": phrase("measured"),
    "predicted": phrase("predicted"),
    "scaled": phrase("scaled"),
}
"""What a number is based on, in a word."""


def basis_words(prediction: Prediction) -> Text:
    """What memory and time of a prediction are based on."""
    memory, time = BASES[prediction.memory.basis], BASES[prediction.time.basis]
    return phrase("{memory} memory, {time} time", memory=memory, time=time)
