"""Predict the memory of one training step from its graph.

::

    peak = what the framework's allocator has handed out at the worst moment of steps 2 and 3

Op by op (XLA off) the step is simulated: who is alive when (`app.core.executor`) and what the
allocator makes of the requests (`app.core.bfc`).  With XLA the step's temporaries are one block
(`app.core.fusion`).  Sizes are lines in the batch, so the order is simulated once; the allocator is
replayed at powers of two and its overhead interpolated between them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from app.core.bfc import BfcAllocator
from app.core.executor import Execution, execute
from app.core.fusion import fuse
from app.core.optimizers import NOTHING_ADDED, UpdateOptions
from app.core.prediction import Explanation, LayerMemory, MemoryParts, PredictedMemory
from app.core.program import build_program
from app.core.stepgraph import Line, StepGraph
from app.core.units import MIB, format_bytes

WORKSPACE_LIMIT_BYTES = 4096 * MIB
"""TensorFlow asks cuDNN for at most this much scratch (``TF_CUDNN_WORKSPACE_LIMIT_IN_MB``, default 4096)."""


@dataclass(frozen=True)
class MemoryInterval:
    """Relative half-widths of the interval around a prediction.

    Measured by tests/accuracy/memory on networks not used in development: op by op nine truths in ten lie
    inside; with XLA, which is not compiled here, the graph alone misses by a fifth in the median and
    mostly from below.
    """

    below: float
    above: float


OP_BY_OP_INTERVAL = MemoryInterval(0.20, 0.22)
XLA_INTERVAL = MemoryInterval(0.25, 1.0)
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
        options: What the training adds to the optimizer: a moving average, clipping, weight decay.
    """

    graph: StepGraph
    optimizer: str
    xla: bool = False
    threads: int = 2
    accumulate: int = 1
    on_host: bool = True
    options: UpdateOptions = NOTHING_ADDED
    _execution: Execution = field(init=False)
    _fixed: np.ndarray = field(init=False)
    _slope: np.ndarray = field(init=False)
    _resident: Line = field(init=False)
    _wishes: tuple[Line, ...] = field(init=False)
    _ratios: dict[int, float] = field(init=False, default_factory=dict)
    _first_ratios: dict[int, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Simulate the step once."""
        kernel_threads = self.threads if self.on_host and not self.xla else 0
        program = build_program(
            self.graph, self.optimizer, accumulate=self.accumulate, host_threads=kernel_threads, options=self.options
        )
        if self.xla:
            self._execution = execute(fuse(program, on_host=self.on_host), threads=1)
        else:
            self._execution = execute(program, threads=self.threads)
        sign = np.array([1.0 if e.take else -1.0 for e in self._execution.events])
        chunks = [e.chunk for e in self._execution.events]
        sizes = self._execution.sizes
        self._fixed = np.cumsum(sign * np.array([sizes[c].fixed for c in chunks]))
        self._slope = np.cumsum(sign * np.array([sizes[c].per_sample for c in chunks]))
        self._resident = sum(sizes[: self._execution.resident], Line())
        self._wishes = tuple({op.wanted_workspace for op in self.graph.operations})

    def peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak over steps 2 and 3."""
        return int(self.live_bytes(batch_size) * self._ratio(batch_size))

    def first_step_peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak while the model is built and runs its first step, in which all slots are new.

        With XLA that is the higher one: slots of one shape begin as one buffer of zeros, which cannot be
        updated in place, so each gets its own while the zeros are still there (`app.worker.refine_compiled`).
        """
        if self.xla:
            return self.peak_bytes(batch_size) + self._shared_zeros_bytes()
        self._ratio(batch_size)
        return int(self.live_bytes(batch_size) * self._between(self._first_ratios, batch_size))

    def needed_bytes(self, batch_size: int) -> int:
        """What must be free for a training to get under way and go on."""
        return max(self.peak_bytes(batch_size), self.first_step_peak_bytes(batch_size))

    def live_bytes(self, batch_size: int) -> int:
        """Requested bytes alive at the worst moment: a lower bound of the peak."""
        step = self._fixed + self._slope * batch_size
        return int(self.resident_bytes(batch_size) + max(0.0, float(step.max(initial=0.0))))

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""
        return int(self._resident.at(batch_size))

    def parts(self, batch_size: int, peak_bytes: int) -> MemoryParts:
        """What is alive at the worst moment, by purpose; the allocator's rounding counts as workspace."""
        by_role: dict[str, float] = {}
        for chunk in self._alive_at_peak(batch_size):
            role = self._execution.roles[chunk]
            by_role[role] = by_role.get(role, 0.0) + self._execution.sizes[chunk].at(batch_size)
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
        for chunk in self._alive_at_peak(batch_size):
            layer = self._execution.layers[chunk]
            if layer is None:
                continue
            kind = weights if self._execution.roles[chunk] in ("weights", "optimizer_state") else activations
            kind[layer] = kind.get(layer, 0.0) + self._execution.sizes[chunk].at(batch_size)
        ranked = sorted(weights.keys() | activations.keys(), key=lambda i: -weights.get(i, 0) - activations.get(i, 0))
        return tuple(
            LayerMemory(
                self.graph.layers[i].name, self.graph.layers[i].kind, int(weights.get(i, 0)), int(activations.get(i, 0))
            )
            for i in ranked[:count]
        )

    def timeline(self, batch_size: int, points: int = 200) -> tuple[tuple[float, int], ...]:
        """Live bytes over one step, thinned to the highest value of each of ``points`` slices."""
        live = self.resident_bytes(batch_size) + self._fixed + self._slope * batch_size
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

    def _alive_at_peak(self, batch_size: int) -> list[int]:
        """Chunks alive at the worst moment."""
        step = self._fixed + self._slope * batch_size
        end = int(step.argmax()) + 1 if step.size and step.max() > 0 else 0
        alive = dict.fromkeys(range(self._execution.resident))
        for event in self._execution.events[:end]:
            if event.take:
                alive[event.chunk] = None
            else:
                alive.pop(event.chunk, None)
        return list(alive)

    def _ratio(self, batch_size: int) -> float:
        """Handed-out over live bytes, interpolated between powers of two on a logarithmic axis."""
        position = math.log2(batch_size)
        for anchor in {2 ** math.floor(position), 2 ** math.ceil(position)} - self._ratios.keys():
            live = max(1, self.live_bytes(anchor))
            first, later = (0, self._compiled_peak(anchor)) if self.xla else self._replayed_peaks(anchor)
            self._first_ratios[anchor], self._ratios[anchor] = first / live, later / live
        return self._between(self._ratios, batch_size)

    def _between(self, ratios: dict[int, float], batch_size: int) -> float:
        """A ratio between the two anchors around a batch size."""
        position = math.log2(batch_size)
        low, high = math.floor(position), math.ceil(position)
        return ratios[2**low] + (ratios[2**high] - ratios[2**low]) * (position - low)

    def _shared_zeros_bytes(self) -> int:
        """The buffers of zeros that several slots of one size begin with."""
        roles = zip(self._execution.sizes, self._execution.roles[: self._execution.resident], strict=False)
        counts = Counter(size.fixed for size, role in roles if role == "optimizer_state")
        return int(sum(size for size, count in counts.items() if count > 1))

    def _replayed_peaks(self, batch_size: int) -> tuple[int, int]:
        """Run three steps' requests through the allocator; the peaks of the first and of the last two."""
        allocator = BfcAllocator()
        address = self._place_residents(allocator, batch_size)
        sizes = [int(s.at(batch_size)) for s in self._execution.sizes]
        first = 0
        for step in range(3):
            if step == 1:
                first = allocator.peak_bytes
                allocator.reset_peak()
            for event in self._execution.events:
                if event.take:
                    address[event.chunk] = allocator.allocate(sizes[event.chunk])
                else:
                    allocator.free(address.pop(event.chunk))
            address.update({old: address.pop(new) for old, new in self._execution.moved.items()})
        return first, allocator.peak_bytes

    def _compiled_peak(self, batch_size: int) -> int:
        """Residents, then one block for all temporaries, as XLA requests it."""
        allocator = BfcAllocator()
        self._place_residents(allocator, batch_size)
        allocator.reset_peak()
        allocator.allocate(max(1, self.live_bytes(batch_size) - self.resident_bytes(batch_size)))
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
    interval = XLA_INTERVAL if step.xla else OP_BY_OP_INTERVAL
    widening = SMALL_STEP_WIDENING if peak < SMALL_STEP_BYTES else 1.0
    low = max(step.resident_bytes(batch_size), int(peak * (1 - interval.below * widening)))
    high = int(peak * (1 + interval.above * widening))
    parts = step.parts(batch_size, peak)
    parts = MemoryParts(**{**vars(parts), "framework": context_bytes})
    wanted = step.wanted_workspace_bytes(batch_size) if cuda else 0
    device_bytes = peak + context_bytes
    return PredictedMemory(
        allocator_peak_bytes=peak,
        low_bytes=min(low, peak),
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
        first_step_peak_bytes=step.first_step_peak_bytes(batch_size),
    )


def _assumption(step: StepMemory, parts: MemoryParts) -> str:
    """What the number depends on most."""
    if step.xla:
        return "XLA compiles the step; its temporaries are estimated from the graph, not from a compilation"
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
        Explanation("alive at the worst moment", format_bytes(live), "largest sum over one step", "executor.cc"),
        Explanation("handed out by the allocator", format_bytes(peak), "the same requests through BFC",
                    "tsl/framework/bfc_allocator.cc"),
        Explanation("framework on the device", format_bytes(context_bytes), "context and libraries", "see allowed"),
    )  # fmt: skip
