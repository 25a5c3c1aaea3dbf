"""An answer before the first trace: the textbook formula (case S2).

The verdict is "does not fit" if the weights and their state alone are too much, else "unknown" until the
trace arrives: the formula's median error on networks not used in development is 68 %
(docs/evidence.md, "Textbook formula").
"""

from __future__ import annotations

import math
from dataclasses import replace

from app.core.predict.time import unknown_time
from app.core.simulate.device import Allowed, TargetDevice, allowed_memory, context_bytes
from app.core.simulate.host_process import host_process_bytes
from app.core.simulate.optimizers import slots
from app.core.types.machine import DeviceProbe, Machine
from app.core.types.predicted_memory import MemoryParts, PredictedMemory
from app.core.types.prediction import Fit, Prediction
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import Text, phrase, verbatim
from app.core.types.workload import Plan, Workload

ACTIVATION_GUESS = 10
"""Upper end: activations of usual networks are within ten times weights and state plus the batch."""

TEXTBOOK_UNDER = 5
"""The formula says as little as a fifth of the truth for attention and recurrent networks (docs/evidence.md, "Textbook
formula")."""


def quick_prediction(
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    params: int,
    input_shape: tuple[int, ...],
    outputs: int | None = None,
    probe: DeviceProbe | None = None,
) -> Prediction:
    """Weights, gradients, optimizer state, the batch and all layer outputs twice.

    Where not all weights are trained, or not all become 8-bit, the least that it can be is counted.

    Args:
        workload: What is asked.
        machine: For which machine.
        device: Which of its devices.
        params: Parameters of the network.
        input_shape: Its own input.
        outputs: Elements of all layers' outputs for one sample of that input; None if nobody has counted them.
        probe: What tiny steps have shown of the device.
    """
    plan, name = workload.plan, workload.model.name
    shape = _sized(workload.input_shape or input_shape, plan)
    scale = math.prod(shape) / max(1, math.prod(input_shape))
    parts = _parts(plan, params, math.prod(shape), (outputs or 0) * scale)
    memory = _memory(replace(parts, framework=context_bytes(device, probe)), host_process_bytes(probe))
    fit = _fit(memory, allowed_memory(machine, device, probe), device)
    facts = ModelFacts(name, verbatim("catalog"), params, params, (tuple(shape),))
    time = unknown_time(phrase("not traced yet"))
    return Prediction(facts, plan, machine, memory, fit, time, memory.allocator_peak_bytes)


def _parts(plan: Plan, params: int, elements: int, outputs: float) -> MemoryParts:
    """What is alive by the textbook: for ``elements`` of one input and ``outputs`` of all layers."""
    weights = params if plan.int8 else 4 * params
    training = plan.mode == "train" and plan.lora_rank is None and not plan.freeze
    kept = slots(plan.rule, (1, 1), ema=plan.ema) if training else ()
    return MemoryParts(
        weights=weights,
        gradients=weights if training else 0,
        optimizer_state=weights * sum(slot.size == "weight" for slot in kept),
        activations=int(4 * plan.batch_size * outputs) * (2 if plan.mode == "train" else 1),
        inputs=4 * plan.batch_size * elements,
    )


def _memory(parts: MemoryParts, process_bytes: int) -> PredictedMemory:
    """The parts' sum, with the wide interval that it deserves."""
    known = parts.exact_bytes + parts.gradients
    formula = known + parts.activations
    return PredictedMemory(
        allocator_peak_bytes=formula,
        low_bytes=known,
        high_bytes=formula * TEXTBOOK_UNDER if parts.activations else known * ACTIVATION_GUESS,
        wanted_workspace_bytes=0,
        process_bytes=process_bytes,
        parts=parts,
        basis="formula",
        dominant_assumption=_assumption(parts.activations),
    )


def _fit(memory: PredictedMemory, allowed: Allowed, device: TargetDevice) -> Fit:
    """Does not fit if even what is known is too much, else nobody knows."""
    too_much = allowed.bytes is not None and memory.low_bytes > allowed.bytes
    why = phrase("even the weights and their optimizer state are too large")
    return Fit(
        "does_not_fit" if too_much else "unknown",
        allowed.bytes,
        memory.allocator_peak_bytes,
        None,
        None,
        device.name,
        (why if too_much else phrase("tracing the model …"),),
        allowed.explanation,
    )


def _assumption(activations: int) -> Text:
    """What the number depends on most."""
    if activations:
        return phrase("the textbook formula keeps every layer's output twice, which no framework does")
    return phrase("activations are not counted before the model has been traced")


def _sized(shape: tuple[int, ...], plan: Plan) -> tuple[int, ...]:
    """The input at the plan's sequence length, or at its image size."""
    if len(shape) == 1 and isinstance(plan.sequence_length, int):
        return (plan.sequence_length,)
    if len(shape) == 3 and plan.image_size is not None:
        return (*plan.image_size, shape[-1])
    return shape
