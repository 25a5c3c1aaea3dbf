"""What real runs teach the predictor: one factor for memory and one for time, with their trust."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.core.pipeline.measured_stages import MeasuredStages, measured_stages
from app.core.predict.intervals import repeat_width
from app.core.runs.doubts import VOIDING
from app.core.types.measurement import Measurement, RunResult
from app.core.types.prediction import MemoryParts, PredictedMemory, PredictedTime
from app.core.types.text import phrase
from app.core.types.workload import Plan

SCALED_INTERVAL = 0.2
"""What is known of a plan that differs in more than its batch, where nobody says by how much."""

NEAR_INTERVAL, INTERVAL_PER_DOUBLING = 0.05, 0.05
"""What a run says of a step that differs in its batch only: the ratio of two simulated steps is good to 5 % in the
median and 15 % at worst over four times the batch (docs/evidence.md, "Scaling a run"), and worse the farther it is
carried."""
OTHER_STEP_INTERVAL = 0.15
"""Added for another optimizer, precision or input size: other operations carry the step, each with its own error."""

CALIBRATED_INTERVAL = 0.1
"""Likewise for memory."""

REPEATED_INTERVAL = 0.03
"""A single run of the very same plan, for memory and time (docs/evidence.md, "Scatter of a peak": 2.7 % between
processes, median)."""


@dataclass(frozen=True)
class Calibration:
    """Measured over predicted for one model on one device; ``exact`` if the plan is the very same.

    A factor is None where the run measured nothing (out of memory, no counter).
    """

    memory_factor: float | None
    time_factor: float | None
    exact: bool
    run_id: int
    on_card: bool = field(kw_only=True)
    """The run computed on a card; False on the processor.  Its factors hold for that kind of device alone."""
    time_spread: float = 0.0
    step_s: float | None = None
    """The run's own step time, seconds."""
    memory_width: float | None = None
    time_width: float | None = None
    """Relative half-widths that repeated runs have shown; None for what a single run is worth."""
    cached_sample_bytes: float | None = None
    """What a decoded sample of the user's files takes in the pipeline's cache."""
    stages: MeasuredStages | None = None
    """How the run's step divided: each part is carried to other plans by itself."""
    scaled_width: float = SCALED_INTERVAL
    """Relative half-width of a time that is carried from this run to the plan that is asked about."""

    @property
    def teaches_time(self) -> bool:
        """Does it say anything of a step's time; a throttled run does not, and others may speak in its place."""
        return self.time_factor is not None or self.stages is not None


def calibrate(
    result: RunResult,
    memory: PredictedMemory,
    time: PredictedTime,
    *,
    run_plan: Plan,
    plan: Plan,
    run_id: int,
    on_card: bool,
) -> Calibration | None:
    """Compare a run with the prediction for the run's own plan, both without a dataset held as an array.

    A time that was taken while the machine was throttled, spilled or swapped teaches nothing (`VOIDING`).  An epoch
    is a sum of steps, so it is the mean step that counts, not the median.

    Args:
        result: How the run ended.
        memory: Uncalibrated prediction for the run's plan.
        time: Uncalibrated prediction for the run's plan.
        run_plan: The run's plan.
        plan: The plan that is asked about.
        run_id: Number of the run.
        on_card: The run computed on a card.
    """
    found = result.measurement
    if found is None:
        return None
    measured, held = found.memory.allocator_peak_bytes, memory.dataset_bytes
    peak, predicted = measured - held if measured else None, memory.allocator_peak_bytes - held
    step_s = found.epoch_step_s(run_plan.batch_size)
    doubts = {doubt.kind for doubt in found.doubts}
    sound = not doubts & VOIDING
    return Calibration(
        memory_factor=peak / predicted if peak and predicted and peak > 0 and "partial" not in doubts else None,
        time_factor=step_s / time.step_s if time.step_s and sound else None,
        exact=same_plan(run_plan, plan),
        run_id=run_id,
        on_card=on_card,
        time_spread=spread_of(found),
        step_s=step_s if sound else None,
        cached_sample_bytes=found.data.cached_sample_bytes,
        stages=measured_stages(found, run_plan, time.stages) if time.stages and sound else None,
        scaled_width=scaled_width(run_plan, plan),
    )


def spread_of(found: Measurement) -> float:
    """How far steps of a run lay from their median, relative: what an epoch of them may be off."""
    step = found.step
    return (step.high_s - step.low_s) / step.median_s / 2 if step.median_s else 0.0


def scaled_width(run_plan: Plan, plan: Plan) -> float:
    """How far a time that is carried from one plan to another may be off."""
    doublings = abs(math.log2(plan.batch_size / run_plan.batch_size))
    only_batch = same_plan(replace(run_plan, batch_size=plan.batch_size), plan)
    return NEAR_INTERVAL + INTERVAL_PER_DOUBLING * doublings + (0.0 if only_batch else OTHER_STEP_INTERVAL)


def of_another_step(calibration: Calibration) -> Calibration:
    """The lesson of a run with another precision or input size: its time, not its memory."""
    return replace(
        calibration,
        exact=False,
        memory_factor=None,
        cached_sample_bytes=None,
        scaled_width=calibration.scaled_width + OTHER_STEP_INTERVAL,
    )


