"""The memory of a step on PyTorch, followed layer by layer (`app.core.simulate.torch_step`), with its doubt.

On a card PyTorch's pool also holds workspaces of cuBLAS, which do not depend on the network.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.memory import StepMemory
from app.core.simulate.device import TargetDevice
from app.core.simulate.torch_step import TorchParts
from app.core.timing.signatures import PRODUCTS
from app.core.types.basis import Explanation, Range
from app.core.types.predicted_memory import MemoryParts, PredictedMemory
from app.core.types.text import phrase, verbatim
from app.core.types.units import KIB, MIB, format_bytes
from app.core.types.workload import Plan

TORCH_BELOW, TORCH_ABOVE = 0.20, 0.25
"""Relative half-widths.  29 networks without loops of other tables than studies/accuracy/backends were told
1.6 % off in the median, 15 % too little at most and 10 % too much (docs/evidence.md, "A step on PyTorch")."""

LOOPS_BELOW, LOOPS_ABOVE = 0.15, 0.70
"""Where the step has loops, what a loop keeps for its gradients is not followed: the least is doubled at most."""

WORKSPACE_BYTES, HOPPER_WORKSPACE_BYTES = (2 * 4096 + 8 * 16) * KIB, 32 * MIB
"""What PyTorch's allocator keeps for cuBLAS by thread and stream (``parseChosenWorkspaceSize`` of
aten/src/ATen/cuda/CublasHandlePool.cpp).  A step on a real H100 took 47.75 MiB more than on an emulated A100: twice
what lies between these two."""

COMPUTING_THREADS = 2
"""That of the program, and autograd's for the backward pass."""

HOPPER = (9, 0)
"""The compute capability that has the larger one."""


def torch_range(step: StepMemory, plan: Plan, device: TargetDevice, batch_size: int, *, ranged: bool) -> Range:
    """What a step takes, and between which it lies, bytes.

    Args:
        step: The step, from the graph as it was traced on the processor.
        plan: How it runs.
        device: Where.
        batch_size: Samples per step.
        ranged: Nobody has followed all of it: loops, layers that are computed twice.
    """
    resident, fixed = step.resident_bytes(batch_size), _workspace_bytes(step, plan, device)
    followed = step.on_torch.peak_bytes(batch_size, resident)
    below, above = (LOOPS_BELOW, LOOPS_ABOVE) if ranged else (TORCH_BELOW, TORCH_ABOVE)
    low = resident if plan.remat else max(resident, int(followed * (1 - below)))
    return Range(followed + fixed, low + fixed, int(followed * (1 + above)) + fixed)


def as_torch(
    memory: PredictedMemory, step: StepMemory, plan: Plan, device: TargetDevice, *, ranged: bool
) -> PredictedMemory:
    """The same with the reasons for its figures, which are PyTorch's already."""
    held = step.on_torch.parts(plan.batch_size)
    results, kept, gradients = map(format_bytes, held)
    lines = [
        Explanation(phrase("results of all layers"), results, phrase("until the forward pass ends")),
        Explanation(phrase("kept for the gradients"), kept, phrase("by autograd, besides these")),
        Explanation(phrase("gradients of the step before"), gradients, phrase("until the forward pass ends")),
    ]
    workspace = _workspace_bytes(step, plan, device)
    if workspace:
        why = phrase("one for the program's thread and one for autograd's")
        source = verbatim("aten/src/ATen/cuda/CublasHandlePool.cpp")
        lines.append(Explanation(phrase("workspaces of cuBLAS"), format_bytes(workspace), why, source))
    assumption = (
        phrase("PyTorch runs the step op by op; what it keeps of loops, or computes twice, is not followed: a range")
        if ranged
        else phrase("PyTorch runs the step op by op; followed layer by layer from TensorFlow's graph")
    )
    return replace(
        memory,
        parts=_parts(memory, held),
        basis="formula" if ranged else memory.basis,
        dominant_assumption=assumption,
        explanation=(*memory.explanation[:2], *lines),
    )


def _parts(memory: PredictedMemory, held: TorchParts) -> MemoryParts:
    """The peak by purpose; what is neither held by the forward pass nor its gradients is workspace."""
    parts = memory.parts
    room = max(0, memory.allocator_peak_bytes - parts.exact_bytes - held.gradients)
    activations = min(held.results + held.kept, room)
    return replace(parts, gradients=held.gradients, activations=activations, workspace=room - activations)


def _workspace_bytes(step: StepMemory, plan: Plan, device: TargetDevice) -> int:
    """What PyTorch holds for cuBLAS on a CUDA card from the first product on; 0 on other devices and without one."""
    graph, gpu = step.graph, device.gpu
    if gpu is None or not device.is_cuda or not PRODUCTS & {op.kind for op in graph.operations}:
        return 0
    each = HOPPER_WORKSPACE_BYTES if gpu.compute_capability == HOPPER else WORKSPACE_BYTES
    return each * (COMPUTING_THREADS if graph.mode == "train" else 1)
