"""The time of a step, an epoch and a training: the device's own time led through the pipeline of its data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeVar

from app.core.pipeline.input_cost import assumed_cost
from app.core.pipeline.measured_stages import MeasuredStages
from app.core.pipeline.stages import epochs
from app.core.simulate.device import TargetDevice
from app.core.types.basis import Range, Told
from app.core.types.machine import Machine
from app.core.types.predicted_time import PredictedTime, Stages
from app.core.types.workload import Workload

INPUT_INTERVAL = (0.5, 2.0)
"""What decoding and reading cost at usual rates is known to a factor of two: cores, codecs and disks differ so much."""

MEASURED_INPUT_INTERVAL = (0.8, 1.25)
"""The same after a run on the user's own files, carried to another plan."""

AUGMENTING_INTERVAL = (0.0, 2.0)
"""Half of the host's work is taken for augmentation where it is not measured: it may be none or all of it."""


class Alone(Told, Protocol):
    """What a step takes of the device without its input."""

    def with_input(self, told: Range, stages: Stages, first_step_s: float) -> Self:
        """The same step with its input."""


AloneT = TypeVar("AloneT", bound=Alone)


@dataclass(frozen=True)
class InputPipeline:
    """What a workload's input adds to the device's part of a step, for every batch alike.

    Attributes:
        first: The stages of one sample in the first epoch, beside whatever the device takes.
        later: Those of later epochs.
        ends: What the input's cost is multiplied by for the interval's ends.
        overhead: What overlapped worse than it could.
    """

    first: Stages
    later: Stages
    ends: tuple[float, float]
    overhead: float = 1.0

    @classmethod
    def of(
        cls, workload: Workload, machine: Machine, device: TargetDevice, elements: int, run: MeasuredStages | None
    ) -> InputPipeline:
        """The pipeline of a workload's dataset and plan on a machine.

        Args:
            workload: Dataset and plan, whose batch makes no difference.
            machine: Where it shall run.
            device: On which device of it.
            elements: Of one sample of all inputs.
            run: What a run has shown of the user's data; it takes the place of usual rates.
        """
        data, plan = workload.dataset, replace(workload.plan, batch_size=1)
        cost = None if data is None else assumed_cost(data, machine, elements)
        if cost is not None and run is not None:
            cost = run.cost(cost)
        both = epochs(cost, machine, plan, gpu=device.gpu, device_s=0.0, samples=data.samples if data else None)
        ends = _data_interval(workload, run)
        if run is None:
            return cls(both.first, both.later, ends)
        return cls(run.undivided(both.first), run.undivided(both.later), ends, run.overhead)

    def through(self, alone: AloneT, batch_size: int) -> AloneT:
        """What a step takes with its input, from what it takes of the device alone, corrected by what is known of that.

        The ends of the interval are those of the device's time and of the input's cost, each by itself.
        """
        told = alone.range
        if told is None:
            return alone
        stages = self.later.of_batch(batch_size, told.value)
        of_device = (told.low / told.value, told.high / told.value)
        low, high = (stages.times(*factors).step_s for factors in zip(of_device, self.ends, strict=True))
        whole = Range(*(one * self.overhead for one in (stages.step_s, low, high)))
        first_s = self.first.of_batch(batch_size, told.value).step_s * self.overhead
        return alone.with_input(whole.ordered, stages, first_s)


def as_measured(time: PredictedTime, run: MeasuredStages | None) -> PredictedTime:
    """A time that a run of the very same plan has corrected, divided as that run divided."""
    if run is None or time.step_s is None:
        return time
    steps = time.schedule.steps_per_epoch if time.schedule else None
    first_s = run.first_epoch_s / steps if run.first_epoch_s and steps else time.step_s
    return replace(time, stages=run.stages, first_step_s=first_s)


def _data_interval(workload: Workload, run: MeasuredStages | None) -> tuple[float, float]:
    """What the input's cost is multiplied by for the interval's ends."""
    if run is None:
        return INPUT_INTERVAL
    if run.augments and workload.plan.cache in ("ram", "disk"):
        return AUGMENTING_INTERVAL
    return MEASURED_INPUT_INTERVAL if run.decode_known else INPUT_INTERVAL
