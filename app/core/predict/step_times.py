"""The time of one workload's step at any batch size, corrected by all that is known of it: one way to every figure.

What is told of the batch that was asked about, the chart over the others and the search for the best one all come from
here, and so does what advice says of a changed batch.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TypeVar

from app.core.pipeline.measured_stages import MeasuredStages
from app.core.pipeline.pipeline_time import InputPipeline, as_measured
from app.core.predict.correction import Correction, apply
from app.core.predict.corrections import Lesson
from app.core.predict.device_corrections import of_other_models
from app.core.predict.knowledge import Evidence, Knowledge
from app.core.predict.model_steps import ModelSteps
from app.core.predict.strangers import of_strangers
from app.core.predict.time import (
    device_range,
    device_time,
    of_another_card,
    of_busy_measurement,
    sample_elements,
    usual_threads,
)
from app.core.simulate.device import TargetDevice
from app.core.types.basis import Range
from app.core.types.machine import DeviceRates, Machine
from app.core.types.predicted_time import BatchTime, PredictedTime
from app.core.types.workload import Workload

TimeT = TypeVar("TimeT", PredictedTime, BatchTime)


class StepTimes:
    """What is known of a workload's time on one device.

    Args:
        steps: The model's.
        workload: What is asked about, whatever its batch.
        machine: Where it shall run.
        device: On which device of it.
        known: What corrects the device's part.
    """

    def __init__(
        self, steps: ModelSteps, workload: Workload, machine: Machine, device: TargetDevice, known: Knowledge
    ) -> None:
        self._steps, self._device, self._known = steps, device, known
        self._rates, self._measured = self._what_is_known(workload, machine)
        self._step_times = steps.step_times(workload.plan, device, self._rates)
        elements = sample_elements(steps.graph)
        self._pipeline = functools.cache(lambda run: InputPipeline.of(workload, machine, device, elements, run))
        self._at = functools.cache(self._of_batch)

    def told(self, workload: Workload) -> PredictedTime:
        """The time of a plan, which differs in its batch only, corrected by the best that is known."""
        batch, plan = workload.plan.batch_size, workload.plan
        work, step = self._steps.work(plan, self._device), self._step_times(batch)
        raw = device_time(work, step, workload, self._device, self._rates, measured=self._measured)
        alone = apply(raw, of_busy_measurement(raw.range, self._rates))
        evidence = self._evidence(batch)
        found = self._corrected(alone, batch, evidence)
        if alone.step_s is None or evidence.time is None or not evidence.time.exact:
            return found
        return as_measured(found, evidence.stages)

    def untaught(self, batch_size: int) -> Range | None:
        """The figures of a batch before any run has corrected them; a run teaches nothing about a data sheet."""
        if self._device.gpu is None and not self._measured:
            return None
        return self._through(self._alone(batch_size), batch_size).range

    def samples_per_s(self, batch_size: int) -> float | None:
        """Throughput at any batch, corrected in the same way; None if nobody knows."""
        told = self._at(batch_size).range
        return batch_size / told.value if told and told.value else None

    def device_samples_per_s(self, batch_size: int) -> float | None:
        """Throughput of the device alone, as predicted; None if nobody knows."""
        time = self._step_times(batch_size)
        return batch_size / time.step_s if time else None

    def _of_batch(self, batch_size: int) -> BatchTime:
        """The figures of `told` for any batch."""
        return self._corrected(self._alone(batch_size), batch_size, self._evidence(batch_size))

    def _alone(self, batch_size: int) -> BatchTime:
        """What a step takes of the device, without its input."""
        time = self._step_times(batch_size)
        if time is None or self._rates is None:
            return BatchTime(None)
        raw = BatchTime(device_range(time, self._rates, self._device, measured=self._measured))
        return apply(raw, of_busy_measurement(raw.range, self._rates))

    def _evidence(self, batch_size: int) -> Evidence:
        """What has been shown of a batch on this kind of device."""
        return self._known.at(batch_size).on(card=self._device.gpu is not None)

    def _corrected(self, alone: TimeT, batch_size: int, evidence: Evidence) -> TimeT:
        """A time corrected by a run of this model, or else by one on another card and by those of other models."""
        lesson, stages = evidence.time, evidence.stages
        if lesson is None:
            return self._by_others(alone, batch_size, evidence)
        if alone.range is None:
            return _of_run_alone(alone, lesson)
        if lesson.exact or stages is None:
            return apply(self._through(alone, batch_size), lesson.correction())
        return self._through(apply(alone, _of_device(lesson, stages)), batch_size, stages)

    def _by_others(self, alone: TimeT, batch_size: int, evidence: Evidence) -> TimeT:
        """A time that no run of this model on this device has shown."""
        moved = alone if self._measured else apply(alone, of_another_card(alone.range, evidence.transfer))
        time = self._through(moved, batch_size, evidence.stages)
        if evidence.stages is not None or moved.basis == "scaled":
            return time
        told = apply(time, of_other_models(time.range, self._known.lessons.time))
        return apply(told, of_strangers(told.range, evidence.strangers.time, raw=time.range))

    def _through(self, alone: TimeT, batch_size: int, stages: MeasuredStages | None = None) -> TimeT:
        """The step with its input."""
        return self._pipeline(stages).through(alone, batch_size)

    def _what_is_known(self, workload: Workload, machine: Machine) -> tuple[DeviceRates | None, bool]:
        """The device's rates, and whether they were measured here."""
        plan, rates = workload.plan, self._known.rates
        if plan.backend != "tensorflow" or not usual_threads(plan, self._device, rates.host):
            return None, False
        return rates.of(self._device, plan.precision, machine)


def _of_device(lesson: Lesson, stages: MeasuredStages) -> Correction | None:
    """What a run says of the device's part of a step."""
    if stages.device_factor is None:
        return None
    return replace(lesson.correction(), factor=stages.device_factor)


def _of_run_alone(unknown: TimeT, lesson: Lesson) -> TimeT:
    """A time that only a run of the very same plan knows."""
    if not lesson.exact:
        return unknown
    known = unknown.at(Range(lesson.measured, lesson.measured, lesson.measured))
    return apply(known, replace(lesson.correction(), factor=1.0))
