"""An answer before the first trace: what follows from the number of parameters alone.

It leaves out activations, so it is a lower bound; the verdict is "does not fit" if even that is too
much, else "unknown" until the trace arrives.
"""

from __future__ import annotations

import math

from app.core.device import TargetDevice, allowed_memory, context_bytes, host_process_bytes
from app.core.estimate import unknown_time
from app.core.machine import DeviceProbe, Machine
from app.core.optimizers import slots
from app.core.prediction import Fit, MemoryParts, PredictedMemory, Prediction
from app.core.stepgraph import ModelFacts
from app.core.workload import Workload

ACTIVATION_GUESS = 10
"""Upper end: activations of usual networks are within ten times weights and state plus the batch."""


def quick_prediction(
    workload: Workload,
    machine: Machine,
    device: TargetDevice,
    *,
    params: int,
    input_shape: tuple[int, ...],
    probe: DeviceProbe | None = None,
) -> Prediction:
    """Weights, gradients, optimizer state and the batch; everything else is still unknown."""
    plan = workload.plan
    shape = workload.input_shape or input_shape
    weights = 4 * params
    training = plan.mode == "train"
    kept = slots(plan.optimizer, (1, 1), ema=plan.ema) if training else ()
    copies = sum(slot.size == "weight" for slot in kept)
    batch = 4 * plan.batch_size * math.prod(shape)
    parts = MemoryParts(weights, weights if training else 0, weights * copies, 0, 0, batch, 0)
    known = parts.weights + parts.gradients + parts.optimizer_state + parts.inputs
    allowed = allowed_memory(machine, device, probe)
    context = context_bytes(device, probe)
    too_much = allowed.bytes is not None and known > allowed.bytes
    memory = PredictedMemory(
        allocator_peak_bytes=known, low_bytes=known, high_bytes=known * ACTIVATION_GUESS,
        device_bytes=known + context, wanted_workspace_bytes=0, host_bytes=host_process_bytes(probe), parts=parts,
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
