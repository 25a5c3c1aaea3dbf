"""Put the pieces together: graph + workload + machine → prediction.  Arithmetic only, for sliders."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from app.core.batches import Batches, Room, Speed, best_batch
from app.core.machine import DeviceProbe, DeviceRates, Machine
from app.core.memory.device import TargetDevice, allowed_memory, choose_device, context_bytes, host_process_bytes
from app.core.memory.fit import judge
from app.core.memory.held_data import held_data, with_held_data, words_for
from app.core.memory.refined import Refined, refined_memory
from app.core.memory.step_memory import StepMemory, predict_memory
from app.core.memory.textbook import rule_of_thumb_bytes, textbook_bytes, why_textbook_differs
from app.core.pipeline.pipeline_time import after_run
from app.core.prediction import (
    PredictedMemory,
    PredictedTime,
    Prediction,
    Uncalibrated,
)
from app.core.step.optimizers import UpdateOptions
from app.core.stepgraph import StepGraph
from app.core.timing.card_rates import card_rates
from app.core.timing.card_steptime import CardStep, CardWork
from app.core.timing.card_transfer import Transfer
from app.core.timing.estimate_time import Rates, predict_time, sample_elements, usual_threads
from app.core.timing.steptime import (
    StepTime,
    StepWork,
)
from app.core.timing.steptime_here import StepTimesHere
from app.core.trust.calibration import Calibration, calibrated_memory, calibrated_time
from app.core.trust.device_lessons import DeviceLessons, probed_memory, sharpened_memory, sharpened_time
from app.core.trust.other_backends import backend_allowed, backend_memory, judge_range, only_a_range
from app.core.units import format_bytes, format_count
from app.core.workload import Plan, Workload

MEMORY_THREADS_ON_GPU = 4
"""On a card the host only launches kernels, so every ready operation starts at once; a few threads
come close to that order."""

KEPT_TIMES = 16384
"""Enough for some twenty batch sizes on every card of the table."""
KEPT_MEMORIES = 64


class Estimator:
    """Answers every plan for one graph; simulated steps are kept, so the second answer is arithmetic."""

    def __init__(self, graph: StepGraph) -> None:
        self.graph = graph
        self._batches: dict[tuple[str, bool, int, int, bool, UpdateOptions], Batches] = {}
        self._work: dict[tuple[str, bool], StepWork | CardWork] = {}
        self._memories: dict[tuple[int, int, bool, bool, DeviceProbe | None], PredictedMemory] = {}
        self._card_steps: dict[tuple[str, bool, DeviceRates, int], CardStep | None] = {}
        self._times: dict[tuple[str, bool, bool, DeviceRates, int], StepTime | None] = {}
        self._here = StepTimesHere(graph)

    def step_memory(self, plan: Plan, device: TargetDevice) -> StepMemory:
        """The simulated step for a plan on a device."""
        return self.batches(plan, device).step

    def batches(self, plan: Plan, device: TargetDevice) -> Batches:
        """All batch sizes of a plan on a device."""
        xla = uses_xla(plan, device, self.graph)
        threads = (plan.threads or device.host_threads) if device.gpu is None else MEMORY_THREADS_ON_GPU
        options = UpdateOptions.of(plan)
        key = (plan.optimizer, xla, threads, plan.accumulate, device.gpu is None, options)
        if key not in self._batches:
            self._batches[key] = Batches(StepMemory(
                self.graph, plan.optimizer, xla=xla, threads=min(threads, 16), accumulate=plan.accumulate,
                on_host=device.gpu is None, options=options,
            ))  # fmt: skip
        return self._batches[key]

    def work(self, optimizer: str, device: TargetDevice) -> StepWork | CardWork:
        """What a step does, for a card or for the host."""
        on_card = device.gpu is not None
        key = (optimizer, on_card)
        if key not in self._work:
            self._work[key] = CardWork(self.graph, optimizer) if on_card else StepWork(self.graph, optimizer)
        return self._work[key]

    def card_step(self, plan: Plan, device: TargetDevice, machine: Machine) -> CardStep | None:
        """One step on a card by its data sheet; None if that says too little."""
        work = self.work(plan.optimizer, device)
        if device.gpu is None or not isinstance(work, CardWork):
            return None
        rates = card_rates(device.gpu, plan.precision, machine.cpu.max_clock_mhz)
        if rates is None:
            return None
        key = (plan.optimizer, uses_xla(plan, device, self.graph), rates, plan.batch_size)
        if key not in self._card_steps:
            if len(self._card_steps) >= KEPT_TIMES:
                self._card_steps.clear()
            self._card_steps[key] = work.step(rates, plan.batch_size, xla=key[1])
        return self._card_steps[key]

    def step_time(self, plan: Plan, device: TargetDevice, rates: DeviceRates | None) -> StepTime | None:
        """Time of one step on a device, without its input."""
        if rates is None:
            return None
        xla = uses_xla(plan, device, self.graph)
        here = self._here.step_time(plan, rates, xla=xla) if device.gpu is None else None
        return here or self._time(plan, device, rates, plan.batch_size)

    def _time(self, plan: Plan, device: TargetDevice, rates: DeviceRates, batch_size: int) -> StepTime | None:
        """Time of one step, remembered: the chart and the search for the best batch ask again with every move."""
        xla = uses_xla(plan, device, self.graph)
        key = (plan.optimizer, xla, device.gpu is not None, rates, batch_size)
        if key not in self._times:
            if len(self._times) >= KEPT_TIMES:
                self._times.clear()
            self._times[key] = self.work(plan.optimizer, device).time(rates, batch_size, xla=xla)
        return self._times[key]

    def _traced(self, step: StepMemory, plan: Plan, device: TargetDevice, lessons: DeviceLessons) -> PredictedMemory:
        """The memory of one step, remembered: many devices to compare have it in common."""
        key = (id(step), plan.batch_size, device.gpu is None, device.is_cuda, lessons.probe)
        if plan.backend != "tensorflow":
            return _traced_memory(step, plan, device, lessons)
        if key not in self._memories:
            if len(self._memories) >= KEPT_MEMORIES:
                self._memories.clear()
            self._memories[key] = _traced_memory(step, plan, device, lessons)
        return self._memories[key]

    def _speed(self, plan: Plan, device: TargetDevice, rates: DeviceRates | None) -> Speed:
        """Samples per second of a plan at any batch size."""

        def speed(batch: int) -> float | None:
            time = self.step_time(replace(plan, batch_size=batch), device, rates)
            return batch / time.step_s if time else None

        return speed

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
        step = self.step_memory(plan, device)
        allowed = backend_allowed(allowed_memory(machine, device, lessons.probe), plan.backend, device)
        on_host = device.gpu is None
        held = held_data(self.graph, workload, on_host=on_host)
        held_bytes = held.device_bytes if held else 0
        traced = self._traced(step, plan, device, lessons)
        memory, factor = _corrected(step, traced, plan, calibration, refined, lessons)
        batches = self.batches(plan, device)
        own = memory.high_bytes == step.interval_bytes(plan.batch_size)[1]
        above = None if own else memory.high_bytes / memory.allocator_peak_bytes - 1
        memory = with_held_data(memory, held, on_host=on_host)
        free = None if allowed.bytes is None else allowed.bytes - held_bytes
        room = Room(None if free is None else int(free / factor), device.is_cuda, above)
        untaught, time, speed = self._times_of(workload, machine, device, rates, transfer)
        largest = batches.about_largest(room, plan.batch_size) if brief else batches.largest(room)
        fit = judge(
            memory,
            allowed,
            device_name=device.name,
            max_batch_size=largest,
            best_batch_size=(
                None if brief else best_batch(_within_dataset(batches.comfortable(room), workload), speed)
            ),
        )
        ranged = only_a_range(step, plan) and memory.basis == "formula"
        if ranged:
            fit = judge_range(memory, allowed, device.name)
        textbook = textbook_bytes(self.graph, batch_size=plan.batch_size, optimizer=plan.optimizer)
        return Prediction(
            model=self.graph.model,
            plan=plan,
            machine=machine,
            memory=memory,
            fit=fit,
            time=self._taught(time, workload, machine, device, calibration, lessons),
            textbook_bytes=textbook,
            textbook_reason=why_textbook_differs(self.graph, textbook, memory.allocator_peak_bytes, plan.optimizer),
            rule_of_thumb_bytes=rule_of_thumb_bytes(workload.dataset.bytes_on_disk if workload.dataset else None),
            batch_curve=() if ranged or brief else batches.curve(plan.batch_size, largest, factor, speed, held_bytes),
            assumptions=(
                *words_for(workload, held, on_host=on_host),
                *_assumptions(workload, self.graph, device, plan),
            ),
            xla=step.xla,
            uncalibrated=_uncalibrated(with_held_data(traced, held, on_host=on_host), untaught),
        )

    def _times_of(
        self, workload: Workload, machine: Machine, device: TargetDevice, rates: Rates, transfer: Transfer | None
    ) -> tuple[PredictedTime, PredictedTime, Speed]:
        """The time before any run, the same with what a run on another card says, and the speed at any batch size."""
        plan = workload.plan
        own_rates = plan.backend == "tensorflow" and usual_threads(plan, device, rates.host)
        known, measured = rates.of(device, plan.precision, machine) if own_rates else (None, False)
        timed = partial(
            predict_time, self.work(plan.optimizer, device), self.step_time(plan, device, known), workload, machine,
            device, known, elements=sample_elements(self.graph), measured=measured,
        )  # fmt: skip
        untaught = timed()
        time = untaught if measured or transfer is None else timed(transfer=transfer)
        return untaught, time, self._speed(plan, device, known)

    def _taught(
        self, time: PredictedTime, workload: Workload, machine: Machine, device: TargetDevice,
        calibration: Calibration | None, lessons: DeviceLessons,
    ) -> PredictedTime:  # fmt: skip
        """A time corrected by a run of this model, or else by those of other models."""
        plan = workload.plan
        calibrated = calibrated_time(
            time if calibration or time.basis == "scaled" else sharpened_time(time, lessons), calibration,
            batch_size=plan.batch_size, steps_per_epoch=workload.steps_per_epoch, epochs=plan.epochs,
        )  # fmt: skip
        return after_run(
            calibrated, calibration.stages if calibration else None, workload, machine, device,
            elements=sample_elements(self.graph), exact=bool(calibration and calibration.exact),
        )  # fmt: skip


def uses_xla(plan: Plan, device: TargetDevice, graph: StepGraph) -> bool:
    """Does XLA compile this step: Keras's own "auto" is XLA on a GPU if every layer supports it.

    With JAX it is so on every device, with PyTorch never (``torch.compile`` is no XLA).
    Source: keras/src/trainers/trainer.py, ``resolve_auto_jit_compile`` and ``model_supports_jit``.
    """
    if plan.backend == "torch":
        return False
    if plan.jit is not None:
        return plan.jit
    if plan.backend == "jax":
        return graph.jit_allowed
    return device.gpu is not None and graph.jit_allowed


def _traced_memory(step: StepMemory, plan: Plan, device: TargetDevice, lessons: DeviceLessons) -> PredictedMemory:
    """The memory of one step from the graph and what was measured of the device."""
    traced = predict_memory(
        step,
        batch_size=plan.batch_size,
        context_bytes=context_bytes(device, lessons.probe),
        host_process_bytes=host_process_bytes(lessons.probe),
        cuda=device.is_cuda,
    )
    probed = probed_memory(traced, lessons.probe, on_host=device.gpu is None)
    return backend_memory(probed, step, plan, device)


def _corrected(
    step: StepMemory,
    traced: PredictedMemory,
    plan: Plan,
    calibration: Calibration | None,
    refined: Refined | None,
    lessons: DeviceLessons,
) -> tuple[PredictedMemory, float]:
    """The memory of one step, corrected by the best that is known, and by which factor that changed its peak."""
    if refined is not None:
        memory = refined_memory(traced, refined, plan.batch_size)
    elif calibration is not None and calibration.memory_factor is not None:
        memory = calibrated_memory(traced, calibration)
    else:
        memory = sharpened_memory(traced, lessons)
    factor = memory.allocator_peak_bytes / max(1, step.peak_bytes(plan.batch_size))
    first = traced.first_step_peak_bytes
    return replace(memory, first_step_peak_bytes=None if first is None else int(first * factor)), factor


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


def _assumptions(workload: Workload, graph: StepGraph, device: TargetDevice, plan: Plan) -> tuple[str, ...]:
    """What was assumed, in words, most important first."""
    words = list(graph.model.assumptions)
    if plan.jit is None and plan.backend != "torch":
        state = "on" if uses_xla(plan, device, graph) else "off"
        words.append(f"XLA is {state}, as Keras's auto decides on this device")
    if device.gpu is not None and device.gpu.simulated:
        free = format_bytes(device.gpu.memory_free_bytes)
        words.append(f"simulated card {device.name}: {free} free, the rest held by a usual desktop")
    if workload.dataset is None:
        words.append("no dataset chosen: no epoch time")
    elif workload.dataset.samples:
        words.append(f"{workload.dataset.name}: {format_count(workload.dataset.samples)} samples per epoch")
    return tuple(words)
