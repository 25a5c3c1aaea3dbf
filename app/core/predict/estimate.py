"""Put the pieces together: graph + workload + machine → prediction.  Arithmetic only, for sliders."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from app.core.predict.batch_sizes import (
    ROOM_LEFT,
    ROOM_LEFT_OP_BY_OP,
    best_batch,
    charted,
    largest_around,
    largest_that,
)
from app.core.predict.fit import Place, judge
from app.core.predict.knowledge import Knowledge
from app.core.predict.model_steps import ModelSteps, Recall, nothing_simulated
from app.core.predict.other_backends import backend_allowed, judge_range, only_a_range
from app.core.predict.step_needs import StepNeeds
from app.core.predict.step_times import StepTimes
from app.core.predict.textbook import rule_of_thumb_bytes, textbook_bytes, why_textbook_differs
from app.core.simulate.device import TargetDevice, allowed_memory, choose_device
from app.core.simulate.scratch_table import ScratchTables, no_tables
from app.core.simulate.xla.choice import uses_xla
from app.core.types.machine import Machine
from app.core.types.prediction import BatchPoint, Prediction, Uncalibrated
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes, format_count
from app.core.types.workload import Plan, Workload

KEPT_QUESTIONS = 32
"""What is on screen, and what may be asked next: other optimizers, XLA on or off."""

TYPICAL_BATCH = 64
"""From about here on a compiler decides for most batches alike (docs/evidence.md, "Compiled for a card")."""


class Estimator:
    """Answers every plan for one graph; what was simulated is kept, so that the second answer is arithmetic.

    Args:
        graph: The traced step.
        simulated: Of an earlier start; by default nothing.
        scratch: What cards' convolutions ask for.

    Attributes:
        graph: The traced step.
        steps: What it takes, before anything that was measured corrects it.
    """

    def __init__(
        self, graph: StepGraph, simulated: Recall = nothing_simulated, scratch: ScratchTables = no_tables
    ) -> None:
        self.graph = graph
        self.steps = ModelSteps(graph, simulated, scratch)
        self._questions: list[Question] = []

    def predict(
        self, workload: Workload, machine: Machine, known: Knowledge, *, brief: bool = False, chart: bool = True
    ) -> Prediction:
        """Predict memory, time and fit of a workload on a machine.

        Args:
            workload: Model, dataset and plan; the model must be the graph's.
            machine: Where it shall run.
            known: What corrects the graph's own figures.
            brief: One of many to be compared: the largest batch is near, no best one is looked for and no chart drawn.
            chart: Simulate the batches of the chart too, which takes longer than the rest of a first answer.
        """
        question = self._question(workload, machine, known, keep=not brief)
        return question.answer(workload, brief=brief, chart=chart)

    def _question(self, workload: Workload, machine: Machine, known: Knowledge, *, keep: bool) -> Question:
        """The question about any batch of a plan; a slider asks the same one again and again."""
        whatever = replace(workload, plan=replace(workload.plan, batch_size=1))
        for asked in self._questions:
            if asked.known is known and asked.machine == machine and asked.workload == whatever:
                return asked
        made = Question(self.steps, whatever, machine, known)
        if keep:
            self._questions = [made, *self._questions[: KEPT_QUESTIONS - 1]]
        return made


class Question:
    """A workload on a machine, answered for any batch size.

    Args:
        steps: The model's.
        workload: What is asked about, whatever its batch.
        machine: Where it shall run.
        known: What corrects the graph's own figures.
    """

    def __init__(self, steps: ModelSteps, workload: Workload, machine: Machine, known: Knowledge) -> None:
        self.workload, self.machine, self.known = workload, machine, known
        self._graph, plan = steps.graph, workload.plan
        self._device = device = choose_device(machine, plan.device, known.usable)
        free = allowed_memory(machine, device, known.lessons.probe, steps.program_bytes(plan, device))
        self._allowed = backend_allowed(free, plan.backend, device)
        self._needs = StepNeeds(steps, workload, device, known)
        self._times = StepTimes(steps, workload, machine, device, known)

    def answer(self, workload: Workload, *, brief: bool, chart: bool) -> Prediction:
        """The answer for one batch (`Estimator.predict`)."""
        plan, batch = workload.plan, workload.plan.batch_size
        memory, time = self._needs.told(plan), self._times.told(workload)
        ranged = only_a_range(self._needs.step, plan) and memory.basis == "formula"
        drawn = chart and not ranged and not brief
        largest = self._about_largest(batch) if brief else self._largest
        best = None if brief else best_batch(self._most_comfortable, self._times, batch)
        where = (self._allowed, self._device.name)
        textbook = textbook_bytes(self._graph, batch_size=batch, optimizer=plan.rule)
        return Prediction(
            model=self._graph.model,
            plan=plan,
            machine=self.machine,
            memory=memory,
            fit=judge_range(memory, *where)
            if ranged
            else judge(memory, *where, largest, best, place=self._place(batch)),
            time=time,
            textbook_bytes=textbook,
            textbook_reason=why_textbook_differs(self._graph, textbook, memory.allocator_peak_bytes, plan.rule),
            rule_of_thumb_bytes=rule_of_thumb_bytes(workload.dataset.bytes_on_disk if workload.dataset else None),
            batch_curve=tuple(map(self._point, charted(batch, largest, best))) if drawn else (),
            assumptions=(*self._needs.words, *_assumptions(workload, self._graph, self._device, plan)),
            xla=self._needs.step.xla,
            uncalibrated=self._uncalibrated(plan),
        )

    def _place(self, batch_size: int) -> Place:
        """Does all that a batch asks for lie beside each other in what may be used?"""
        allowed = self._allowed.bytes
        if allowed is None:
            return "found"
        if not self._needs.trains_in(batch_size, allowed):
            return "none"
        return "found" if self._needs.survives_in(batch_size, allowed) else "in_doubt"

    @functools.cached_property
    def _largest(self) -> int | None:
        """The largest batch that trains as predicted; 0 if not even one sample does, None if unknown.

        On a card, where nothing gives way, it trains if it takes a little more than that, too.
        """
        allowed = self._allowed.bytes
        if allowed is None:
            return None
        if self._device.is_cuda:
            allowed = int(allowed * (1 - (ROOM_LEFT if self._needs.step.xla else ROOM_LEFT_OP_BY_OP)))
        likely = self._likely_largest(allowed, like=TYPICAL_BATCH)
        fitting = self._end_of(lambda batch: self._needs.fits(batch, allowed), likely)
        return largest_around(lambda batch: batch <= fitting and self._needs.trains_in(batch, allowed), fitting)

    def _end_of(self, fits: Callable[[int], bool], likely: int) -> int:
        """The last of the batches from one sample on that fit, probably near a likely one.

        Where a run or a refinement has told of a batch, that one may not fit although larger ones do; then they are
        asked about from one sample on.
        """
        shown = any(self._needs.is_corrected(1 << i) for i in range(likely.bit_length()))
        return largest_that(fits) if shown else largest_around(fits, likely)

    @functools.cached_property
    def _most_comfortable(self) -> int | None:
        """The largest batch with the verdict "fits"; one larger than the dataset makes no sense."""
        allowed, samples = self._allowed.bytes, self.workload.dataset.samples if self.workload.dataset else None
        if allowed is None or self._largest is None:
            return None
        most = self._end_of(lambda batch: self._needs.fits_comfortably(batch, allowed), self._largest)
        return most if samples is None else min(most, samples)

    def _about_largest(self, batch_size: int) -> int | None:
        """The largest batch without a search of simulated peaks: what is alive, and one batch's overhead for all.

        The overhead differs by a few per cent between batches; enough to compare many devices.
        """
        allowed, step, need = self._allowed.bytes, self._needs.bare, self._needs.need(batch_size, bare=True)
        if allowed is None:
            return None
        room = allowed - need.dataset_bytes
        live = max(1, step.live_bytes(batch_size))
        room_alive = room * live / max(1, need.peak_bytes - need.dataset_bytes)
        likely = self._likely_largest(room_alive, like=batch_size)
        return largest_around(lambda batch: step.live_bytes(batch) <= room_alive, likely)

    def _likely_largest(self, room_bytes: float, *, like: int) -> int:
        """The largest batch of which so much is alive, if a compiler decides for all as for one like that."""
        return largest_that(lambda batch: self._needs.bare.live_bytes(batch, like=like) <= room_bytes)

    def _point(self, batch_size: int) -> BatchPoint:
        """A batch of the chart."""
        return BatchPoint(batch_size, self._needs.need(batch_size).peak_bytes, self._times.samples_per_s(batch_size))

    def _uncalibrated(self, plan: Plan) -> Uncalibrated:
        """What was predicted before any run or refinement corrected it."""
        peak, low, high, *_ = self._needs.traced(plan).need
        return Uncalibrated(peak, low, high, *(self._times.untaught(plan.batch_size) or ()))


def _assumptions(workload: Workload, graph: StepGraph, device: TargetDevice, plan: Plan) -> tuple[Text, ...]:
    """What was assumed, in words, most important first."""
    words = list(graph.model.assumptions)
    if plan.jit is None and plan.backend != "torch":
        state = phrase("on") if uses_xla(plan, device, graph) else phrase("off")
        words.append(phrase("XLA is {state}, as Keras's auto decides on this device", state=state))
    elif plan.jit and plan.backend != "torch" and not uses_xla(plan, device, graph):
        words.append(
            phrase("XLA stays off although it is asked for: Keras cannot compile a layer of this model on a card")
        )
    if device.gpu is not None and device.gpu.simulated:
        free = format_bytes(device.gpu.memory_free_bytes)
        words.append(
            phrase(
                "simulated card {device}: {free} free, the rest held by a usual desktop", device=device.name, free=free
            )
        )
        if device.gpu.ecc_in_memory:
            words.append(phrase("error correction is on, which takes a sixteenth of the card's memory"))
    if workload.dataset is None:
        words.append(phrase("no dataset chosen: no epoch time"))
    elif workload.dataset.samples:
        words.append(
            phrase(
                "{samples} samples per epoch, those of {dataset}",
                dataset=workload.dataset.name,
                samples=format_count(workload.dataset.samples),
            )
        )
    return tuple(words)
