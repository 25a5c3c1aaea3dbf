"""Predict the memory of one training step from its graph.

::

    peak = what the framework's allocator has handed out at the worst moment of steps 2 and 3

Op by op (XLA off) the step is simulated: who is alive when (`app.core.executor`) and what the
allocator makes of the requests (`app.core.bfc`).  With XLA the step's temporaries are one block
(`app.core.fusion`).  Sizes are lines in the batch, so the order is simulated once; the allocator is
replayed at powers of two and its overhead interpolated between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.core.executor import Execution, execute
from app.core.fusion import fuse
from app.core.orders import Orders
from app.core.prediction import Explanation, LayerMemory, MemoryParts, PredictedMemory
from app.core.program import Program, build_program
from app.core.replay import Replay, Tape
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
SLACK_BYTES = 2 * MIB
"""What is not part of the step: metrics, counters, eager scalars, an input that is copied or taken over; the
allocator rounds its first region up to as much."""


@dataclass(frozen=True)
class _Moment:
    """What is alive after some event: sizes as lines, by purpose and by layer.

    ``weights`` and ``activations`` hold a row (fixed, per sample) for each of ``layers``.
    """

    roles: dict[str, Line]
    layers: tuple[int, ...]
    weights: np.ndarray
    activations: np.ndarray

    @staticmethod
    def of(execution: Execution, end: int) -> _Moment:
        """After the first ``end`` events."""
        alive = dict.fromkeys(range(execution.resident))
        for event in execution.events[:end]:
            if event.take:
                alive[event.chunk] = None
            else:
                alive.pop(event.chunk, None)
        roles: dict[str, Line] = {}
        by_layer: dict[int, list[Line]] = {}
        for chunk in alive:
            role, size, layer = execution.roles[chunk], execution.sizes[chunk], execution.layers[chunk]
            roles[role] = roles.get(role, Line()) + size
            if layer is not None:
                both = by_layer.setdefault(layer, [Line(), Line()])
                both[0 if role in ("weights", "optimizer_state") else 1] += size
        table = np.array([[(line.fixed, line.per_sample) for line in both] for both in by_layer.values()])
        table = table.reshape(-1, 2, 2)
        return _Moment(roles, tuple(by_layer), table[:, 0], table[:, 1])


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
    _tape: Tape = field(init=False)
    _orders: Orders | None = field(init=False, default=None)
    _wishes: tuple[Line, ...] = field(init=False)
    _moments: dict[int, _Moment] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Simulate the step."""
        updating = self._program(updating=True)
        if self.xla:
            self._execution = execute(fuse(updating, on_host=self.on_host), threads=1)
        else:
            waiting = self._program(updating=False) if self.accumulate > 1 else updating
            self._orders = Orders(updating, waiting, self.accumulate - 1, threads=self.threads, on_host=self.on_host)
            self._execution = self._orders.nominal
        self._tape = Tape.of(self._execution)
        self._wishes = tuple({op.wanted_workspace for op in self.graph.operations})

    def _program(self, *, updating: bool) -> Program:
        """One step as the device runs it."""
        return build_program(
            self.graph, self.optimizer, accumulate=self.accumulate, updating=updating,
            kernels="xla" if self.xla else "host" if self.on_host else "card",
        )  # fmt: skip

    def peak_bytes(self, batch_size: int) -> int:
        """The allocator's peak over steps 2 and 3."""
        if self._orders is None:
            return self._compiled_peak(batch_size)
        return self._orders.peaks(batch_size, self.live_bytes(batch_size))[0]

    def interval_bytes(self, batch_size: int) -> tuple[int, int]:
        """Between which the truth lies: what the order of execution leaves open, and the model's error on top."""
        low = high = self.peak_bytes(batch_size)
        interval = XLA_INTERVAL
        if self._orders is not None:
            _, low, high = self._orders.peaks(batch_size, self.live_bytes(batch_size))
            interval = OP_BY_OP_INTERVAL
        low = int(low * (1 - interval.below)) - SLACK_BYTES
        least = min(self.resident_bytes(batch_size), self.peak_bytes(batch_size))
        return max(least, low), int(high * (1 + interval.above)) + SLACK_BYTES

    def live_bytes(self, batch_size: int) -> int:
        """Requested bytes alive at the worst moment: a lower bound of the peak."""
        return self._tape.live_bytes(batch_size)

    def resident_bytes(self, batch_size: int) -> int:
        """Weights, optimizer state and the batch."""
        return self._tape.resident_bytes(batch_size)

    def parts(self, batch_size: int, peak_bytes: int) -> MemoryParts:
        """What is alive at the worst moment, by purpose; the allocator's rounding counts as workspace."""
        by_role = {role: line.at(batch_size) for role, line in self._moment(batch_size).roles.items()}
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
        moment = self._moment(batch_size)
        weights = moment.weights[:, 0] + moment.weights[:, 1] * batch_size
        activations = moment.activations[:, 0] + moment.activations[:, 1] * batch_size
        ranked = np.argsort(-(weights + activations), kind="stable")[:count]
        named = [(self.graph.layers[moment.layers[row]], row) for row in ranked]
        return tuple(
            LayerMemory(layer.name, layer.kind, int(weights[row]), int(activations[row])) for layer, row in named
        )

    def timeline(self, batch_size: int, points: int = 200) -> tuple[tuple[float, int], ...]:
        """Live bytes over one step, thinned to the highest value of each of ``points`` slices."""
        live = self.resident_bytes(batch_size) + self._tape.changes(batch_size)
        if not live.size:
            return ((0.0, self.resident_bytes(batch_size)),)
        starts = np.linspace(0, live.size, min(points, live.size) + 1).astype(int)[:-1]
        highest = np.maximum.reduceat(live, starts)
        return tuple(zip((starts / live.size).tolist(), highest.astype(int).tolist(), strict=True))

    def wanted_workspace_bytes(self, batch_size: int) -> int:
        """What the most demanding convolution would like to have as scratch on a CUDA card."""
        wish = max((line.at(batch_size) for line in self._wishes), default=0.0)
        return int(min(wish, WORKSPACE_LIMIT_BYTES))

    def _moment(self, batch_size: int) -> _Moment:
        """What is alive at the worst moment; few moments are the worst for any batch, so they are kept."""
        step = self._tape.changes(batch_size)
        end = int(step.argmax()) + 1 if step.size and step.max() > 0 else 0
        if end not in self._moments:
            self._moments[end] = _Moment.of(self._execution, end)
        return self._moments[end]

    def _compiled_peak(self, batch_size: int) -> int:
        """Residents, then one block for all temporaries, as XLA requests it."""
        allocator = Replay(self._tape, batch_size, shared_zeros=False).allocator
        allocator.reset_peak()
        allocator.allocate(max(1, self.live_bytes(batch_size) - self.resident_bytes(batch_size)))
        return allocator.peak_bytes


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
