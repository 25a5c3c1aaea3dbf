"""How long the operations of a program take, as far as it decides which of two operations ends first.

Only the ratios matter: the order of execution follows from them (`app.core.simulate.executor`), no time is predicted.
"""

from __future__ import annotations

from app.core.simulate.program import Op, Program

CHEAP = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient Shape ShapeN Size Rank Const NoOp "
    "ReadVariableOp VariableShape BroadcastGradientArgs".split()
)
"""Kinds whose kernels call themselves inexpensive (``IsExpensive`` in their headers)."""

CHEAP_S = 1e-6
LAUNCH_S = 1e-5
AWAITED = frozenset({"StatelessRandomGetKeyCounter"})
"""Kinds that begin with what the card computes and the host must know: the seed of random numbers
(core/kernels/stateless_random_ops_v2.h)."""
LOOKUPS = frozenset({"GatherV2", "ResourceGather"})
"""Kinds that look up what a batch names: its numbers of 32 bits, and what is made of them, lie in the host's memory
(kernels of int32 in core/kernels/cwise_ops_common.h and elsewhere) and are copied to the card."""
COPY_S = 2e-4
"""Until a copy between card and host is done some twenty operations are launched (allocator traces of a perceptron: a
dropout's random numbers began 200 µs after the first product, beside 5 to 10 µs an operation)."""
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
    """A nominal duration of each operation on a host; only their ratios matter."""
    weights = frozenset(b for op in program.ops if op.kind == "ReadVariableOp" for b in op.writes)
    return [_duration_s(program, op, batch, weights) for op in program.ops]


def _duration_s(program: Program, op: Op, batch: int, weights: frozenset[int]) -> float:
    """One operation's."""
    if op.kind in CHEAP:
        return CHEAP_S
    moved = sum(program.buffers[b].size.at(batch) for b in (*op.reads, *op.writes))
    seconds = max(op.flops.at(batch) / NOMINAL_FLOPS_PER_S, moved / NOMINAL_BYTES_PER_S)
    if op.kind == "Conv2DBackpropFilter":
        seconds *= FILTER_GRADIENT_SLOWNESS
    elif op.kind == "MatMul" and op.phase == "backward" and any(b in weights for b in op.reads):
        seconds += sum(program.buffers[b].size.fixed for b in op.reads if b in weights) / REPACKING_BYTES_PER_S
    return LAUNCH_S + seconds
