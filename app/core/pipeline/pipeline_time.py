"""Times of step, epoch and training from the stages of the pipeline, with intervals; and what a run makes of them."""

from __future__ import annotations

from dataclasses import replace

from app.core.pipeline.input_cost import assumed_cost
from app.core.pipeline.measured_stages import MeasuredStages
from app.core.pipeline.stages import Epochs, bound_of, epochs
from app.core.simulate.device import TargetDevice
from app.core.types.machine import Machine
from app.core.types.prediction import Bound, PredictedTime, Stages
from app.core.types.workload import Workload

INPUT_INTERVAL = (0.5, 2.0)
"""What decoding and reading cost at usual rates is known to a factor of two: cores, codecs and disks differ so much."""

MEASURED_INPUT_INTERVAL = (0.8, 1.25)
"""The same after a run on the user's own files, carried to another plan."""

AUGMENTING_INTERVAL = (0.0, 2.0)
"""Half of the host's work is taken for augmentation where it is not measured: it may be none or all of it."""


def workload_epochs(
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    elements: int,
    device_s: float,
    run: MeasuredStages | None = None,
) -> Epochs:
    """The stages of a workload's step.

    Args:
        workload: Dataset and plan.
        machine: Where it shall run.
        device: On which device of it.
        elements: Of one sample of all inputs.
        device_s: The step alone, seconds.
        run: What a run has shown of the user's data; it takes the place of usual rates.
    """
    data = workload.dataset
    cost = None if data is None else assumed_cost(data, machine, elements)
    if cost is not None and run is not None:
        cost = run.cost(cost)
    samples = data.samples if data else None
    return epochs(cost, machine, workload.plan, gpu=device.gpu, device_s=device_s, samples=samples)


def with_stages(
    time: PredictedTime,
    both: Epochs,
    workload: Workload,
    *,
    device: tuple[float, float],
    data: tuple[float, float],
    overhead: float = 1.0,
) -> PredictedTime:
    """A time as the pipeline makes it.

    Args:
        time: Has everything else, among it what holds the device.
        both: Stages of the first and of later epochs.
        workload: Epochs and samples.
        device: What the device's part is multiplied by for the interval's ends.
        data: Likewise the input's.
        overhead: What a run took over its stages.
    """
    stages, steps, plan = both.later, workload.steps_per_epoch, workload.plan
    step_s = stages.step_s * overhead
    first = None if steps is None else steps * both.first.step_s * overhead
    epoch_s = None if steps is None else steps * step_s
    device_bound = time.bound_by if time.bound_by not in ("input", "disk") else None
    bound, share = bound_of(stages, device_bound or "compute")
    share *= _share_of_device(time, bound)
    return replace(
        time,
        step_s=step_s,
        low_s=min(step_s, scaled(stages, device[0], data[0]).step_s * overhead),
        high_s=max(step_s, scaled(stages, device[1], data[1]).step_s * overhead),
        epoch_s=epoch_s,
        total_s=None if first is None or epoch_s is None else first + (plan.epochs - 1) * epoch_s,
        samples_per_s=plan.batch_size / step_s,
        bound_by=bound,
        bound_share=share,
        stages=stages,
        first_epoch_s=first,
    )


def _share_of_device(time: PredictedTime, bound: Bound) -> float:
    """Which share of the device's work its largest part takes; 1 where it is the input that is waited for."""
    if time.parts is None or bound in ("input", "disk"):
        return 1.0
    parts = {"compute": time.parts.compute_s, "memory": time.parts.memory_s, "overhead": time.parts.overhead_s}
    whole = sum(parts.values())
    return parts[bound] / whole if whole > 0 else 1.0


def scaled(stages: Stages, device: float, data: float) -> Stages:
    """Stages whose two sides take longer or shorter."""
    return replace(
        stages,
        device_s=stages.device_s * device,
        copy_s=stages.copy_s * device,
        decode_s=stages.decode_s * data,
        disk_s=stages.disk_s * data,
    )


def after_run(
    time: PredictedTime,
    run: MeasuredStages | None,
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    elements: int,
    exact: bool,
) -> PredictedTime:
    """A calibrated time, divided as the run divided: each stage by its own measurement, not all by one factor.

    Args:
        time: Calibrated, its stages as predicted.
        run: What a run has shown of its stages.
        workload: What is asked about.
        machine: Where.
        device: On which device.
        elements: Of one sample.
        exact: The run was of the very same plan, so that its own step time stands.
    """
    if run is None or time.stages is None or time.step_s is None:
        return time
    if exact:
        device_bound = time.bound_by if time.bound_by not in ("input", "disk") else None
        bound, share = bound_of(run.stages, device_bound or "compute")
        share *= _share_of_device(time, bound)
        first = run.first_epoch_s or time.epoch_s
        return replace(time, stages=run.stages, bound_by=bound, bound_share=share, first_epoch_s=first)
    device_s = time.stages.device_s * run.device_factor
    both = workload_epochs(workload, machine, device, elements=elements, device_s=device_s, run=run)
    low, high = (time.low_s or time.step_s) / time.step_s, (time.high_s or time.step_s) / time.step_s
    data = MEASURED_INPUT_INTERVAL if run.decode_known else INPUT_INTERVAL
    if run.augments and workload.plan.cache in ("ram", "disk"):
        data = AUGMENTING_INTERVAL
    return with_stages(time, both, workload, device=(low, high), data=data, overhead=run.overhead)