def combined(found: Sequence[Calibration]) -> Calibration | None:
    """The first of several runs of a model, with intervals from how the others differ from it.

    A run that measured only one of memory and time, or neither, gives way to one like it that measured both.

    What a run is worth by itself (`REPEATED_INTERVAL` for the very same plan, else `CALIBRATED_INTERVAL` and
    `scaled_width`) is the prior of `app.core.predict.intervals`; each further run narrows or widens it.

    Args:
        found: The run to trust most first.  If it is of the very same plan, only such runs are compared.
    """
    if not found:
        return None
    telling = [c for c in found if c.memory_factor or c.teaches_time] or found
    alike = [c for c in telling if c.exact == telling[0].exact]
    first = next((c for c in alike if c.memory_factor and c.time_factor), alike[0])
    memory = [c.memory_factor for c in alike if c.memory_factor]
    time = [c.time_factor for c in alike if c.time_factor]
    return replace(
        first,
        memory_width=repeat_width(memory, _memory_width(first)) if first.memory_factor else None,
        time_width=repeat_width(time, _time_width(first)) if first.time_factor else None,
    )


def for_another_plan(calibration: Calibration) -> Calibration:
    """A run's lesson carried to a plan of which there is no run."""
    width = max(SCALED_INTERVAL, calibration.scaled_width)
    return replace(calibration, exact=False, memory_width=None, time_width=None, scaled_width=width)


def for_device(calibration: Calibration | None, *, on_card: bool) -> Calibration | None:
    """What a run says of a kind of device: of the other kind than its own only what its input costs."""
    if calibration is None or calibration.on_card == on_card:
        return calibration
    stages = calibration.stages
    return replace(
        calibration,
        memory_factor=None,
        time_factor=None,
        exact=False,
        step_s=None,
        stages=None if stages is None else replace(stages, device_factor=1.0),
    )


def _memory_width(calibration: Calibration) -> float:
    """Relative half-width of the interval for memory."""
    single = REPEATED_INTERVAL if calibration.exact else CALIBRATED_INTERVAL
    return single if calibration.memory_width is None else calibration.memory_width


def _time_width(calibration: Calibration) -> float:
    """Relative half-width of the interval for time."""
    single = max(REPEATED_INTERVAL, calibration.time_spread) if calibration.exact else calibration.scaled_width
    return single if calibration.time_width is None else calibration.time_width


def same_plan(run_plan: Plan, plan: Plan) -> bool:
    """Is a run's plan the very same, apart from how long it trains and how device and XLA are named."""
    return replace(run_plan, epochs=plan.epochs, device=plan.device, jit=plan.jit) == plan


def calibrated_memory(memory: PredictedMemory, calibration: Calibration | None) -> PredictedMemory:
    """The prediction corrected by a run."""
    if calibration is None or calibration.memory_factor is None:
        return memory
    factor = calibration.memory_factor
    peak = int(memory.allocator_peak_bytes * factor)
    width = _memory_width(calibration)
    parts = scaled_parts(memory.parts, peak)
    return replace(
        memory,
        allocator_peak_bytes=peak,
        low_bytes=int(peak / (1 + width)),
        high_bytes=int(peak * (1 + width)),
        device_bytes=peak + memory.parts.framework,
        host_bytes=host_bytes_at(memory, peak),
        parts=parts,
        basis="measured" if calibration.exact else "calibrated",
        dominant_assumption=phrase(
            "corrected by run {run_id} of this model on this machine", run_id=calibration.run_id
        ),
    )


def calibrated_time(
    time: PredictedTime, calibration: Calibration | None, *, batch_size: int, steps_per_epoch: int | None, epochs: int
) -> PredictedTime:
    """The prediction corrected by a run; without a prediction, the run itself where the plan is the same."""
    if calibration is None:
        return time
    if time.step_s is None and calibration.exact and calibration.step_s is not None:
        epoch_s = None if steps_per_epoch is None else steps_per_epoch * calibration.step_s
        time = replace(
            time,
            step_s=calibration.step_s,
            epoch_s=epoch_s,
            total_s=None if epoch_s is None else epochs * epoch_s,
            samples_per_s=batch_size / calibration.step_s,
        )
        calibration = replace(calibration, time_factor=1.0)
    if calibration.time_factor is None or time.step_s is None:
        return time
    factor = calibration.time_factor
    width = _time_width(calibration)
    step_s = time.step_s * factor

    def scaled(value: float | None) -> float | None:
        return None if value is None else value * factor

    return replace(
        time,
        step_s=step_s,
        low_s=step_s / (1 + width),
        high_s=step_s * (1 + width),
        epoch_s=scaled(time.epoch_s),
        total_s=scaled(time.total_s),
        first_epoch_s=scaled(time.first_epoch_s),
        samples_per_s=None if time.samples_per_s is None else time.samples_per_s / factor,
        basis="measured" if calibration.exact else "scaled",
        dominant_assumption=phrase("run {run_id} of this model on this machine", run_id=calibration.run_id),
    )


def host_bytes_at(memory: PredictedMemory, peak: int) -> int | None:
    """The process on the host after its step's peak was corrected: it holds the tensors, unless a card does.

    Args:
        memory: The uncorrected prediction; only a card has a framework's context among its parts.
        peak: The corrected peak, bytes.
    """
    if memory.host_bytes is None or memory.parts.framework:
        return memory.host_bytes
    return memory.host_bytes + peak - memory.allocator_peak_bytes


def scaled_parts(parts: MemoryParts, peak: int) -> MemoryParts:
    """Parts that add up to a corrected peak: what is known exactly stays, the rest takes the difference.

    Args:
        parts: Of the uncorrected prediction.
        peak: The corrected peak, bytes.
    """
    known = parts.weights + parts.optimizer_state + parts.inputs
    variable = parts.gradients + parts.activations + parts.workspace
    share = max(0, peak - known) / variable if variable else 0.0
    return replace(
        parts,
        gradients=int(parts.gradients * share),
        activations=int(parts.activations * share),
        workspace=int(parts.workspace * share),
    )
