"""Predict the memory of one training step from its graph.

::

    peak = what the framework's allocator has handed out at the worst moment of steps 2 and 3

Op by op (XLA off) the step is simulated (`app.core.simulate.op_memory`); with XLA the compiler is followed
(`app.core.simulate.xla.memory`).  Both are a `app.core.simulate.model.MemoryModel`; here stands what is asked of
either.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.core.predict.autotuning import WORKSPACE_LIMIT_BYTES, shown_peak_bytes
from app.core.simulate.convolution_scratch import item_bytes_of
from app.core.simulate.eigen_kernels import EigenKernels
from app.core.simulate.model import MemoryModel
from app.core.simulate.op_memory import OpByOpDevice, OpByOpMemory
from app.core.simulate.optimizers import NOTHING_ADDED, UpdateOptions
from app.core.simulate.scratch_table import ScratchTable
from app.core.simulate.simulated import SimulatedTraining
from app.core.simulate.simulated_trace import SimulatedTrace
from app.core.simulate.survival import smallest_cap
from app.core.simulate.torch_step import TorchStep
from app.core.simulate.turned_images import Turned, with_turned_images
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.memory import CompiledMemory
from app.core.simulate.xla.widening import AS_TRACED, widening
from app.core.types.basis import Explanation
from app.core.types.convolution import Convolution
from app.core.types.predicted_memory import LayerMemory, MemoryParts, Need, PredictedMemory
from app.core.types.stepgraph import PerBatch, StepGraph
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import MIB, MOST_BYTES, format_bytes, format_count


@dataclass(frozen=True)
class MemoryInterval:
    """Relative half-widths of the interval, on top of what the simulation itself leaves open."""

    below: float
    above: float


OP_BY_OP_INTERVAL = MemoryInterval(0.12, 0.06)
"""Beyond the range over the orders of execution.  Together with `LAG_BYTES` the highest run of the truth was above
the upper end in 4 of 30 open and 2 of 50 held rows of studies/accuracy/memory."""

CARD_INTERVAL = MemoryInterval(0.12, 0.10)
"""The same on a card, whose steps are all alike.  The upper end has room for the workspace of the most demanding
convolution too that `app.core.simulate.scratch_table` does not answer for: which kernel a card takes is its own choice.
Of 92 open rows of studies/accuracy/memory_card no truth is above it, with 0.09 one and with 0.08 three were."""

LAG_BYTES = 8 * MIB
"""What a running step takes beyond what its profile shows: a thread's frees lag behind the other one's requests.
3 MiB for an LSTM of 11 and for a shared encoder of 23, 8 MiB for an autoencoder of 51 (runs with and without the
profiler); it counts in small steps only."""

XLA_INTERVAL = MemoryInterval(0.05, 0.05)
"""Beyond what a smaller or larger block would change (open rows of studies/accuracy/memory_xla)."""
XLA_CARD_INTERVAL = MemoryInterval(0.0, 0.0)
"""On a card the block alone is in doubt (`app.core.simulate.xla.memory.CARD_BLOCK_ABOVE`): weights, slots and batch are
what they are."""

SLACK_BYTES = 2 * MIB
"""What is not part of the step: metrics, counters, eager scalars, an input that is copied or taken over; the
allocator rounds its first region up to as much."""


@dataclass
class StepMemory:
    """Memory of one graph under one optimizer, for any batch size.

    Args:
        graph: The traced step.
        optimizer: Key of `app.core.simulate.optimizer_recipes.RECIPES`.
        xla: The step is compiled.
        threads: Operations that may run at once on the device's host.
        accumulate: Steps whose gradients are added up before an update.
        on_host: The device is the processor, not a card.
        options: What the training adds to the optimizer: a moving average, clipping, weight decay.
        eigen: On a processor without oneDNN what its kernels go by.
        card: The compiler's idea of the card, if XLA compiles for it.
        turned: Which convolutions copy images with channels last.
        compiled: What it has made of the step already, for this card or one that it takes for the same.
        card_bytes: All memory of the card, to which it fits a step.
        allocator_bytes: What a card's allocator may take; None if nobody knows, or on the host.
        scratch: What a card's convolutions ask for; None if nobody knows.
        simulated: What is known of it already; what is simulated here is added.
    """

    graph: StepGraph
    optimizer: str
    xla: bool = False
    threads: int = 2
    accumulate: int = 1
    on_host: bool = True
    options: UpdateOptions = NOTHING_ADDED
    eigen: EigenKernels | None = None
    card: CardCompiler = CardCompiler()
    turned: Turned = "nothing"
    compiled: CompiledSteps | None = None
    card_bytes: int | None = None
    allocator_bytes: int | None = None
    scratch: ScratchTable | None = None
    simulated: SimulatedTraining = field(default_factory=SimulatedTraining)
    _model: MemoryModel = field(init=False)
    _wishes: tuple[tuple[PerBatch, Convolution | None, int], ...] = field(init=False)
    _peaks: dict[int, tuple[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Simulate the step."""
        self.graph = with_turned_images(self.graph, self.turned)
        if self.xla:
            self.compiled = self.compiled or self._compile()
            self._model = CompiledMemory(self.compiled, self.card_bytes)
        else:
            self._model = OpByOpMemory(
                self.graph,
                self.optimizer,
                OpByOpDevice(self.threads, self.on_host, self.eigen, self.allocator_bytes, self.scratch),
                accumulate=self.accumulate,
                options=self.options,
                simulated=self.simulated,
            )
        wishing = [op for op in self.graph.operations if op.wanted_workspace.at(1) > 0]
        self._wishes = tuple({(op.wanted_workspace, op.convolution, item_bytes_of(self.graph, op)) for op in wishing})

    def _compile(self) -> CompiledSteps:
        """Ask the compiler."""
        card = None if self.on_host else self.card
        return CompiledSteps(self.graph, self.optimizer, card, accumulate=self.accumulate, options=self.options)

    @cached_property
    def on_torch(self) -> TorchStep:
        """The same step on PyTorch."""
        return TorchStep(self.graph, self.optimizer)

    def need(self, batch_size: int, *, with_interval: bool = True) -> Need:
        """The figures of one step; the interval is nothing where it is not asked for, since it takes replays."""
        if batch_size not in self._peaks:
            self._peaks[batch_size] = self.peak_bytes(batch_size), self.first_step_peak_bytes(batch_size)
        peak, first = self._peaks[batch_size]
        low, high = self.interval_bytes(batch_size) if with_interval else (peak, peak)
        return Need(peak, low, high, first)

    def rounds(self, batch_size: int) -> list[tuple[SimulatedTrace, ...]] | None:
        """What the step asks of the allocator, in each order of execution; None for a compiled one."""
        return self._model.rounds(batch_size) if isinstance(self._model, OpByOpMemory) else None

    def inputs_bytes(self, batch_size: int) -> int:
        """What the batch itself takes."""
        return self.parts(batch_size, 0).inputs

    def peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak over steps 2 and 3."""
        return self._model.peak_bytes(batch_size)

    def interval_bytes(self, batch_size: int) -> tuple[int, int]:
        """Between which the truth lies; on the host the upper end is what a training survives in, which may be more.

        A card's allocator has all that it may take as one region, so that there it is asked itself (`survives_in`).
        """
        low, high = self._error_bytes(batch_size)
        if not self.on_host:
            return low, high
        position = math.log2(batch_size)
        left, right = (self._survivable_share(2 ** rounded(position)) for rounded in (math.floor, math.ceil))
        return low, int(high * (left + (right - left) * (position % 1)))

    def trains_in(self, batch_size: int, cap_bytes: int) -> bool:
        """Does a training find a place for all its requests in so much of a device's memory, if it is as predicted?"""
        return self._model.trains_in(batch_size, cap_bytes)

    def survives_in(self, batch_size: int, cap_bytes: int) -> bool:
        """The same, whatever the prediction's doubt."""
        return self._model.survives(batch_size, cap_bytes // MIB * MIB)

    def _survivable_share(self, batch_size: int) -> float:
        """What an allocator must be allowed to take (`app.core.simulate.survival`) over the interval's upper end.

        As a rule the upper end is enough: one replay tells.
        """
        known = self.simulated.survivable
        if batch_size not in known:
            _, high = self._error_bytes(batch_size)

            def survives(cap_bytes: int) -> bool:
                return self._model.survives(batch_size, cap_bytes)

            enough = high if survives(high // MIB * MIB) else smallest_cap(survives, high)
            known[batch_size] = enough / max(1, high)
        return known[batch_size]

    def _error_bytes(self, batch_size: int) -> tuple[int, int]:
        """Between which the truth lies: what the way of running leaves open, and the model's error on top."""
        peak = self._model.peak(batch_size)
        compiled = XLA_INTERVAL if self.on_host else XLA_CARD_INTERVAL
        interval = compiled if self.xla else OP_BY_OP_INTERVAL if self.on_host else CARD_INTERVAL
        low = int(peak.low_bytes * (1 - interval.below)) - SLACK_BYTES
        least = min(self.resident_bytes(batch_size), peak.peak_bytes)
        slack = LAG_BYTES if self.on_host and not self.xla else SLACK_BYTES
        slack += 0 if self.on_host or self.xla else self.wanted_workspace_bytes(batch_size)
        return max(least, low), int(peak.high_bytes * (1 + interval.above)) + slack

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak while the model is built and runs up to its first update, in which slots are new."""
        return self._model.first_step_peak_bytes(batch_size)

    def most_bytes(self, batch_size: int) -> int:
        """At least the peak of any step, the first one included, found at once."""
        return self._model.most_bytes(batch_size)

    def live_bytes(self, batch_size: int, *, like: int | None = None) -> int:
        """Requested bytes alive at the worst moment: a lower bound of the peak.

        Args:
            batch_size: Samples per step.
            like: A batch that is compiled anyway; what the compiler decides for it is taken for this one, too.
        """
        changes = self._model.changes(batch_size, like)
        return self.resident_bytes(batch_size) + int(max(0.0, float(changes.max(initial=0.0))))

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""
        return self._model.resident_bytes(batch_size)

    def parts(self, batch_size: int, peak_bytes: int) -> MemoryParts:
        """What is alive at the worst moment, by purpose; the allocator's rounding counts as workspace."""
        by_role = {role: line.at(batch_size) for role, line in self._model.moment(batch_size).roles.items()}
        requested = sum(by_role.values())
        return MemoryParts(
            weights=int(by_role.get("weights", 0)),
            gradients=int(by_role.get("gradients", 0)),
            optimizer_state=int(by_role.get("optimizer_state", 0)),
            activations=int(by_role.get("activations", 0) + by_role.get("constants", 0)),
            workspace=max(0, int(by_role.get("workspace", 0) + peak_bytes - requested)),
            inputs=int(by_role.get("inputs", 0)),
        )

    def largest_layers(self, batch_size: int, count: int = 12) -> tuple[LayerMemory, ...]:
        """The layers that keep most alive at the worst moment."""
        moment = self._model.moment(batch_size)
        weights = moment.weights[:, 0] + moment.weights[:, 1] * batch_size
        activations = moment.activations[:, 0] + moment.activations[:, 1] * batch_size
        ranked = np.argsort(-(weights + activations), kind="stable")[:count]
        named = [(self.graph.layers[moment.layers[row]], row) for row in ranked]
        return tuple(
            LayerMemory(layer.name, layer.kind, int(weights[row]), int(activations[row])) for layer, row in named
        )

    def timeline(self, batch_size: int, points: int = 200) -> tuple[tuple[float, int], ...]:
        """Live bytes over one step, thinned to the highest value of each of ``points`` slices."""
        live = self.resident_bytes(batch_size) + self._model.changes(batch_size)
        if not live.size:
            return ((0.0, self.resident_bytes(batch_size)),)
        starts = np.linspace(0, live.size, min(points, live.size) + 1).astype(int)[:-1]
        highest = np.clip(np.maximum.reduceat(live, starts), 0, MOST_BYTES)
        return tuple(zip((starts / live.size).tolist(), highest.astype(int).tolist(), strict=True))

    def wanted_workspace_bytes(self, batch_size: int) -> int:
        """What the most demanding convolution would like to have as scratch on a CUDA card, beyond what it gets."""
        refused = self._model.refused_bytes(batch_size) if isinstance(self._model, OpByOpMemory) else 0
        unknown = (line for line, asked, size in self._wishes if not self._is_answered(asked, size, batch_size))
        wish = max((line.at(batch_size) for line in unknown), default=0.0)
        return int(min(max(refused, wish), WORKSPACE_LIMIT_BYTES))

    def _is_answered(self, asked: Convolution | None, item_bytes: int, batch_size: int) -> bool:
        """Is it known what a convolution asks for, and part of its step."""
        answer = None if self.scratch is None or asked is None else self.scratch.asked(asked, item_bytes, batch_size)
        return answer is not None and answer.near


def predict_memory(
    step: StepMemory, *, batch_size: int, context_bytes: int, host_process_bytes: int, cuda: bool
) -> PredictedMemory:
    """Predict the memory of one step.

    Args:
        step: The simulated step.
        batch_size: Samples per step.
        context_bytes: What the framework takes on the device besides its allocator.
        host_process_bytes: What the training process takes on the host besides tensors.
        cuda: The device is a CUDA card, where convolutions ask for workspace.
    """
    peak, low, high, first, _ = step.need(batch_size)
    parts = step.parts(batch_size, peak)
    parts = MemoryParts(**{**vars(parts), "framework": context_bytes})
    wanted = step.wanted_workspace_bytes(batch_size) if cuda else 0
    shown = None
    if cuda:
        resident = step.resident_bytes(batch_size)
        shown = shown_peak_bytes(
            step.graph, batch_size, first_bytes=first or peak, resident_bytes=resident, xla=step.xla
        )
    return PredictedMemory(
        allocator_peak_bytes=peak,
        low_bytes=low,
        high_bytes=high,
        wanted_workspace_bytes=wanted,
        process_bytes=host_process_bytes,
        parts=parts,
        basis="traced",
        dominant_assumption=_assumption(step, parts),
        largest_layers=step.largest_layers(batch_size),
        timeline=step.timeline(batch_size),
        explanation=_explain(step, batch_size, peak, context_bytes),
        first_step_peak_bytes=first,
        shown_peak_bytes=shown,
        on_host=not cuda,
    )


def _assumption(step: StepMemory, parts: MemoryParts) -> Text:
    """What the number depends on most."""
    if step.xla and widening(step.graph.precision, on_host=step.on_host) != AS_TRACED:
        return phrase(
            "XLA on a processor computes 16-bit numbers in float32 and writes some in both widths; "
            "a refined answer compiles the step"
        )
    if step.xla:
        return phrase("XLA compiles the step; its temporaries are estimated from the graph, not from a compilation")
    if parts.activations >= max(parts.weights, parts.optimizer_state):
        return phrase("operations run in the order of TensorFlow's executor with the device's threads")
    return phrase(
        "optimizer {optimizer} keeps its state in float32 for every trainable weight", optimizer=step.optimizer
    )


def _explain(step: StepMemory, batch_size: int, peak: int, context_bytes: int) -> tuple[Explanation, ...]:
    """The basis of the number, line by line."""
    live = step.live_bytes(batch_size)
    resident = format_bytes(step.resident_bytes(batch_size))
    return (
        Explanation(
            phrase("operations in the traced step"),
            format_count(len(step.graph.operations)),
            Text(),
            verbatim(step.graph.framework),
        ),
        Explanation(phrase("weights, optimizer state and batch"), resident, phrase("sum of sizes")),
        Explanation(
            phrase("alive at the worst moment"),
            format_bytes(live),
            phrase("largest sum over one step"),
            verbatim("executor.cc"),
        ),
        Explanation(
            phrase("handed out by the allocator"),
            format_bytes(peak),
            phrase("the same requests through BFC"),
            verbatim("tsl/framework/bfc_allocator.cc"),
        ),
        Explanation(
            phrase("framework on the device"),
            format_bytes(context_bytes),
            phrase("context and libraries"),
            phrase("see allowed"),
        ),
    )
