"""Predict the memory of one training step from its graph.

::

    peak = what the framework's allocator has handed out at the worst moment of steps 2 and 3

Op by op (XLA off) the step is simulated: who is alive when (`app.core.executor`) and what the
allocator makes of the requests (`app.core.bfc`).  With XLA the compiler is followed
(`app.core.xla_memory`).  Sizes are lines in the batch, so the order is simulated once; the allocator is
replayed at powers of two and its overhead interpolated between them.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

import numpy as np

from app.core.bfc import BfcAllocator
from app.core.executor import Execution, execute
from app.core.prediction import Explanation, LayerMemory, MemoryParts, PredictedMemory
from app.core.program import build_program
from app.core.stepgraph import Line, StepGraph
from app.core.units import MIB, format_bytes
from app.core.xla_memory import Alive, CompiledMemory

WORKSPACE_LIMIT_BYTES = 4096 * MIB
"""TensorFlow asks cuDNN for at most this much scratch (``TF_CUDNN_WORKSPACE_LIMIT_IN_MB``, default 4096)."""


@dataclass(frozen=True)
class MemoryInterval:
    """Relative half-widths of the interval around a prediction.

    Measured by tests/accuracy/memory on networks not used in development: op by op nine truths in ten lie
    inside.  With XLA this comes on top of what a smaller or larger block would change
    (tests/accuracy/memory_xla, open rows); what a card's compiler does was never compared.
    """

    below: float
    above: float


OP_BY_OP_INTERVAL = MemoryInterval(0.20, 0.22)
XLA_INTERVAL = MemoryInterval(0.06, 0.06)
XLA_CARD_INTERVAL = MemoryInterval(0.35, 0.5)
SMALL_STEP_BYTES = 64 * MIB
SMALL_STEP_WIDENING = 1.5
"""Below 64 MiB two threads' race moves the truth itself by a fifth (FEASIBILITY)."""


