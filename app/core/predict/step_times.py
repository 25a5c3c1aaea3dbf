"""The time of one workload's step at any batch size, corrected by all that is known of it: one way to every figure.

What is told of the batch that was asked about, the chart over the others and the search for the best one all come from
here, and so does what advice says of a changed batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.core.pipeline.measured_stages import MeasuredStages
from app.core.pipeline.pipeline_time import as_measured, through_pipeline
from app.core.predict.correction import Correction, apply
from app.core.predict.corrections import Calibration, Lesson, for_another_plan
from app.core.predict.device_corrections import DeviceLessons, of_other_models
from app.core.predict.model_steps import ModelSteps
from app.core.predict.time import Rates, device_time, of_another_card, sample_elements, usual_threads
from app.core.simulate.device import TargetDevice
from app.core.timing.card_transfer import Transfer
from app.core.types.machine import DeviceRates, Machine
from app.core.types.prediction import PredictedTime
from app.core.types.workload import Workload


@dataclass(frozen=True)
class StepTimes:
    """What is known of a workload's time on one device.

    Attributes:
        steps: The model's.
        workload: What is asked about; its batch is one of many.
        machine: Where it shall run.
        device: On which device of it.
        rates: What is known of the devices' speed.
        calibration: What runs of this model on this device have taught.
        lessons: What is known of the device besides.
        transfer: What a run of this model on another card says of this one.
    """

    steps: ModelSteps
    workload: Workload
    machine: Machine
    device: TargetDevice
    rates: Rates
    calibration: Calibration | None
    lessons: DeviceLessons
    transfer: Transfer | None
    _speeds: dict[int, float | None] = field(init=False, default_factory=dict)

    def untaught(self) -> PredictedTime:
        """The time before any run has corrected it."""
        return self._through(self._alone(self.workload), self.workload)

    def told(self) -> PredictedTime:
        """The time of the batch that is asked about, corrected by the best that is known."""
        return self._told(self.workload, self.calibration)

    def samples_per_s(self, batch_size: int) -> float | None:
        """Throughput at any batch, corrected in the same way, or as a run has shown it; None if nobody knows."""
        if batch_size not in self._speeds:
            shown = self.calibration.speeds.get(batch_size) if self.calibration else None
            asked = batch_size == self.workload.plan.batch_size
            self._speeds[batch_size] = shown if shown and not asked else self._at(batch_size).samples_per_s
        return self._speeds[batch_size]

    def device_samples_per_s(self, batch_size: int) -> float | None:
        """Throughput of the device alone, as predicted; None if nobody knows."""
        rates, _ = self._known()
        time = self.steps.step_time(replace(self.workload.plan, batch_size=batch_size), self.device, rates)
        return batch_size / time.step_s if time else None

    def _at(self, batch_size: int) -> PredictedTime:
        """The time at any batch; of another one than was asked about there is no run."""
        plan = self.workload.plan
        if batch_size == plan.batch_size:
            return self._told(self.workload, self.calibration, explained=False)
        carried = for_another_plan(self.calibration) if self.calibration else None
        other = replace(self.workload, plan=replace(plan, batch_size=batch_size))
        return self._told(other, carried, explained=False)

    def _told(self, workload: Workload, calibration: Calibration | None, *, explained: bool = True) -> PredictedTime:
        """A time corrected by a run of this model, or else by one on another card and by those of other models."""
        alone = self._alone(workload, explained=explained)
        lesson = calibration.time if calibration and calibration.teaches_time else None
        stages = calibration.stages if calibration else None
        if lesson is None:
            return self._by_others(alone, workload, stages)
        if alone.step_s is None:
            return _of_run_alone(alone, lesson)
        if lesson.exact:
            return as_measured(apply(self._through(alone, workload), lesson.correction()), stages)
        if stages is None:
            return apply(self._through(alone, workload), lesson.correction())
        return self._through(apply(alone, _of_device(lesson, stages)), workload, stages)

    def _by_others(self, alone: PredictedTime, workload: Workload, stages: MeasuredStages | None) -> PredictedTime:
        """A time that no run of this model on this device has shown; ``stages`` tell what its input costs."""
        _, measured = self._known()
        moved = alone if measured else apply(alone, of_another_card(alone, self.transfer))
        time = self._through(moved, workload, stages)
        if stages is not None or moved.basis == "scaled":
            return time
        return apply(time, of_other_models(time.range, self.lessons.time))

    def _alone(self, workload: Workload, *, explained: bool = True) -> PredictedTime:
        """What a step takes of the device, without its input."""
        rates, measured = self._known()
        plan = workload.plan
        return device_time(
            self.steps.work(plan.optimizer, self.device),
            self.steps.step_time(plan, self.device, rates),
            workload,
            self.device,
            rates,
            measured=measured,
            explained=explained,
        )

    def _known(self) -> tuple[DeviceRates | None, bool]:
        """The device's rates, and whether they were measured here."""
        plan = self.workload.plan
        if plan.backend != "tensorflow" or not usual_threads(plan, self.device, self.rates.host):
            return None, False
        return self.rates.of(self.device, plan.precision, self.machine)

    def _through(self, alone: PredictedTime, workload: Workload, stages: MeasuredStages | None = None) -> PredictedTime:
        """The step with its input."""
        elements = sample_elements(self.steps.graph)
        return through_pipeline(alone, workload, self.machine, self.device, elements=elements, run=stages)


def _of_device(lesson: Lesson, stages: MeasuredStages) -> Correction | None:
    """What a run says of the device's part of a step."""
    if stages.device_factor is None:
        return None
    return replace(lesson.correction(), factor=stages.device_factor)


def _of_run_alone(unknown: PredictedTime, lesson: Lesson) -> PredictedTime:
    """A time that only a run of the very same plan knows."""
    if not lesson.exact:
        return unknown
    known = replace(unknown, step_s=lesson.measured)
    return apply(known, replace(lesson.correction(), factor=1.0))
