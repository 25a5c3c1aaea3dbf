"""The memory of one workload's step at any batch size, corrected by all that is known of it: one way to every figure.

What is told of the batch that was asked about, the chart over the others, the search for the largest one and what
Advice says of a changed batch all come from here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.core.predict.correction import apply
from app.core.predict.device_corrections import of_other_models, of_probe, slack_factor
from app.core.predict.held_data import held_data, with_held_data, words_for
from app.core.predict.knowledge import Knowledge
from app.core.predict.memory import StepMemory
from app.core.predict.model_steps import ModelSteps
from app.core.predict.other_backends import backend_range
from app.core.predict.refined import refined_memory
from app.core.predict.strangers import of_strangers
from app.core.simulate.device import TargetDevice, as_measured
from app.core.types.predicted_memory import Need, PredictedMemory
from app.core.types.workload import Plan, Workload

LARGEST_OVERHEAD = 4
"""Far more than the upper end is ever above the peak: what has so much room needs no replay."""

MemoryT = TypeVar("MemoryT", PredictedMemory, Need)


class StepNeeds:
    """What a workload's step needs of a device's memory, with the data that a training holds beside it.

    Args:
        steps: The model's.
        workload: What is asked about, whatever its batch.
        device: Where it shall run.
        known: What corrects the traced step.

    Attributes:
        step: The simulated step, as it is told.
        bare: The same with nothing that it could do without: what must have room.
        words: What was assumed of the data.
    """

    def __init__(self, steps: ModelSteps, workload: Workload, device: TargetDevice, known: Knowledge) -> None:
        self._steps = steps
        self._plan = workload.plan
        self._device = device
        self._known = known
        self._on_host = device.gpu is None
        self._held = held_data(steps.graph, workload, on_host=self._on_host)
        measured = as_measured(device, known.lessons.probe)
        if self._held and measured.allocator_bytes is not None:
            measured = replace(measured, allocator_bytes=max(0, measured.allocator_bytes - self._held.device_bytes))
        self.step = steps.step_memory(workload.plan, measured)
        self.bare = steps.step_memory(workload.plan, measured, wishes=False)
        self.words = words_for(workload, self._held, on_host=self._on_host)
        self._needs: dict[tuple[int, bool, bool], Need] = {}

    def traced(self, plan: Plan) -> PredictedMemory:
        """What is told of a plan, which differs in its batch only, before anything corrects it."""
        memory = self._steps.memory(self.step, plan, self._device, self._known.lessons)
        return with_held_data(memory, self._held, on_host=self._on_host)

    def told(self, plan: Plan) -> PredictedMemory:
        """What is told of it, corrected by the best that is known."""
        return self._corrected(self.traced(plan), plan.batch_size)

    def need(self, batch_size: int, *, with_interval: bool = False, bare: bool = False) -> Need:
        """The same figures for any batch; the interval takes replays, and nothing but comfort needs it.

        Args:
            batch_size: Samples per step.
            with_interval: See above.
            bare: What must be there alone, unless a run or a refinement tells what is.
        """
        key = (batch_size, with_interval, bare)
        if key not in self._needs:
            step = self.bare if bare and not self.is_corrected(batch_size) else self.step
            traced = self._traced(step, batch_size, with_interval=with_interval)
            self._needs[key] = self._corrected(traced, batch_size)
        return self._needs[key]

    def fits(self, batch_size: int, allowed_bytes: int) -> bool:
        """Does a training get under way and go on in so much memory?"""
        if self._at_most(self.bare, batch_size) <= allowed_bytes:
            return True
        need = self.need(batch_size, bare=True)
        return max(need.peak_bytes, need.first_bytes or 0) <= allowed_bytes

    def trains_in(self, batch_size: int, allowed_bytes: int) -> bool:
        """Does it fit, and find a place for all that it asks for?

        A card's allocator has one region of all that it may take, in which the gaps between what is alive count.  What
        a run or a refinement has corrected is told by its peak alone.
        """
        if not self.fits(batch_size, allowed_bytes):
            return False
        return self._finds_a_place(batch_size, allowed_bytes, self.bare.trains_in)

    def survives_in(self, batch_size: int, allowed_bytes: int) -> bool:
        """Does it find a place, whatever the prediction's doubt?  Only a card's allocator is asked."""
        return self._finds_a_place(batch_size, allowed_bytes, self.bare.survives_in)

    def _finds_a_place(self, batch_size: int, allowed_bytes: int, goes: Callable[[int, int], bool]) -> bool:
        room = allowed_bytes - (self._held.device_bytes if self._held else 0)
        if not self._device.is_cuda or self.is_corrected(batch_size):
            return True
        return LARGEST_OVERHEAD * self.bare.most_bytes(batch_size) <= room or goes(batch_size, room)

    def fits_comfortably(self, batch_size: int, allowed_bytes: int) -> bool:
        """Is there room for the interval's upper end as well, and for the fastest kernels' workspace?"""
        workspace = self.step.wanted_workspace_bytes(batch_size) if self._device.is_cuda else 0
        if LARGEST_OVERHEAD * self._at_most(self.step, batch_size) + workspace <= allowed_bytes:
            return True
        if not self.fits(batch_size, allowed_bytes):
            return False
        if (
            not self._moved_at(batch_size)
            and LARGEST_OVERHEAD * self.need(batch_size).peak_bytes + workspace <= allowed_bytes
        ):
            return True
        need = self.need(batch_size, with_interval=True)
        most = max(need.high_bytes, need.peak_bytes + workspace)
        return most <= allowed_bytes and self.survives_in(batch_size, allowed_bytes)

    def _moved_at(self, batch_size: int) -> bool:
        """Do runs of other models, or of other people, widen or narrow the interval and move the peak within it?"""
        return bool(self._known.lessons.memory or self._known.at(batch_size).strangers.memory)

    def is_corrected(self, batch_size: int) -> bool:
        """Does anything but the simulation tell the peak?"""
        shown = self._known.at(batch_size)
        learnt = shown.calibration or shown.refined or self._moved_at(batch_size)
        return bool(learnt) or self._plan.backend != "tensorflow"

    def _at_most(self, step: StepMemory, batch_size: int) -> float:
        """At least the figures of `need`, found at once, so that small batches need no replay; else infinite."""
        lessons = self._known.lessons
        if self.is_corrected(batch_size):
            return math.inf
        slack = slack_factor(lessons.probe) if lessons.probe else 1.0
        return max(1.0, slack) * step.most_bytes(batch_size) + (self._held.device_bytes if self._held else 0)

    def _traced(self, step: StepMemory, batch_size: int, *, with_interval: bool) -> Need:
        """The figures of `traced`."""
        need = step.need(batch_size, with_interval=with_interval or self._moved_at(batch_size))
        need = apply(need, of_probe(need.range, self._known.lessons.probe, on_host=self._on_host))
        if self._plan.backend != "tensorflow":
            told = backend_range(need.range, step, self._plan, self._device, batch_size)
            need = need.at(told).with_first(None)
        return need.beside(self._held.device_bytes) if self._held else need

    def _corrected(self, traced: MemoryT, batch_size: int) -> MemoryT:
        """Corrected by a run of the very plan, else a refinement, another run of the model, or those of others."""
        evidence, held = self._known.at(batch_size).on(card=not self._on_host), traced.dataset_bytes
        refined = evidence.refines(batch_size)
        if refined is not None:
            return refined_memory(traced, refined, batch_size, self.step.inputs_bytes(batch_size))
        lesson = evidence.calibration.memory if evidence.calibration else None
        if lesson is not None:
            return apply(traced, lesson.correction(held))
        told = apply(traced, of_other_models(traced.range, self._known.lessons.memory, held))
        return apply(told, of_strangers(told.range, evidence.strangers.memory, raw=traced.range, fixed=held))
