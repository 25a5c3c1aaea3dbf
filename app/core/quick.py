"""An answer before the first trace: what follows from the number of parameters alone.

It leaves out activations, so it is a lower bound; the verdict is "does not fit" if even that is too
much, else "unknown" until the trace arrives.
"""

from __future__ import annotations

import math

from app.core.device import GPU_CONTEXT_BYTES, HOST_PROCESS_BYTES, TargetDevice, allowed_memory
from app.core.estimate import unknown_time
from app.core.machine import Machine
from app.core.optimizers import recipe
from app.core.prediction import Fit, MemoryParts, PredictedMemory, Prediction
from app.core.stepgraph import ModelFacts
from app.core.workload import Plan, Workload

ACTIVATION_GUESS = 10
"""Upper end: activations of usual networks are within ten times weights and state plus the batch."""


def quick_prediction(
    workload: Workload, machine: Machine, device: TargetDevice, *, params: int, input_shape: tuple[int, ...]
) -> Prediction:
    """Weights, gradients, optimizer state and the batch; everything else is still unknown.

    Where not all weights are trained, or not all become 8-bit, the least that it can be is counted.
    """
    plan = workload.plan
    shape = _sized(workload.input_shape or input_shape, plan)
    weights = params if plan.int8 else 4 * params
    training = plan.mode == "train" and plan.lora_rank is None and not plan.freeze
    slots = len(recipe(plan.optimizer).slots) if training else 0
    batch = 4 * plan.batch_size * math.prod(shape)
    parts = MemoryParts(weights, weights if training else 0, weights * slots, 0, 0, batch, 0)
    known = parts.weights + parts.gradients + parts.optimizer_state + parts.inputs
    allowed = allowed_memory(machine, device)
    context = GPU_CONTEXT_BYTES if device.gpu else 0
    too_much = allowed.bytes is not None and known > allowed.bytes
    memory = PredictedMemory(
        allocator_peak_bytes=known, low_bytes=known, high_bytes=known * ACTIVATION_GUESS,
        device_bytes=known + context, wanted_workspace_bytes=0, host_bytes=HOST_PROCESS_BYTES, parts=parts,
        basis="formula", dominant_assumption="activations are not counted before the model has been traced",
    )  # fmt: skip
    fit = Fit(
        "does_not_fit" if too_much else "unknown", allowed.bytes,
        None if allowed.bytes is None else allowed.bytes - known, None, None, device.name,
        ("even the weights and their optimizer state are too large",) if too_much else ("tracing the model …",),
        allowed.explanation,
    )  # fmt: skip
    facts = ModelFacts(workload.model.name, "catalog", params, params, (tuple(shape),))
    return Prediction(facts, plan, machine, memory, fit, unknown_time("not traced yet"), known)


def _sized(shape: tuple[int, ...], plan: Plan) -> tuple[int, ...]:
    """The input at the plan's sequence length, or at its image size."""
    if len(shape) == 1 and plan.sequence_length is not None:
        return (plan.sequence_length,)
    if len(shape) == 3 and plan.image_size is not None:
        return (*plan.image_size, shape[-1])
    return shape
