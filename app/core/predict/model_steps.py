"""What one graph's step takes, in memory and in time, for any plan on any device; simulated once and remembered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from app.core.predict.correction import apply
from app.core.predict.device_corrections import DeviceLessons, of_probe
from app.core.predict.memory import StepMemory, predict_memory
from app.core.predict.other_backends import backend_memory
from app.core.simulate.device import TargetDevice, context_bytes
from app.core.simulate.eigen_kernels import EigenKernels
from app.core.simulate.host_process import bytes_of_program, host_process_bytes
from app.core.simulate.optimizer_recipes import recipe
from app.core.simulate.optimizers import UpdateOptions
from app.core.simulate.scratch_table import ScratchTable, ScratchTables, no_tables
from app.core.simulate.simulated import SimulatedTraining
from app.core.simulate.turned_images import Turned, turned_on
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.choice import uses_xla
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.timing.card_rates import card_rates
from app.core.timing.card_steptime import CardStep, CardWork
from app.core.timing.steptime import StepTime, StepWork
from app.core.timing.steptime_here import StepTimesHere
from app.core.types.machine import DeviceProbe, DeviceRates, Machine
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.stepgraph import StepGraph
from app.core.types.units import MIB
from app.core.types.workload import Plan

MOST_THREADS = 16
"""More make no other order: a step rarely has so many operations ready."""

LIMIT_STEP = 64 * MIB
"""What a desktop holds of a card changes all the time; limits that are so near each other are one."""

KEPT_TIMES = 1024
"""Enough for every card of the table, each with all its batch sizes."""
KEPT_MEMORIES = 64

_Key = TypeVar("_Key", bound=Hashable)
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Training:
    """What a simulated step depends on besides its graph; ``threads`` are those that matter to the order.

    XLA orders its kernels itself, whatever runs them: one.
    """

    optimizer: str
    xla: bool
    threads: int
    accumulate: int
    on_host: bool
    options: UpdateOptions
    eigen: EigenKernels | None = None
    card: CardCompiler = CardCompiler()
    """For which XLA compiles; the same for all where it does not."""
    turned: Turned = "nothing"
    """Which convolutions copy images with channels last."""


Recall = Callable[[Training], SimulatedTraining]
"""What was simulated of a training before; whatever is simulated from now on is added to it."""


def nothing_simulated(_training: Training) -> SimulatedTraining:
    """Nobody has simulated anything."""
    return SimulatedTraining()


class ModelSteps:
    """The steps of one graph.  A question that was asked before is answered without simulating anything.

    Args:
        graph: The traced step.
        recall: What was simulated of it before.
        scratch: What cards' convolutions ask for.
    """

    def __init__(
        self, graph: StepGraph, recall: Recall = nothing_simulated, scratch: ScratchTables = no_tables
    ) -> None:
        self.graph = graph
        self._recall = recall
        self._scratch = scratch
        self._steps: dict[tuple[Training, int | None, ScratchTable | None, int | None], StepMemory] = {}
        self._compiled: dict[Training, CompiledSteps] = {}
        self._simulated: dict[Training, SimulatedTraining] = {}
        self._turned: dict[tuple[int, int] | None, Turned] = {}
        self._work: dict[tuple[str, bool, bool], StepWork | CardWork] = {}
        self._memories: dict[tuple[int, int, bool, bool, DeviceProbe | None], PredictedMemory] = {}
        self._card_steps: dict[tuple[str, bool, DeviceRates, int], CardStep | None] = {}
        self._times: dict[tuple[str, bool, bool, DeviceRates], dict[int, StepTime | None]] = {}
        self._updates: dict[str, int] = {}
        self._here = StepTimesHere(graph)

    def step_memory(self, plan: Plan, device: TargetDevice, *, wishes: bool = True) -> StepMemory:
        """The simulated step for a plan on a device, whatever its batch.

        Args:
            plan: How it runs.
            device: Where.
            wishes: With the scratch that a card's convolutions get where there is room, but do not need, and compiled
                for the card's own memory; without, it is answered sooner.
        """
        xla = uses_xla(plan, device, self.graph)
        threads = plan.threads or device.host_threads
        own = device.gpu is None and not (xla or device.onednn) and plan.backend == "tensorflow"
        eigen = EigenKernels(threads, device.cache_bytes, device.likely_cache_bytes) if own else None
        card = CardCompiler.of(device.gpu) if device.gpu is not None and xla else CardCompiler()
        options, threads = UpdateOptions.of(plan), 1 if xla else min(threads, MOST_THREADS)
        op_by_op_there = device.is_cuda and not xla and plan.backend == "tensorflow"
        turned = self._turned_on(device) if op_by_op_there else "nothing"
        training = Training(plan.rule, xla, threads, plan.accumulate, device.gpu is None, options, eigen, card, turned)
        limit = None if xla or device.allocator_bytes is None else device.allocator_bytes // LIMIT_STEP * LIMIT_STEP
        scratch = self._scratch_on(device) if wishes and op_by_op_there else None
        card_bytes = device.gpu.memory_total_bytes if wishes and device.gpu is not None and xla else None
        key = (training, limit, scratch, card_bytes)
        if key not in self._steps:
            if training not in self._simulated:
                self._simulated[training] = self._recall(training)
            made = StepMemory(
                self.graph if plan.backend == "torch" else self._traced_for(device, xla),
                **vars(training),
                compiled=self._compiled.get(training),
                card_bytes=card_bytes,
                allocator_bytes=limit,
                scratch=scratch,
                simulated=self._simulated[training],
            )
            if made.compiled is not None:
                self._compiled[training] = made.compiled
            self._steps[key] = made
        return self._steps[key]

    def _turned_on(self, device: TargetDevice) -> Turned:
        """Which convolutions copy their images where a step runs op by op on a card, looked for once a generation."""
        capability = device.gpu.compute_capability if device.gpu else None
        if capability not in self._turned:
            self._turned[capability] = turned_on(self._traced_for(device, xla=False), capability)
        return self._turned[capability]

    def _scratch_on(self, device: TargetDevice) -> ScratchTable | None:
        """What convolutions ask for on a device."""
        return self._scratch(device.gpu.compute_capability if device.gpu else None)

    def _traced_for(self, device: TargetDevice, xla: bool) -> StepGraph:
        """The graph as TensorFlow runs it on a device; XLA has its own way with the one that was traced here."""
        return (self.graph.on_cuda if device.is_cuda and not xla else None) or self.graph

    def memory(self, step: StepMemory, plan: Plan, device: TargetDevice, lessons: DeviceLessons) -> PredictedMemory:
        """The memory of one step, remembered: many devices to compare have it in common."""
        key = (id(step), plan.batch_size, device.gpu is None, device.is_cuda, lessons.probe)

        def traced() -> PredictedMemory:
            return _traced_memory(step, plan, device, lessons, self.program_bytes(plan, device))

        return _remembered(self._memories, KEPT_MEMORIES, key, traced) if plan.backend == "tensorflow" else traced()

    def program_bytes(self, plan: Plan, device: TargetDevice) -> int:
        """What the step's program takes of the host's memory."""
        operations, updates = self.program_operations(plan)
        xla = uses_xla(plan, device, self.graph)
        return bytes_of_program(operations, updates, compiled=xla)

    def program_operations(self, plan: Plan) -> tuple[int, int]:
        """How many operations the traced step has, and the updates of all weights."""
        updates = self._update_operations(plan.rule) if plan.mode == "train" else 0
        return len(self.graph.operations), updates

    def _update_operations(self, optimizer: str) -> int:
        """Operations of the updates of all weights, counted once."""
        if optimizer not in self._updates:
            learning = (v for v in self.graph.variables if v.gradient is not None)
            self._updates[optimizer] = sum(len(recipe(optimizer, v.shape, v.path).update) for v in learning)
        return self._updates[optimizer]

    def step_time(self, plan: Plan, device: TargetDevice, rates: DeviceRates | None) -> StepTime | None:
        """Time of one step on a device, without its input."""
        return self.step_times(plan, device, rates)(plan.batch_size)

    def step_times(
        self, plan: Plan, device: TargetDevice, rates: DeviceRates | None
    ) -> Callable[[int], StepTime | None]:
        """The same at any batch: the chart and the search for the best batch ask for many."""
        if rates is None:
            return lambda _batch_size: None
        xla, on_card = uses_xla(plan, device, self.graph), device.gpu is not None
        here = None if on_card else self._here.at_any_batch(plan, rates, xla=xla)
        if here is not None:
            return here
        work, key = self.work(plan, device), (plan.rule, xla, on_card, rates)
        known: dict[int, StepTime | None] = _remembered(self._times, KEPT_TIMES, key, dict)

        def at(batch_size: int) -> StepTime | None:
            if batch_size not in known:
                known[batch_size] = work.time(rates, batch_size, xla=xla)
            return known[batch_size]

        return at

    def card_step(self, plan: Plan, device: TargetDevice, machine: Machine) -> CardStep | None:
        """One step on a card by its data sheet; None if that says too little."""
        work = self.work(plan, device)
        if device.gpu is None or not isinstance(work, CardWork):
            return None
        rates = card_rates(device.gpu, plan.precision, machine.cpu.max_clock_mhz)
        if rates is None:
            return None
        key = (plan.rule, uses_xla(plan, device, self.graph), rates, plan.batch_size)
        return _remembered(self._card_steps, KEPT_TIMES, key, lambda: work.step(rates, plan.batch_size, xla=key[1]))

    def work(self, plan: Plan, device: TargetDevice) -> StepWork | CardWork:
        """What a step does, for a card or for the host."""
        on_card = device.gpu is not None
        graph = self._traced_for(device, uses_xla(plan, device, self.graph)) if on_card else self.graph
        key = (plan.rule, on_card, graph is self.graph)
        if key not in self._work:
            self._work[key] = CardWork(graph, plan.rule) if on_card else StepWork(graph, plan.rule)
        return self._work[key]


def _remembered(kept: dict[_Key, _Answer], most: int, key: _Key, make: Callable[[], _Answer]) -> _Answer:
    """What is kept under a key, made at the first question; all is forgotten where it would become too much."""
    if key not in kept:
        if len(kept) >= most:
            kept.clear()
        kept[key] = make()
    return kept[key]


def _traced_memory(
    step: StepMemory, plan: Plan, device: TargetDevice, lessons: DeviceLessons, program_bytes: int
) -> PredictedMemory:
    """The memory of one step from the graph and what was measured of the device."""
    traced = predict_memory(
        step,
        batch_size=plan.batch_size,
        context_bytes=context_bytes(device, lessons.probe),
        host_process_bytes=host_process_bytes(lessons.probe) + program_bytes,
        cuda=device.is_cuda,
    )
    probed = apply(traced, of_probe(traced.range, lessons.probe, on_host=device.gpu is None))
    return backend_memory(probed, step, plan, device)
