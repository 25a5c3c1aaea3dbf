"""Answers that were measured by a real run.  Bytes and seconds; ``None`` is "not available"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.types.energy import MeasuredEnergy
from app.core.types.memory_over_time import MemoryPoint
from app.core.types.step_profile import StepProfile
from app.core.types.text import Text
from app.core.types.whole import MeasuredWhole

Outcome = Literal["succeeded", "out_of_memory", "failed", "cancelled", "crashed"]
Purpose = Literal["benchmark", "comparison", "trial"]
"""Why a run was made: by itself, as one variant of a comparison, or as a trial of the batch-size finder."""


@dataclass(frozen=True)
class MeasuredStep:
    """Step time over ``n`` counted steps: median, 5th and 95th percentile."""

    median_s: float
    low_s: float
    high_s: float
    n: int


@dataclass(frozen=True)
class MeasuredMemory:
    """The four memories of a run; ``host_bytes`` is the highest resident size of the child."""

    allocator_peak_bytes: int | None = None
    held_bytes: int | None = None
    device_bytes: int | None = None
    host_bytes: int | None = None
    needed_basis: Text = Text()
    """Who counted ``allocator_peak_bytes``, or why nobody did; empty in runs stored before this was kept."""


@dataclass(frozen=True)
class MeasuredShares:
    """Share of a step spent waiting for input, copying to the device and computing; adds up to 1.

    The wait for input is one for the disk and one for decoding; these two add up to it.
    """

    input: float | None = None
    copy: float | None = None
    compute: float | None = None
    disk: float | None = None
    decode: float | None = None


@dataclass(frozen=True)
class MeasuredData:
    """What was measured of the user's own files; None where it could not be."""

    pass_start_s: float | None = None
    """What beginning an epoch costs before its first step."""
    read_bytes_per_s: float | None = None
    """Files read from the disk itself and not decoded; None if they came from memory whatever was tried."""
    share_from_disk: float | None = None
    """Share of the bytes that came from the disk and not from the page cache while the steps were measured."""
    first_epoch_s: float | None = None
    """An epoch whose files all come from the disk, or the one that fills the cache."""
    cached_sample_bytes: float | None = None
    """Memory that a decoded sample takes in the pipeline's cache."""
    expansion: float | None = None
    """K: bytes that a plain training grows by per byte on disk when everything is decoded and cached in RAM."""
    augments: bool | None = None
    """Samples are changed by chance after decoding, which no cache takes away; our own pipelines do not."""
    cached_form: Literal["compact", "float32"] | None = None
    """``compact``: as bytes or whole numbers, as our own pipelines keep them."""


@dataclass(frozen=True)
class Doubt:
    """A reason to trust a figure less: a word for programs (`app.core.runs.doubts`), a sentence, and how much."""

    kind: str
    text: Text
    value: float | None = None


@dataclass(frozen=True)
class Measurement:
    """What a benchmark found."""

    step: MeasuredStep
    first_step_s: float
    samples_per_s: float
    epoch_s: float | None
    memory: MeasuredMemory
    shares: MeasuredShares = MeasuredShares()
    bound_by: str | None = None
    data_only_step_s: float | None = None
    compute_only_step_s: float | None = None
    build_s: float | None = None
    cpu_percent: float | None = None
    """Mean use of the usable cores while measuring, 0..100."""
    gpu_percent: float | None = None
    reference_drift: float | None = None
    """Relative change of a reference kernel's time between start and end of the measurement."""
    loss_first: float | None = None
    loss_last: float | None = None
    reference_move: float | None = None
    """How much slower a reference kernel was at its slowest than at its fastest; the step's interval allows for it."""
    doubts: tuple[Doubt, ...] = ()
    energy: MeasuredEnergy | None = None
    memory_over_time: tuple[MemoryPoint, ...] = ()
    """Needed, held and seen at epoch start, chosen batches, epoch end and in between (case S3)."""
    profile: StepProfile | None = None
    """One step that was profiled after the measurement."""
    profile_skipped: Text = Text()
    """Why no step was profiled although nobody forbade it."""
    data: MeasuredData = MeasuredData()
    reference_s: float | None = None
    """Median time of the reference kernel before, beside and after the measurement: how fast the machine was then."""
    others_percent: float | None = None
    """Mean use of the whole machine by other programs while measuring, 0..100."""

    def epoch_step_s(self, batch_size: int) -> float:
        """A step with its part of what beginning an epoch costs, seconds; the median where nobody knows the rate."""
        return batch_size / self.samples_per_s if self.samples_per_s > 0 else self.step.median_s


@dataclass(frozen=True)
class Sample:
    """One live reading during a run.  ``t_s`` counts from the start of the run."""

    t_s: float
    phase: str
    step: int | None = None
    step_s: float | None = None
    current_bytes: int | None = None
    peak_bytes: int | None = None
    cpu_percent: float | None = None
    ram_bytes: int | None = None
    gpu_percent: float | None = None
    gpu_memory_bytes: int | None = None
    disk_read_bytes_per_s: float | None = None
    disk_write_bytes_per_s: float | None = None
    others_cpu_percent: float | None = None
    """Use of the whole machine by everything else, 0..100."""
    ram_available_bytes: int | None = None
    swap_used_bytes: int | None = None
    cpu_clock_mhz: float | None = None
    cpu_temperature_c: float | None = None
    cpu_power_w: float | None = None
    gpu_used_bytes: int | None = None
    """By all programs."""
    gpu_total_bytes: int | None = None
    gpu_power_w: float | None = None
    gpu_temperature_c: float | None = None
    gpu_clock_mhz: int | None = None
    gpu_throttle: str | None = None
    """Why the card holds its clock down, comma between; empty if it does not."""
    held_bytes: int | None = None
    """What the allocator holds of the device, where it tells."""


@dataclass(frozen=True)
class PhaseSpan:
    """A phase of a run: ``start``, ``import``, ``build``, ``compile``, ``warm-up``, ``measure`` and so on."""

    name: str
    start_s: float
    end_s: float | None = None


@dataclass(frozen=True)
class Problem:
    """Why a run did not succeed: kind, original message, phase, and one thing to do."""

    kind: str
    message: Text
    phase: str | None = None
    hint: Text = Text()
    needed_bytes: int | None = None
    had_bytes: int | None = None
    where: str | None = None
    """File and line in the user's own code, if the error came from there."""
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunResult:
    """How one run ended, with whatever it measured before that."""

    outcome: Outcome
    measurement: Measurement | None = None
    problem: Problem | None = None
    warnings: tuple[Text, ...] = ()
    phases: tuple[PhaseSpan, ...] = ()
    samples: tuple[Sample, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    """Versions, device, thread counts and variables that a later reader needs."""
    purpose: Purpose = "benchmark"
    whole: MeasuredWhole | None = None
    """Some of everything of the training, where that was asked for."""
