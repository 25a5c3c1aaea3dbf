"""Put the pieces together: graph + workload + machine → prediction.  Arithmetic only, for sliders."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.predict.batch_sizes import Room, best_batch
from app.core.predict.correction import apply
from app.core.predict.corrections import Calibration, for_device
from app.core.predict.device_corrections import DeviceLessons, of_other_models
from app.core.predict.fit import judge
from app.core.predict.held_data import held_data, with_held_data, words_for
from app.core.predict.memory import StepMemory
from app.core.predict.model_steps import ModelSteps
from app.core.predict.other_backends import backend_allowed, judge_range, only_a_range
from app.core.predict.refined import Refined, refined_memory
from app.core.predict.step_times import StepTimes
from app.core.predict.textbook import rule_of_thumb_bytes, textbook_bytes, why_textbook_differs
from app.core.predict.time import Rates
from app.core.simulate.device import Allowed, TargetDevice, allowed_memory, choose_device
from app.core.simulate.xla.choice import uses_xla
from app.core.timing.card_transfer import Transfer
from app.core.types.machine import Machine
from app.core.types.prediction import PredictedMemory, PredictedTime, Prediction, Uncalibrated
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes, format_count
from app.core.types.workload import Plan, Workload


class Estimator:
    """Answers every plan for one graph; its simulated steps are kept, so that the second answer is arithmetic.

    Attributes:
        graph: The traced step.
        steps: What it takes, before anything that was measured corrects it.
    """

    def __init__(self, graph: StepGraph) -> None:
        self.graph = graph
        self.steps = ModelSteps(graph)

    def predict(
        self,
        workload: Workload,
        machine: Machine,
        rates: Rates,
        usable: frozenset[int] | None = None,
        calibration: Calibration | None = None,
        refined: Refined | None = None,
        lessons: DeviceLessons | None = None,
        transfer: Transfer | None = None,
        *,
        brief: bool = False,
    ) -> Prediction:
        """Predict memory, time and fit of a workload on a machine.

        Args:
            workload: Model, dataset and plan; the model must be the graph's.
            machine: Where it shall run.
            rates: What is known of the devices' speed.
            usable: Indices of the cards that the framework can use, None if unknown.
            calibration: What a run of this model on this device has taught.
            refined: What compiling or probing the step has told about its memory; counts for more than a
                run of another plan.
            lessons: What is known of the device besides; runs of other models count where this model has none.
            brief: One of many to be compared: the largest batch is near, no best one is looked for and no chart drawn.
            transfer: What a run of this model on another card says of this one; rates measured here count for more.
        """
        lessons = lessons or DeviceLessons()
        plan = workload.plan
        device = choose_device(machine, plan.device, usable)
        program_bytes = self.steps.program_bytes(plan, device)
        allowed = backend_allowed(allowed_memory(machine, device, lessons.probe, program_bytes), plan.backend, device)
        calibration = for_device(calibration, on_card=device.gpu is not None)
        needed = self._needed(workload, device, calibration, refined, lessons)
        times = StepTimes(self.steps, workload, machine, device, rates, calibration, lessons, transfer)
        time = times.told()
        batches, room = self.steps.batches(plan, device), needed.room(allowed, device)
        largest = batches.about_largest(room, plan.batch_size) if brief else batches.largest(room)
        best = (
            None if brief else best_batch(_within_dataset(batches.comfortable(room), workload), times, plan.batch_size)
        )
        memory, ranged = needed.memory, needed.only_a_range
        drawn = not (ranged or brief)
        textbook = textbook_bytes(self.graph, batch_size=plan.batch_size, optimizer=plan.optimizer)
        return Prediction(
            model=self.graph.model,
            plan=plan,
            machine=machine,
            memory=memory,
            fit=(
                judge_range(memory, allowed, device.name)
                if ranged
                else judge(memory, allowed, device_name=device.name, max_batch_size=largest, best_batch_size=best)
            ),
            time=time,
            textbook_bytes=textbook,
            textbook_reason=why_textbook_differs(self.graph, textbook, memory.allocator_peak_bytes, plan.optimizer),
            rule_of_thumb_bytes=rule_of_thumb_bytes(workload.dataset.bytes_on_disk if workload.dataset else None),
            batch_curve=(
                batches.curve(
                    plan.batch_size,
                    largest,
                    needed.factor,
                    times.samples_per_s,
                    best=best,
                    held_bytes=needed.held_bytes,
                )
                if drawn
                else ()
            ),
            assumptions=(*needed.words, *_assumptions(workload, self.graph, device, plan)),
            xla=needed.xla,
            uncalibrated=_uncalibrated(needed.traced, times.untaught()),
        )

    def _needed(
        self,
        workload: Workload,
        device: TargetDevice,
        calibration: Calibration | None,
        refined: Refined | None,
        lessons: DeviceLessons,
    ) -> _Needed:
        """The memory of one step, and of the data that is held beside it."""
        plan, on_host = workload.plan, device.gpu is None
        step = self.steps.step_memory(plan, device)
        held = held_data(self.graph, workload, on_host=on_host)
        traced = with_held_data(self.steps.memory(step, plan, device, lessons), held, on_host=on_host)
        memory = _corrected(traced, plan, calibration, refined, lessons)
        return _Needed(
            memory=memory,
            traced=traced,
            factor=_step_bytes(memory) / max(1, step.peak_bytes(plan.batch_size)),
            first=_first_factor(memory, step, plan.batch_size),
            above=_above(memory, step.interval_bytes(plan.batch_size)[1], calibration),
            held_bytes=memory.dataset_bytes,
            words=words_for(workload, held, on_host=on_host),
            only_a_range=only_a_range(step, plan) and memory.basis == "formula",
            xla=step.xla,
        )


@dataclass(frozen=True)
class _Needed:
    """What a step needs, with the data that a training holds beside it."""

    memory: PredictedMemory
    """Corrected by the best that is known."""
    traced: PredictedMemory
    """Before anything corrected it."""
    factor: float
    """By which its peak was corrected."""
    first: float
    """What corrected that of the first step, over this factor."""
    above: float | None
    """By how much the upper end of its interval is above the peak; None where the step itself says so."""
    held_bytes: int
    """Of the data, on the device."""
    words: tuple[Text, ...]
    """What was assumed of the data."""
    only_a_range: bool
    xla: bool

    def room(self, allowed: Allowed, device: TargetDevice) -> Room:
        """What is left for a step whose peak is not corrected."""
        free = None if allowed.bytes is None else allowed.bytes - self.held_bytes
        return Room(None if free is None else int(free / self.factor), device.is_cuda, self.above, self.first)


def _corrected(
    traced: PredictedMemory,
    plan: Plan,
    calibration: Calibration | None,
    refined: Refined | None,
    lessons: DeviceLessons,
) -> PredictedMemory:
    """The memory of one step, corrected by the best that is known; the data beside it is known exactly."""
    held = traced.dataset_bytes
    if refined is not None:
        return refined_memory(traced, refined, plan.batch_size)
    if calibration is not None and calibration.memory is not None:
        return apply(traced, calibration.memory.correction(held))
    return apply(traced, of_other_models(traced.range, lessons.memory, held))


def _step_bytes(memory: PredictedMemory) -> int:
    """The peak of the step, without data that is held beside it."""
    return memory.allocator_peak_bytes - memory.dataset_bytes


def _first_factor(memory: PredictedMemory, step: StepMemory, batch_size: int) -> float:
    """What corrects the peak of the first step, over what corrects that of the later ones."""
    first = memory.first_step_peak_bytes
    if first is None:
        return 1.0
    corrected = (first - memory.dataset_bytes) / max(1, step.first_step_peak_bytes(batch_size))
    return round(corrected * step.peak_bytes(batch_size) / max(1, _step_bytes(memory)), 6)


def _above(memory: PredictedMemory, traced_high_bytes: int, calibration: Calibration | None) -> float | None:
    """By how much the upper end for *any* batch is above the peak; None where the traced step itself says so.

    What a run of one batch says of the others is less sure than what it says of its own.
    """
    high = memory.high_bytes - memory.dataset_bytes
    if high == traced_high_bytes:
        return None
    above = high / max(1, _step_bytes(memory)) - 1
    lesson = calibration.memory if calibration else None
    return max(above, lesson.carried_width) if lesson is not None and memory.basis == "measured" else above


def _uncalibrated(memory: PredictedMemory, time: PredictedTime) -> Uncalibrated:
    """What was predicted before any run or refinement corrected it."""
    peak, low, high = memory.allocator_peak_bytes, memory.low_bytes, memory.high_bytes
    return Uncalibrated(peak, low, high, time.step_s, time.low_s, time.high_s)


def _within_dataset(batch: int | None, workload: Workload) -> int | None:
    """A batch larger than the dataset makes no sense."""
    samples = workload.dataset.samples if workload.dataset else None
    if batch is None or samples is None:
        return batch
    return min(batch, samples)


def _assumptions(workload: Workload, graph: StepGraph, device: TargetDevice, plan: Plan) -> tuple[Text, ...]:
    """What was assumed, in words, most important first."""
    words = list(graph.model.assumptions)
    if plan.jit is None and plan.backend != "torch":
        state = phrase("on") if uses_xla(plan, device, graph) else phrase("off")
        words.append(phrase("XLA is {state}, as Keras's auto decides on this device", state=state))
    if device.gpu is not None and device.gpu.simulated:
        free = format_bytes(device.gpu.memory_free_bytes)
        words.append(
            phrase(
                "simulated card {device}: {free} free, the rest held by a usual desktop", device=device.name, free=free
            )
        )
    if workload.dataset is None:
        words.append(phrase("no dataset chosen: no epoch time"))
    elif workload.dataset.samples:
        words.append(
            phrase(
                "{dataset}: {samples} samples per epoch",
                dataset=workload.dataset.name,
                samples=format_count(workload.dataset.samples),
            )
        )
    return tuple(words)
