"""An answer before the first trace: the textbook formula (case S2).

The verdict is "does not fit" if the weights and their state alone are too much, else "unknown" until the
trace arrives: the formula's median error on networks not used in development is 68 %
(docs/evidence.md, "Textbook formula").
"""

from __future__ import annotations

import math

from app.core.predict.time import unknown_time
from app.core.simulate.device import TargetDevice, allowed_memory, context_bytes
from app.core.simulate.host_process import host_process_bytes
from app.core.simulate.optimizers import slots
from app.core.types.machine import DeviceProbe, Machine
from app.core.types.prediction import Fit, MemoryParts, PredictedMemory, Prediction
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
    plan = workload.plan
    shape = _sized(workload.input_shape or input_shape, plan)
    weights = params if plan.int8 else 4 * params
    training = plan.mode == "train" and plan.lora_rank is None and not plan.freeze
    kept = slots(plan.optimizer, (1, 1), ema=plan.ema) if training else ()
    copies = sum(slot.size == "weight" for slot in kept)
    batch = 4 * plan.batch_size * math.prod(shape)
    scale = math.prod(shape) / max(1, math.prod(input_shape))
    activations = int(4 * plan.batch_size * (outputs or 0) * scale) * (2 if plan.mode == "train" else 1)
    context = context_bytes(device, probe)
    parts = MemoryParts(weights, weights if training else 0, weights * copies, activations, 0, batch, context)
    known = parts.weights + parts.gradients + parts.optimizer_state + parts.inputs
    formula = known + activations
    allowed = allowed_memory(machine, device, probe)
    too_much = allowed.bytes is not None and known > allowed.bytes
    memory = PredictedMemory(
        allocator_peak_bytes=formula,
        low_bytes=known,
        high_bytes=formula * TEXTBOOK_UNDER if activations else known * ACTIVATION_GUESS,
        wanted_workspace_bytes=0,
        process_bytes=host_process_bytes(probe),
        parts=parts,
        basis="formula",
        dominant_assumption=_assumption(activations),
    )
    fit = Fit(
        "does_not_fit" if too_much else "unknown",
        allowed.bytes,
        formula,
        None,
        None,
        device.name,
        (phrase("even the weights and their optimizer state are too large"),)
        if too_much
        else (phrase("tracing the model …"),),
        allowed.explanation,
    )
    facts = ModelFacts(workload.model.name, verbatim("catalog"), params, params, (tuple(shape),))
    return Prediction(facts, plan, machine, memory, fit, unknown_time(phrase("not traced yet")), formula)


def _assumption(activations: int) -> Text:
    """What the number depends on most."""
    if activations:
        return phrase("the textbook formula keeps every layer's output twice, which no framework does")
    return phrase("activations are not counted before the model has been traced")


def _sized(shape: tuple[int, ...], plan: Plan) -> tuple[int, ...]:
    """The input at the plan's sequence length, or at its image size."""
    if len(shape) == 1 and plan.sequence_length is not None:
        return (plan.sequence_length,)
    if len(shape) == 3 and plan.image_size is not None:
        return (*plan.image_size, shape[-1])
    return shape
