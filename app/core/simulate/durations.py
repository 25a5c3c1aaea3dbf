"""How long the steps of a program take, as far as it decides which of two operations ends first.

Only the ratios matter: the order of execution follows from them (`app.core.simulate.executor`), no time is predicted.
"""

from __future__ import annotations

from app.core.simulate.program import Program, Step

CHEAP = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient Shape ShapeN Size Rank Const NoOp "
    "ReadVariableOp VariableShape BroadcastGradientArgs".split()
)
"""Kinds whose kernels call themselves inexpensive (``IsExpensive`` in their headers)."""

CHEAP_S = 1e-6
LAUNCH_S = 1e-5
NOMINAL_FLOPS_PER_S = 1e11
NOMINAL_BYTES_PER_S = 1e10
"""Orders of magnitude of a desktop; they only decide which of two operations ends first.  The chains of an
update ran at 2 to 20 GB/s in a trace of VGG19, the median at 5, beside convolutions of 50 GFLOP/s and more."""

FILTER_GRADIENT_SLOWNESS = 1.25
REPACKING_BYTES_PER_S = 2.5e9
"""oneDNN on two cores: a convolution's filter gradient runs at 65 to 107 GFLOP/s where its input gradient
runs at 91 to 114.  The product with a transposed weight repacks it first: of a 25088 x 4096 weight it takes
308 ms where the other gradient takes 55 ms, of 4608 x 4096 at batch 16 48 and 11 ms, of 384 x 1536 the same
(measured, TensorFlow 2.21)."""


def nominal_durations_s(program: Program, batch: int) -> list[float]:
    """A nominal duration of each step on a host; only their ratios matter."""
    weights = frozenset(b for step in program.steps if step.kind == "ReadVariableOp" for b in step.writes)
    return [_duration_s(program, step, batch, weights) for step in program.steps]


def _duration_s(program: Program, step: Step, batch: int, weights: frozenset[int]) -> float:
    """One step's."""
    if step.kind in CHEAP:
        return CHEAP_S
    moved = sum(program.buffers[b].size.at(batch) for b in (*step.reads, *step.writes))
    seconds = max(step.flops.at(batch) / NOMINAL_FLOPS_PER_S, moved / NOMINAL_BYTES_PER_S)
    if step.kind == "Conv2DBackpropFilter":
        seconds *= FILTER_GRADIENT_SLOWNESS
    elif step.kind == "MatMul" and step.phase == "backward" and any(b in weights for b in step.reads):
        seconds += sum(program.buffers[b].size.fixed for b in step.reads if b in weights) / REPACKING_BYTES_PER_S
    return LAUNCH_S + seconds
