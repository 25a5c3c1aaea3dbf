"""What TensorFlow's own peak counter shows of a card beyond what a training needs.

Before a convolution runs for the first time, cuDNN's kernels for it are tried one after the other, each with the
scratch that it asks for.  A kernel whose scratch has no room is left out, so none of this is a need, but
``get_memory_info(device)["peak"]`` has seen it.  Without XLA the trial happens in the middle of the first step, with a
copy of the result between guards (core/kernels/autotune_conv_impl.h, conv_ops_gpu.cc); XLA compiles before the step
and makes every operand anew (xla/backends/gpu/autotuner/gpu_profiler.cc).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.types.stepgraph import Operation, PerBatch, StepGraph
from app.core.types.units import MIB

WORKSPACE_LIMIT_BYTES = 4096 * MIB
"""TensorFlow asks cuDNN for at most this much scratch (``TF_CUDNN_WORKSPACE_LIMIT_IN_MB``, default 4096)."""

GUARDS_BYTES = 16 * MIB
"""Around a buffer of a trial: ``kDefaultRedzoneSize`` on either side (xla/stream_executor/gpu/redzone_allocator.h)."""

FFT_TILE = 32
"""Side of the tiles that cuDNN's ``FFT_TILING`` transforms; it keeps half of each spectrum, 32 x 17 complex numbers,
since the image is real."""
_SPECTRUM_BYTES = FFT_TILE * (FFT_TILE // 2 + 1) * 8

_TRIED = frozenset(
    "Conv2D _FusedConv2D Conv2DBackpropInput Conv2DBackpropFilter "
    "Conv3D Conv3DBackpropInputV2 Conv3DBackpropFilterV2".split()
)
"""Kinds that TensorFlow leaves to cuDNN; depthwise ones run a kernel of its own."""


@dataclass(frozen=True)
class _Trial:
    """What trying one convolution takes: its operands and result, and the most scratch that any kernel asks for."""

    operands_bytes: float
    result_bytes: float
    scratch_bytes: float


def shown_peak_bytes(graph: StepGraph, batch_size: int, *, first_bytes: int, resident_bytes: int, xla: bool) -> int:
    """What the allocator's peak counter shows after a training whose kernels were tried.

    Args:
        graph: The traced step.
        batch_size: Samples per step.
        first_bytes: The allocator's peak up to the end of the first step.
        resident_bytes: What is there while the step is compiled.
        xla: The step is compiled.
    """
    trials = _trials(graph, batch_size)
    if xla:
        # The reference's result is kept beside that of the kernel that is tried; both operands have guards.
        beside = (t.operands_bytes + 2 * t.result_bytes + t.scratch_bytes + 2 * GUARDS_BYTES for t in trials)
        return max(first_bytes, resident_bytes + int(max(beside, default=0)))
    beside = (t.result_bytes + t.scratch_bytes + 2 * GUARDS_BYTES for t in trials)
    return first_bytes + int(max(beside, default=0))


def _trials(graph: StepGraph, batch_size: int) -> list[_Trial]:
    """The trials of a step, one for each convolution and each of its gradients."""
    filters = {v.layer: v.shape for v in graph.variables if len(v.shape) == 4}
    forward = {op.layer: op for op in graph.operations if op.kind in ("Conv2D", "_FusedConv2D")}
    trials = []
    for op in graph.operations:
        if op.kind not in _TRIED:
            continue
        operands, result = (sum(_size(graph, t).at(batch_size) for t in part) for part in (op.inputs, op.outputs))
        wishes = [op.wanted_workspace.at(batch_size)]
        if op.layer in filters and op.layer in forward and graph.precision == "float32":
            wishes.append(fft_bytes(graph, forward[op.layer], filters[op.layer], batch_size))
        trials.append(_Trial(operands, result, max((w for w in wishes if w <= WORKSPACE_LIMIT_BYTES), default=0)))
    return trials


def fft_bytes(graph: StepGraph, op: Operation, shape: tuple[int, ...], batch_size: int) -> float:
    """Scratch of cuDNN's ``FFT_TILING`` for a convolution with a filter of that shape; 0 where it does not do.

    It takes strides of one, more than single points, and channels first: in 16 bits TensorFlow computes channels last
    (``ComputeInNhwcEnabled``).  It transforms filters, images and results: of a ResNet's 512 x 512 filters alone that
    is 1,088 MiB, whatever the batch.

    Args:
        graph: The traced step.
        op: The convolution itself.
        shape: Height, width, channels in and out of its filter.
        batch_size: Samples per step.
    """
    rows, columns, channels, filters = shape
    before, after = (_pixels(graph, t, c) for t, c in ((op.inputs[0], channels), (op.outputs[0], filters)))
    if rows * columns == 1 or max(rows, columns) >= FFT_TILE or math.sqrt(before) - math.sqrt(after) >= rows:
        return 0.0
    tiles = batch_size * math.ceil(math.sqrt(after) / (FFT_TILE - rows + 1)) ** 2
    return float(_SPECTRUM_BYTES * (channels * filters + tiles * (channels + filters)))


def _pixels(graph: StepGraph, tensor: int, channels: int) -> float:
    """Points of one image of a float32 tensor."""
    return _size(graph, tensor).per_sample / (4 * channels)


def _size(graph: StepGraph, tensor: int) -> PerBatch:
    """Of one tensor."""
    return graph.sizes[tensor]