@dataclass
class StepMemory:
    """Memory of one graph under one optimizer, for any batch size.

    Args:
        graph: The traced step.
        optimizer: Key of `app.core.optimizers.RECIPES`.
        xla: The step is compiled.
        threads: Operations that may run at once on the device's host.
        accumulate: Steps whose gradients are added up before an update.
        on_host: The device is the processor, not a card.
    """

    graph: StepGraph
    optimizer: str
    xla: bool = False
    threads: int = 2
    accumulate: int = 1
    on_host: bool = True
    _execution: Execution = field(init=False)
    _compiled: CompiledMemory | None = field(init=False, default=None)
    _fixed: np.ndarray = field(init=False)
    _slope: np.ndarray = field(init=False)
    _resident: Line = field(init=False)
    _wishes: tuple[Line, ...] = field(init=False)
    _ratios: dict[int, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Simulate the step once."""
        self._wishes = tuple({op.wanted_workspace for op in self.graph.operations})
        if self.xla:
            self._compiled = CompiledMemory(self.graph, self.optimizer, self.accumulate, self.on_host)
            return
        kernel_threads = self.threads if self.on_host else 0
        program = build_program(
            self.graph, self.optimizer, accumulate=self.accumulate, host_threads=kernel_threads
        )
        self._execution = execute(program, threads=self.threads)
        sign = np.array([1.0 if e.take else -1.0 for e in self._execution.events])
        chunks = [e.chunk for e in self._execution.events]
        sizes = self._execution.sizes
        self._fixed = np.cumsum(sign * np.array([sizes[c].fixed for c in chunks]))
        self._slope = np.cumsum(sign * np.array([sizes[c].per_sample for c in chunks]))
        self._resident = sum(sizes[: self._execution.resident], Line())

    def peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak over steps 2 and 3."""
        if self._compiled is not None:
            return self._compiled.peak(batch_size).peak_bytes
        return int(self.live_bytes(batch_size) * self._ratio(batch_size))

    def interval_bytes(self, batch_size: int) -> tuple[int, int]:
        """Between which the truth lies: what the simulation itself leaves open, and its error on top."""
        low = high = self.peak_bytes(batch_size)
        widening = SMALL_STEP_WIDENING if low < SMALL_STEP_BYTES else 1.0
        interval = OP_BY_OP_INTERVAL
        if self._compiled is not None:
            peak = self._compiled.peak(batch_size)
            low, high = peak.low_bytes, peak.high_bytes
            interval = XLA_INTERVAL if self.on_host else XLA_CARD_INTERVAL
        least = min(self.resident_bytes(batch_size), self.peak_bytes(batch_size))
        return max(least, int(low * (1 - interval.below * widening))), int(high * (1 + interval.above * widening))

    def live_bytes(self, batch_size: int) -> int:
        """Requested bytes alive at the worst moment: a lower bound of the peak."""
        if self._compiled is not None:
            return self.resident_bytes(batch_size) + self._compiled.block_bytes(batch_size)
        step = self._fixed + self._slope * batch_size
        return int(self.resident_bytes(batch_size) + max(0.0, float(step.max(initial=0.0))))

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""
        if self._compiled is not None:
            return int(sum(r.size_bytes for r in self._compiled.residents(batch_size)))
        return int(self._resident.at(batch_size))

    def parts(self, batch_size: int, peak_bytes: int) -> MemoryParts:
        """What is alive at the worst moment, by purpose; the allocator's rounding counts as workspace."""
        by_role: dict[str, float] = {}
        for alive in self._alive_at_peak(batch_size):
            by_role[alive.role] = by_role.get(alive.role, 0.0) + alive.size_bytes
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
        weights: dict[int, float] = {}
        activations: dict[int, float] = {}
        for alive in self._alive_at_peak(batch_size):
            if alive.layer is None:
                continue
            kind = weights if alive.role in ("weights", "optimizer_state") else activations
            kind[alive.layer] = kind.get(alive.layer, 0.0) + alive.size_bytes
        ranked = sorted(weights.keys() | activations.keys(), key=lambda i: -weights.get(i, 0) - activations.get(i, 0))
        return tuple(
            LayerMemory(
                self.graph.layers[i].name, self.graph.layers[i].kind, int(weights.get(i, 0)), int(activations.get(i, 0))
            )
            for i in ranked[:count]
        )

    def timeline(self, batch_size: int, points: int = 200) -> tuple[tuple[float, int], ...]:
        """Live bytes over one step, thinned to the highest value of each of ``points`` slices."""
        live = self.resident_bytes(batch_size) + self._changes(batch_size)
        if not live.size:
            return ((0.0, self.resident_bytes(batch_size)),)
        edges = np.linspace(0, live.size, min(points, live.size) + 1).astype(int)
        return tuple(
            (float(start / live.size), int(live[start:end].max())) for start, end in itertools.pairwise(edges)
        )

    def wanted_workspace_bytes(self, batch_size: int) -> int:
        """What the most demanding convolution would like to have as scratch on a CUDA card."""
        wish = max((line.at(batch_size) for line in self._wishes), default=0.0)
        return int(min(wish, WORKSPACE_LIMIT_BYTES))

    def _changes(self, batch_size: int) -> np.ndarray:
        """Bytes beside the residents, from moment to moment of one step."""
        if self._compiled is not None:
            return self._compiled.profile(batch_size)
        changes: np.ndarray = self._fixed + self._slope * batch_size
        return changes

    def _alive_at_peak(self, batch_size: int) -> list[Alive]:
        """What is alive at the worst moment."""
        if self._compiled is not None:
            return self._compiled.residents(batch_size) + self._compiled.alive_at_peak(batch_size)
        step = self._changes(batch_size)
        end = int(step.argmax()) + 1 if step.size and step.max() > 0 else 0
        alive = dict.fromkeys(range(self._execution.resident))
        for event in self._execution.events[:end]:
            if event.take:
                alive[event.chunk] = None
            else:
                alive.pop(event.chunk, None)
        made = self._execution
        return [Alive(made.roles[c], made.layers[c], made.sizes[c].at(batch_size)) for c in alive]

    def _ratio(self, batch_size: int) -> float:
        """Handed-out over live bytes, interpolated between powers of two on a logarithmic axis."""
        position = math.log2(batch_size)
        low, high = math.floor(position), math.ceil(position)
        left, right = self._ratio_at(2**low), self._ratio_at(2**high)
        return left + (right - left) * (position - low)

    def _ratio_at(self, batch_size: int) -> float:
        """The ratio at one anchor, simulated once."""
        if batch_size not in self._ratios:
            self._ratios[batch_size] = self._replayed_peak(batch_size) / max(1, self.live_bytes(batch_size))
        return self._ratios[batch_size]

    def _replayed_peak(self, batch_size: int) -> int:
        """Run three steps' requests through the allocator and read the peak of the last two."""
        allocator = BfcAllocator()
        address = self._place_residents(allocator, batch_size)
        sizes = [int(s.at(batch_size)) for s in self._execution.sizes]
        for step in range(3):
            if step == 1:
                allocator.reset_peak()
            for event in self._execution.events:
                if event.take:
                    address[event.chunk] = allocator.allocate(sizes[event.chunk])
                else:
                    allocator.free(address.pop(event.chunk))
            address.update({old: address.pop(new) for old, new in self._execution.moved.items()})
        return allocator.peak_bytes

    def _place_residents(self, allocator: BfcAllocator, batch_size: int) -> dict[int, int]:
        """Build the model: a weight's initializer leaves two freed temporaries of the weight's size.

        Random numbers, their scaling and the shifted result are three tensors
        (keras/src/backend/tensorflow/random.py, ``uniform``); the variable keeps the third.
        """
        address = {}
        for chunk in range(self._execution.resident):
            size = int(self._execution.sizes[chunk].at(batch_size))
            count = 2 if self._execution.roles[chunk] == "weights" else 0
            temporaries = [allocator.allocate(size) for _ in range(count)]
            address[chunk] = allocator.allocate(size)
            for temporary in reversed(temporaries):
                allocator.free(temporary)
        return address


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
    peak = step.peak_bytes(batch_size)
    low, high = step.interval_bytes(batch_size)
    parts = step.parts(batch_size, peak)
    parts = MemoryParts(**{**vars(parts), "framework": context_bytes})
    wanted = step.wanted_workspace_bytes(batch_size) if cuda else 0
    device_bytes = peak + context_bytes
    return PredictedMemory(
        allocator_peak_bytes=peak,
        low_bytes=low,
        high_bytes=high,
        device_bytes=device_bytes,
        wanted_workspace_bytes=wanted,
        host_bytes=host_process_bytes + (0 if cuda else peak),
        parts=parts,
        basis="traced",
        dominant_assumption=_assumption(step, parts),
        largest_layers=step.largest_layers(batch_size),
        timeline=step.timeline(batch_size),
        explanation=_explain(step, batch_size, peak, context_bytes),
    )


def _assumption(step: StepMemory, parts: MemoryParts) -> str:
    """What the number depends on most."""
    if step.xla:
        return "XLA compiles the step; what it would make of the graph is followed, nothing is compiled"
    if parts.activations >= max(parts.weights, parts.optimizer_state):
        return "operations run in the order of TensorFlow's executor with the device's threads"
    return f"optimizer {step.optimizer} keeps its state in float32 for every trainable weight"


def _explain(step: StepMemory, batch_size: int, peak: int, context_bytes: int) -> tuple[Explanation, ...]:
    """The basis of the number, line by line."""
    live = step.live_bytes(batch_size)
    resident = format_bytes(step.resident_bytes(batch_size))
    return (
        Explanation("operations in the traced step", f"{len(step.graph.operations):,}", "", step.graph.framework),
        Explanation("weights, optimizer state and batch", resident, "sum of sizes"),
        Explanation("alive at the worst moment", format_bytes(live), "largest sum over one step",
                    "xla/service/buffer_assignment.cc" if step.xla else "executor.cc"),
        Explanation("handed out by the allocator", format_bytes(peak), "the same requests through BFC",
                    "tsl/framework/bfc_allocator.cc"),
        Explanation("framework on the device", format_bytes(context_bytes), "context and libraries", "see allowed"),
    )  # fmt: skip
