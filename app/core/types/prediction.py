"""Answers that were computed: predicted memory, predicted time, verdict.

Never to be confused with `app.core.types.measurement`: the two share no type.  Bytes and seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from app.core.types.machine import Gpu, Machine
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import Text, phrase
from app.core.types.track_record import TrackRecord
from app.core.types.workload import Plan

Known = Literal["measured", "compiled", "carried"]
"""Where a correction comes from: a run of the very same plan, its compilation, or something that is carried to it."""
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


class Range(NamedTuple):
    """A value and between which the truth is expected, in the value's unit."""

    value: float
    low: float
    high: float


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

    @property
    def exact_bytes(self) -> int:
        """What is counted and not followed: a sum of known sizes."""
        return self.weights + self.optimizer_state + self.inputs

    def share_of(self, peak_bytes: int) -> float:
        """By what everything that is not known exactly is multiplied, so that the parts add up to a peak."""
        variable = self.gradients + self.activations + self.workspace
        return max(0, peak_bytes - self.exact_bytes) / variable if variable else 0.0

    def at(self, share: float) -> MemoryParts:
        """The parts with all that is not known exactly multiplied by a share (`share_of`)."""
        return replace(
            self,
            gradients=int(self.gradients * share),
            activations=int(self.activations * share),
            workspace=int(self.workspace * share),
        )


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

    ``allocator_peak_bytes`` is *needed* as the framework's allocator counts it; ``wanted_workspace_bytes`` is what the
    fastest kernels would like on top.  ``timeline`` holds (share of the step 0..1, live bytes).
    """

    allocator_peak_bytes: int
    low_bytes: int
    high_bytes: int
    wanted_workspace_bytes: int
    process_bytes: int | None
    """What the process takes of the host's memory besides the allocator's peak; None if nobody knows."""
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
    on_host: bool = False
    """The allocator takes its memory from the host's."""

    @property
    def device_bytes(self) -> int:
        """With what the framework takes of the device besides its allocator."""
        return self.allocator_peak_bytes + self.parts.framework

    @property
    def host_bytes(self) -> int | None:
        """The process on the host."""
        if self.process_bytes is None:
            return None
        return self.process_bytes + (self.allocator_peak_bytes if self.on_host else 0)

    @property
    def range(self) -> Range:
        """The peak with its interval."""
        return Range(self.allocator_peak_bytes, self.low_bytes, self.high_bytes)

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> PredictedMemory:
        """The same step with another peak; all that follows from the peak follows.

        Args:
            told: The peak and its interval, bytes.
            known: Where they come from; None leaves the basis as it is.
            assumption: What they depend on most; empty leaves that as it is.
            lines: What is added to the explanation.
        """
        peak = round(told.value)
        share = 1.0 if peak == self.allocator_peak_bytes else self.parts.share_of(peak)
        exact, held = self.parts.exact_bytes - self.dataset_bytes, self.dataset_bytes
        own = self.allocator_peak_bytes - held
        factor = (peak - held) / own if own > 0 else 1.0
        first = self.first_step_peak_bytes
        basis: dict[Known | None, MemoryBasis] = {
            "measured": "measured",
            "compiled": "compiled",
            "carried": "calibrated",
        }
        return replace(
            self,
            allocator_peak_bytes=peak,
            low_bytes=min(peak, round(told.low)),
            high_bytes=max(peak, round(told.high)),
            parts=self.parts.at(share),
            basis=basis.get(known, self.basis),
            dominant_assumption=assumption or self.dominant_assumption,
            explanation=(*self.explanation, *lines),
            largest_layers=tuple(
                replace(one, activation_bytes=int(one.activation_bytes * share)) for one in self.largest_layers
            ),
            timeline=tuple(
                (when, live if live < exact else exact + int((live - exact) * share)) for when, live in self.timeline
            ),
            first_step_peak_bytes=None if first is None else held + int((first - held) * factor),
        )


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
class StepParts:
    """How the device's time of one step divides, in seconds; the parts may overlap, so they need not add up."""

    compute_s: float
    memory_s: float
    overhead_s: float


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

    def times(self, device: float, data: float) -> Stages:
        """The two sides longer or shorter, each by its factor."""
        return replace(
            self,
            device_s=self.device_s * device,
            copy_s=self.copy_s * device,
            decode_s=self.decode_s * data,
            disk_s=self.disk_s * data,
        )


