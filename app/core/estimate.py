"""Put the pieces together: graph + workload + machine → prediction.  Arithmetic only, for sliders."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from app.core.batches import Batches, Room, Speed, best_batch
from app.core.calibration import Calibration, calibrated_memory, calibrated_time
from app.core.device import TargetDevice, allowed_memory, choose_device, context_bytes, host_process_bytes
from app.core.device_lessons import DeviceLessons, probed_memory, sharpened_memory, sharpened_time
from app.core.fit import judge
from app.core.held_data import held_data, with_held_data, words_for
from app.core.machine import DeviceRates, Machine
from app.core.memory import StepMemory, predict_memory
from app.core.optimizers import UpdateOptions
from app.core.other_backends import backend_allowed, backend_memory, judge_range, only_a_range, why_no_rates
from app.core.pipeline import InputTime, input_time
from app.core.prediction import (
    Bound,
    Explanation,
    PredictedMemory,
    PredictedTime,
    Prediction,
    StepParts,
    Uncalibrated,
)
from app.core.refined import Refined, refined_memory
from app.core.stepgraph import StepGraph
from app.core.steptime import (
    CARD_EFFICIENCY,
    MEASURED_RATES_INTERVAL,
    StepTime,
    StepWork,
    card_rates,
)
from app.core.textbook import rule_of_thumb_bytes, textbook_bytes, why_textbook_differs
from app.core.units import format_bytes, format_count, format_seconds
from app.core.workload import Plan, Workload

MEMORY_THREADS_ON_GPU = 4
"""On a card the host only launches kernels, so every ready operation starts at once; a few threads
come close to that order."""

KEPT_TIMES = 4096


@dataclass(frozen=True)
class Rates:
    """Rates of the devices that can be chosen: measured for the host, by card for cards that were measured."""

    host: DeviceRates | None = None
    cards: dict[str, DeviceRates] | None = None

    def of(self, device: TargetDevice, precision: str) -> tuple[DeviceRates | None, bool]:
        """(rates, measured here) for a device."""
        if device.gpu is None:
            return self.host, self.host is not None
        measured = (self.cards or {}).get(device.gpu.name)
        if measured is not None and not device.gpu.simulated:
            return measured, True
        return card_rates(device.gpu, precision), False


class Estimator:
    """Answers every plan for one graph; simulated steps are kept, so the second answer is arithmetic."""

    def __init__(self, graph: StepGraph) -> None:
        self.graph = graph
        self._batches: dict[tuple[str, bool, int, int, bool, UpdateOptions], Batches] = {}
        self._work: dict[str, StepWork] = {}
        self._times: dict[tuple[str, bool, DeviceRates, int], StepTime | None] = {}

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

    def step_time(self, plan: Plan, device: TargetDevice, rates: DeviceRates | None) -> StepTime | None:
        """Time of one step on a device, without its input."""
        if rates is None:
            return None
        return self._time(plan.optimizer, rates, plan.batch_size, xla=uses_xla(plan, device, self.graph))

    def _time(self, optimizer: str, rates: DeviceRates, batch_size: int, *, xla: bool) -> StepTime | None:
        """Time of one step, remembered: the chart and the search for the best batch ask again with every move."""
        key = (optimizer, xla, rates, batch_size)
        if key not in self._times:
            if len(self._times) >= KEPT_TIMES:
                self._times.clear()
            if optimizer not in self._work:
                self._work[optimizer] = StepWork(self.graph, optimizer)
            self._times[key] = self._work[optimizer].time(rates, batch_size, xla=xla)
        return self._times[key]

    def _speed(self, plan: Plan, device: TargetDevice, rates: DeviceRates | None) -> Speed:
        """Samples per second of a plan at any batch size."""
        xla = uses_xla(plan, device, self.graph)

        def speed(batch: int) -> float | None:
            time = None if rates is None else self._time(plan.optimizer, rates, batch, xla=xla)
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
        """
        lessons = lessons or DeviceLessons()
        plan = workload.plan
        device = choose_device(machine, plan.device, usable)
        step = self.step_memory(plan, device)
        allowed = backend_allowed(allowed_memory(machine, device, lessons.probe), plan.backend, device)
        on_host = device.gpu is None
        held = held_data(self.graph, workload, on_host=on_host)
        held_bytes = held.device_bytes if held else 0
        traced = _traced_memory(step, plan, device, lessons)
        memory, factor = _corrected(step, traced, plan, calibration, refined, lessons)
        batches = self.batches(plan, device)
        own = memory.high_bytes == step.interval_bytes(plan.batch_size)[1]
        above = None if own else memory.high_bytes / memory.allocator_peak_bytes - 1
        memory = with_held_data(memory, held, on_host=on_host)
        free = None if allowed.bytes is None else allowed.bytes - held_bytes
        room = Room(None if free is None else int(free / factor), device.is_cuda, above)
        own_rates = plan.backend == "tensorflow" and _usual_threads(plan, device)
        known, measured = rates.of(device, plan.precision) if own_rates else (None, False)
        cached = calibration.cached_sample_bytes if calibration else None
        time = self._predict_time(workload, machine, device, known, measured, cached)
        speed = self._speed(plan, device, known)
        largest = batches.largest(room)
        fit = judge(
            memory,
            allowed,
            device_name=device.name,
            max_batch_size=largest,
            best_batch_size=best_batch(_within_dataset(batches.comfortable(room), workload), speed),
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
            time=calibrated_time(
                time if calibration else sharpened_time(time, lessons), calibration,
                batch_size=plan.batch_size, steps_per_epoch=_steps_per_epoch(workload), epochs=plan.epochs,
            ),
            textbook_bytes=textbook,
            textbook_reason=why_textbook_differs(self.graph, textbook, memory.allocator_peak_bytes, plan.optimizer),
            rule_of_thumb_bytes=rule_of_thumb_bytes(workload.dataset.bytes_on_disk if workload.dataset else None),
            batch_curve=() if ranged else batches.curve(plan.batch_size, largest, factor, speed, held_bytes),
            assumptions=(
                *words_for(workload, held, on_host=on_host),
                *_assumptions(workload, self.graph, device, plan, measured, known),
            ),
            xla=step.xla,
            uncalibrated=_uncalibrated(with_held_data(traced, held, on_host=on_host), time),
        )

    def _predict_time(
        self,
        workload: Workload,
        machine: Machine,
        device: TargetDevice,
        rates: DeviceRates | None,
        measured: bool,
        cached_sample_bytes: float | None = None,
    ) -> PredictedTime:
        """Step, epoch and total time with interval and what the step waits for."""
        plan = workload.plan
        time = self.step_time(plan, device, rates)
        if time is None or rates is None:
            alone = _usual_threads(plan, device)
            return unknown_time(why_no_rates(plan.backend) if alone else
                                f"the speed with {plan.threads} threads is known only from a run")  # fmt: skip
        elements = sample_elements(self.graph)
        data = input_time(workload.dataset, machine, plan, elements, cached_sample_bytes)
        step_s = max(time.step_s, data.step_s if data else 0.0)
        efficiency = CARD_EFFICIENCY
        low, high = MEASURED_RATES_INTERVAL if measured else (efficiency.interval_low, efficiency.interval_high)
        steps = _steps_per_epoch(workload)
        epoch_s = None if steps is None else steps * step_s
        bound, share = _bound(time, data, step_s)
        return PredictedTime(
            step_s=step_s,
            low_s=step_s * low,
            high_s=step_s * high,
            epoch_s=epoch_s,
            total_s=None if epoch_s is None else epoch_s * plan.epochs,
            samples_per_s=plan.batch_size / step_s,
            bound_by=bound,
            bound_share=share,
            basis="predicted",
            parts=StepParts(
                time.compute_s, time.memory_s, time.overhead_s,
                data.decode_s + data.assemble_s if data else None, data.disk_s if data else None,
            ),
            dominant_assumption=(
                "rates measured on this machine" if measured else "a usual share of the card's data-sheet rates"
            ),
            explanation=_explain_time(self._work[plan.optimizer], plan, time, rates),
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


def _usual_threads(plan: Plan, device: TargetDevice) -> bool:
    """Were the device's rates measured with as many threads as the plan takes?  How they scale nobody knows."""
    return device.gpu is not None or plan.threads in (None, device.host_threads)


def sample_elements(graph: StepGraph) -> int:
    """Elements of one sample of all inputs, targets left out."""
    return sum(math.prod(n or 1 for n in shape) for shape in graph.model.input_shapes)


def unknown_time(reason: str) -> PredictedTime:
    """A time that nobody knows, with the reason."""
    return PredictedTime(None, None, None, None, None, None, None, None, "predicted", None, reason)


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


def _steps_per_epoch(workload: Workload) -> int | None:
    """Steps of one pass over the dataset; None without one."""
    samples = workload.dataset.samples if workload.dataset else None
    return None if samples is None else math.ceil(samples / workload.plan.batch_size)


def _within_dataset(batch: int | None, workload: Workload) -> int | None:
    """A batch larger than the dataset makes no sense."""
    samples = workload.dataset.samples if workload.dataset else None
    if batch is None or samples is None:
        return batch
    return min(batch, samples)


def _bound(time: StepTime, data: InputTime | None, step_s: float) -> tuple[Bound, float]:
    """What the step waits for, and for which share of it."""
    if data is not None and data.step_s > time.step_s:
        return ("disk" if data.disk_s >= data.decode_s + data.assemble_s else "input"), data.step_s / step_s
    parts: dict[Bound, float] = {
        "compute": time.compute_s, "memory": time.memory_s, "overhead": time.overhead_s,
    }  # fmt: skip
    bound = time.bound_by
    return bound, min(1.0, parts[bound] / step_s)


def _explain_time(work: StepWork, plan: Plan, time: StepTime, rates: DeviceRates) -> tuple[Explanation, ...]:
    """The basis of the step time."""
    flops = work.flops(plan.batch_size)
    rate = rates.conv_flops_per_s
    return (
        Explanation("work of one step", f"{flops / 1e9:,.1f} GFLOP", "2 per multiply-add", "traced graph"),
        Explanation("rate for convolutions", "not available" if rate is None else f"{rate / 1e9:,.0f} GFLOP/s", "",
                    rates.framework),
        Explanation("computing", format_seconds(time.compute_s), "work / rate where that is longer"),
        Explanation("moving data", format_seconds(time.memory_s), "bytes / bandwidth where that is longer"),
        Explanation("launching operations", format_seconds(time.overhead_s), "count x cost of an empty operation"),
    )  # fmt: skip


def _assumptions(
    workload: Workload, graph: StepGraph, device: TargetDevice, plan: Plan, measured: bool, rates: DeviceRates | None
) -> tuple[str, ...]:
    """What was assumed, in words, most important first."""
    words = list(graph.model.assumptions)
    if plan.jit is None and plan.backend != "torch":
        state = "on" if uses_xla(plan, device, graph) else "off"
        words.append(f"XLA is {state}, as Keras's auto decides on this device")
    if device.gpu is not None and device.gpu.simulated:
        free = format_bytes(device.gpu.memory_free_bytes)
        words.append(f"simulated card {device.name}: {free} free, the rest held by a usual desktop")
    if rates is not None and not measured:
        words.append("step time from the card's data sheet and usual efficiencies")
    if workload.dataset is None:
        words.append("no dataset chosen: no epoch time")
    elif workload.dataset.samples:
        words.append(f"{workload.dataset.name}: {format_count(workload.dataset.samples)} samples per epoch")
    return tuple(words)
