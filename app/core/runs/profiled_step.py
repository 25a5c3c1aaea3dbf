"""What a recorded step tells (`app.core.types.step_profile`): arithmetic on its events and the model's outline.

`app.worker.recording.step` reads the events.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.core.runs.allocations import alive_at, held_bytes, peak_index, timeline
from app.core.types.allocator_events import AllocatorEvent
from app.core.types.step_profile import AliveParts, KindTime, MeasuredLayer, OperationEvent, StepProfile
from app.core.types.text import phrase

_COMPILED = re.compile(r"(^|/)(__inference_\w+|(Stateful)?PartitionedCall(_\d+)?|xla_run)$")
"""What asks for memory where XLA compiled the step: the function itself, or the call of it in ``fit``'s own loop.

A call that is not compiled is inlined and asks for nothing (tensorflow/core/common_runtime/inline_function_utils.cc).
Kernels name themselves when they ask (tensorflow/core/framework/op_kernel.cc, ``allocate_tensor``), XLA's program does
not: a request without any name is one of its.
"""
MOST_LAYERS = 400
"""Layers that a stored profile keeps, those with most memory and time."""


@dataclass(frozen=True)
class ModelOutline:
    """What the arithmetic needs to know of the model.

    Attributes:
        layers: Name and kind of each layer.
        layer_of: The layer that an operation's name belongs to.
        weights: Bytes of the model's variables by layer; None for those of no layer.
        optimizer_state: Likewise of the optimizer's.
        optimizer: The name scope of the update.
    """

    layers: Sequence[tuple[str, str]]
    layer_of: Callable[[str], int | None]
    weights: Mapping[int | None, int] = field(default_factory=dict)
    optimizer_state: Mapping[int | None, int] = field(default_factory=dict)
    optimizer: str = ""

    def phase(self, operation: str) -> str:
        """``forward``, ``backward``, ``update`` or ``compiled``, by the scopes that Keras and TensorFlow open."""
        if not operation or _COMPILED.search(operation):
            return "compiled"
        parts = operation.split("/")
        if self.optimizer and self.optimizer in parts[:-1]:
            return "update"
        return "backward" if any(part.startswith("gradient_tape") for part in parts) else "forward"


def profile_of(
    step_s: float, requests: Sequence[AllocatorEvent], operations: Sequence[OperationEvent], model: ModelOutline
) -> StepProfile:
    """Everything that one recorded step tells.

    Args:
        step_s: How long it took.
        requests: What it asked of the allocator, in time order; may be empty.
        operations: What ran.
        model: The model that was trained.
    """
    times = _layer_times(operations, model)
    kinds = _kinds(operations)
    found = StepProfile(
        step_s=step_s,
        kinds=kinds,
        operations_s=sum(kind.time_s for kind in kinds),
        layers_s=sum(sum(pair) for pair in times.values()),
        update_s=sum(op.duration_s for op in operations if model.phase(op.name) == "update"),
        operations=len(operations),
        requests=len(requests),
    )
    if not requests:
        return replace(found, layers=_layers(model, {}, times), notes=(phrase("the allocator wrote no events"),))
    worst = peak_index(requests)
    alive = alive_at(requests, worst)
    made: dict[int, int] = defaultdict(int)
    for event in alive:
        layer = None if model.phase(event.operation) == "update" else model.layer_of(event.operation)
        if layer is not None:
            made[layer] += event.size_bytes
    return replace(
        found,
        peak_bytes=requests[worst].in_use_bytes,
        peak_operation=requests[worst].operation,
        held_bytes=held_bytes(requests),
        timeline=timeline(requests, step_s),
        parts=_parts(requests[worst].in_use_bytes, alive, model),
        layers=_layers(model, made, times),
    )


def _parts(peak_bytes: int, alive: Sequence[AllocatorEvent], model: ModelOutline) -> AliveParts:
    """What is alive by what made it."""
    sizes: dict[str, int] = defaultdict(int)
    for event in alive:
        sizes["scratch" if event.scratch else model.phase(event.operation)] += event.size_bytes
    weights, state = sum(model.weights.values()), sum(model.optimizer_state.values())
    before = peak_bytes - sum(sizes.values())
    return AliveParts(weights=weights, optimizer_state=state, other=before - weights - state, **sizes)


def _layer_times(operations: Sequence[OperationEvent], model: ModelOutline) -> dict[int, tuple[float, float]]:
    """Forward and backward time of each layer."""
    times: dict[int, tuple[float, float]] = {}
    for operation in operations:
        phase = model.phase(operation.name)
        layer = None if phase == "update" else model.layer_of(operation.name)
        if layer is not None:
            forward, backward = times.get(layer, (0.0, 0.0))
            if phase == "forward":
                times[layer] = (forward + operation.duration_s, backward)
            else:
                times[layer] = (forward, backward + operation.duration_s)
    return times


def _kinds(operations: Sequence[OperationEvent]) -> tuple[KindTime, ...]:
    """Time by kind of operation, longest first."""
    times: dict[str, list[float]] = defaultdict(list)
    for operation in operations:
        times[operation.kind].append(operation.duration_s)
    kinds = [KindTime(kind, sum(found), len(found)) for kind, found in times.items()]
    return tuple(sorted(kinds, key=lambda kind: (-kind.time_s, kind.kind)))


def _layers(
    model: ModelOutline, made: Mapping[int, int], times: Mapping[int, tuple[float, float]]
) -> tuple[MeasuredLayer, ...]:
    """Every layer that takes memory or time, the largest first."""
    found = []
    for index, (name, kind) in enumerate(model.layers):
        weights = model.weights.get(index, 0) + model.optimizer_state.get(index, 0)
        layer = MeasuredLayer(name, kind, weights, made.get(index, 0), *times.get(index, (0.0, 0.0)))
        if weights or layer.activation_bytes or layer.time_s:
            found.append(layer)
    found.sort(key=lambda layer: -(layer.weights_bytes + layer.activation_bytes))
    if len(found) > MOST_LAYERS:
        longest = sorted(found, key=lambda layer: -layer.time_s)[: MOST_LAYERS // 2]
        kept = {id(layer) for layer in [*found[: MOST_LAYERS // 2], *longest]}
        found = [layer for layer in found if id(layer) in kept]
    return tuple(found)