class Waits(NamedTuple):
    """What a step waits for, and for which share of it, 0..1: the one figure that everything says."""

    what: Bound
    share: float


class Schedule(NamedTuple):
    """How many steps make a training."""

    batch_size: int
    steps_per_epoch: float | None
    """None where nobody knows how many samples there are."""
    epochs: int


@dataclass(frozen=True)
class PredictedTime:
    """Time of one step, epoch and the whole training; ``None`` where nothing is known."""

    step_s: float | None
    low_s: float | None
    high_s: float | None
    schedule: Schedule | None
    """None where no step is known."""
    device_bound: Bound | None
    """What holds the device while it computes; None where nobody knows."""
    basis: TimeBasis
    parts: StepParts | None = None
    """What the device does in a step by its operations alone, which nothing corrects."""
    dominant_assumption: Text = Text()
    explanation: tuple[Explanation, ...] = ()
    stages: Stages | None = None
    """Of a step in later epochs; None where nothing is known."""
    first_step_s: float | None = None
    """A step of the first epoch, in which files come from the disk and caches are filled; None if it is no other."""

    @property
    def range(self) -> Range | None:
        """A step with its interval, which is nothing where nobody knows it; None where no step is known."""
        if self.step_s is None:
            return None
        low_s, high_s = (self.step_s if end is None else end for end in (self.low_s, self.high_s))
        return Range(self.step_s, low_s, high_s)

    @property
    def epoch_s(self) -> float | None:
        """A later epoch."""
        return self._epoch_of(self.step_s)

    @property
    def first_epoch_s(self) -> float | None:
        """The first epoch."""
        return self._epoch_of(self.step_s if self.first_step_s is None else self.first_step_s)

    @property
    def total_s(self) -> float | None:
        """All epochs."""
        first, later = self.first_epoch_s, self.epoch_s
        if self.schedule is None or first is None or later is None:
            return None
        return first + (self.schedule.epochs - 1) * later

    @property
    def samples_per_s(self) -> float | None:
        """Throughput of later epochs."""
        return self.schedule.batch_size / self.step_s if self.schedule and self.step_s else None

    @property
    def waits(self) -> Waits | None:
        """Its input or the disk where that takes longer, while the device is idle; else what holds the device."""
        if self.step_s is None or (self.stages is None and self.device_bound is None):
            return None
        stages = self.stages or Stages(self.step_s)
        waited = stages.waiting_share
        if stages.input_s > stages.device_side_s:
            return Waits("disk" if stages.disk_s >= stages.decode_s else "input", waited)
        return Waits(self.device_bound or "compute", 1.0 - waited)

    @property
    def bound_by(self) -> Bound | None:
        """What a step waits for."""
        return self.waits.what if self.waits else None

    @property
    def bound_share(self) -> float | None:
        """Share of the step that the bound accounts for, 0..1."""
        return self.waits.share if self.waits else None

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> PredictedTime:
        """The same step with another time; all that follows from the step follows.

        Args:
            told: The step and its interval, seconds.
            known: Where they come from; None leaves the basis as it is.
            assumption: What they depend on most; empty leaves that as it is.
            lines: What is added to the explanation.
        """
        factor = told.value / self.step_s if self.step_s else 1.0
        basis: dict[Known | None, TimeBasis] = {"measured": "measured", "carried": "scaled"}
        return replace(
            self,
            step_s=told.value,
            low_s=min(told.value, told.low),
            high_s=max(told.value, told.high),
            basis=basis.get(known, self.basis),
            dominant_assumption=assumption or self.dominant_assumption,
            explanation=(*self.explanation, *lines),
            stages=self.stages.times(factor, factor) if self.stages else None,
            first_step_s=None if self.first_step_s is None else self.first_step_s * factor,
        )

    def _epoch_of(self, step_s: float | None) -> float | None:
        """So many steps as an epoch has."""
        if step_s is None or self.schedule is None or self.schedule.steps_per_epoch is None:
            return None
        return self.schedule.steps_per_epoch * step_s


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
