"""The time of a step, an epoch and a training: the device's own time led through the pipeline of its data."""

from __future__ import annotations

from dataclasses import replace

from app.core.pipeline.input_cost import assumed_cost
from app.core.pipeline.measured_stages import MeasuredStages
from app.core.pipeline.stages import Epochs, epochs
from app.core.simulate.device import TargetDevice
from app.core.types.machine import Machine
from app.core.types.prediction import PredictedTime
from app.core.types.workload import Workload

INPUT_INTERVAL = (0.5, 2.0)
"""What decoding and reading cost at usual rates is known to a factor of two: cores, codecs and disks differ so much."""

MEASURED_INPUT_INTERVAL = (0.8, 1.25)
"""The same after a run on the user's own files, carried to another plan."""

AUGMENTING_INTERVAL = (0.0, 2.0)
"""Half of the host's work is taken for augmentation where it is not measured: it may be none or all of it."""


def through_pipeline(
    alone: PredictedTime,
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    elements: int,
    run: MeasuredStages | None = None,
) -> PredictedTime:
    """What a step takes with its input, from what it takes of the device alone.

    The ends of the interval are those of the device's time and of the input's cost, each by itself.

    Args:
        alone: The device's part, corrected by what is known of it.
        workload: Dataset and plan.
        machine: Where it shall run.
        device: On which device of it.
        elements: Of one sample of all inputs.
        run: What a run has shown of the user's data; it takes the place of usual rates.
    """
    told = alone.range
    if told is None:
        return alone
    both = _epochs(workload, machine, device, elements=elements, device_s=told.value, run=run)
    stages, data, overhead = both.later, _data_interval(workload, run), run.overhead if run else 1.0
    ends = (told.low / told.value, told.high / told.value)
    step_s, low_s, high_s = (
        one.step_s * overhead
        for one in (stages, *(stages.times(of_device, of_data) for of_device, of_data in zip(ends, data, strict=True)))
    )
    return replace(
        alone,
        step_s=step_s,
        low_s=min(step_s, low_s),
        high_s=max(step_s, high_s),
        stages=stages,
        first_step_s=both.first.step_s * overhead,
    )


def as_measured(time: PredictedTime, run: MeasuredStages | None) -> PredictedTime:
    """A time that a run of the very same plan has corrected, divided as that run divided."""
    if run is None or time.step_s is None:
        return time
    steps = time.schedule.steps_per_epoch if time.schedule else None
    first_s = run.first_epoch_s / steps if run.first_epoch_s and steps else time.step_s
    return replace(time, stages=run.stages, first_step_s=first_s)


def _epochs(
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    elements: int,
    device_s: float,
    run: MeasuredStages | None,
) -> Epochs:
    """The stages of a workload's step, which takes so many seconds of the device."""
    data = workload.dataset
    cost = None if data is None else assumed_cost(data, machine, elements)
    if cost is not None and run is not None:
        cost = run.cost(cost)
    samples = data.samples if data else None
    both = epochs(cost, machine, workload.plan, gpu=device.gpu, device_s=device_s, samples=samples)
    if run is None:
        return both
    return replace(both, first=run.undivided(both.first), later=run.undivided(both.later))


def _data_interval(workload: Workload, run: MeasuredStages | None) -> tuple[float, float]:
    """What the input's cost is multiplied by for the interval's ends."""
    if run is None:
        return INPUT_INTERVAL
    if run.augments and workload.plan.cache in ("ram", "disk"):
        return AUGMENTING_INTERVAL
    return MEASURED_INPUT_INTERVAL if run.decode_known else INPUT_INTERVAL
