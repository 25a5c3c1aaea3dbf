"""What the kernels of a card's libraries do besides an operation's own work: whole tiles, second passes over data.

Both hold for the kernels whatever the card is.  With them, and with what Keras does between two steps told apart from
launching, 523 published steps on a Tesla M60, T4 and V100 (`studies.accuracy.time_profet`) took 1.07 times as long as
told in the median, and not 1.24 times.
"""

from __future__ import annotations

import numpy as np

from app.core.simulate.program import FILTER_GRADIENTS, INPUT_GRADIENTS
from app.core.timing.steptime import OTHER, kind_code
from app.core.types.stepgraph import Operation, PerBatch, StepGraph

PLAIN_TILE_CHANNELS = 32
TENSOR_TILE_CHANNELS = 64
"""The narrowest tile of cuDNN's convolutions covers so many channels, whether they are there or not, as their names
tell: ``maxwell_scudnn_128x32_relu_interior_nn``, ``volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc``."""

NOMINAL_BATCH = 64
"""At which the channels of a convolution are read off its sizes; they are the same at any other."""

_LIBRARIES = ("FusedBatchNorm", "MaxPool", "AvgPool", "Cudnn")
"""Names of operations that cuDNN computes, besides convolutions."""

_FORWARD = frozenset({"Conv2D", "Conv3D", "_FusedConv2D"})

KERNELS_OF_A_STEP = 2
"""Of a recurrent layer in cuDNN for each step of a sequence, one after the other: a product and what the gates do.  Two
layers of 200 steps launch 1,600 in a training step, LSTM as GRU (counted, cuDNN 9.28 on sm_90)."""

RECURRENT_FLOORS = 3
"""Such a kernel takes as long as so many of the shortest, since the next step waits for it to read its weights: 9.6 to
13 microseconds on an H100, whose shortest take 3.8 (docs/evidence.md, "A real card")."""

_LAYER, _GRADIENTS = "CudnnRNNV3", "CudnnRNNBackpropV3"


def is_recurrent(operation: Operation) -> bool:
    """Is it a recurrent layer in cuDNN, or its gradients."""
    return operation.kind in (_LAYER, _GRADIENTS)


def floors_of(graph: StepGraph, operation: Operation) -> int:
    """As many of the shortest kernels an operation takes at least: one, but in loops and in recurrent layers."""
    if operation.loop is not None:
        return 0 if operation.kind.startswith("TensorList") else graph.loops[operation.loop].trip_count
    return RECURRENT_FLOORS * KERNELS_OF_A_STEP * _steps(graph, operation) if is_recurrent(operation) else 1


def launches_of(graph: StepGraph, operation: Operation) -> int:
    """How often TensorFlow's executor starts an operation."""
    return 1 if operation.loop is None else graph.loops[operation.loop].trip_count


def work_of(graph: StepGraph, operation: Operation) -> PerBatch:
    """Floating-point operations; of a recurrent layer each weight's once for every step, twice for the gradients."""
    if not is_recurrent(operation):
        return operation.flops
    weights = graph.sizes[operation.inputs[3]].fixed / _item_bytes(graph)
    passes = 1 if operation.kind == _LAYER else 2
    return PerBatch(0, 2 * weights * _steps(graph, operation) * passes)


def _steps(graph: StepGraph, operation: Operation) -> int:
    """Of a recurrent layer's sequences: what the layer makes, over its state, which has the size of one step."""
    made = operation.outputs[0] if operation.kind == _LAYER else operation.inputs[5]
    return round(graph.sizes[made].at(NOMINAL_BATCH) / graph.sizes[operation.inputs[1]].at(NOMINAL_BATCH))


def traffic(graph: StepGraph, operation: Operation) -> PerBatch:
    """Bytes that an operation's kernel reads and writes.

    Each operand once, but for normalisation over the batch: its statistics need a pass of their own over the data, and
    over both operands of the gradient (cuDNN's ``CUDNN_BATCHNORM_SPATIAL``, which TensorFlow takes unless
    ``TF_USE_CUDNN_BATCHNORM_SPATIAL_PERSISTENT`` is set).
    """
    moved = sum((graph.sizes[t] for t in (*operation.inputs, *operation.outputs)), PerBatch())
    if operation.kind.startswith("FusedBatchNormGrad"):
        return moved + graph.sizes[operation.inputs[0]] + graph.sizes[operation.inputs[1]]
    if operation.kind.startswith("FusedBatchNorm"):
        return moved + graph.sizes[operation.inputs[0]]
    return moved


def number_bytes(graph: StepGraph, operation: Operation) -> int:
    """Bytes of a number, of kernels of TensorFlow's own in which a thread moves one number at a time; else 0.

    Where all operands have the result's size a thread moves 16 bytes at once in float32 and float16 (Eigen's packets,
    unsupported/Eigen/CXX11/src/Tensor/TensorExecutor.h; tensorflow/core/kernels/relu_op_gpu.cu.cc).  What is spread or
    added up is moved number by number, and so is bfloat16, of which a GPU has no packets there.
    """
    if kind_code(operation.kind) != OTHER or operation.kind.startswith(_LIBRARIES):
        return 0
    made = operation.flops.at(NOMINAL_BATCH)
    ends = {graph.sizes[t].at(NOMINAL_BATCH) for t in (*operation.inputs, *operation.outputs)}
    if not made or not ends:
        return 0
    most = max(ends)
    found = 4 if most > 3 * made else 2
    alike = ends <= {most, found}
    return 0 if alike and not (found == 2 and graph.precision == "mixed_bfloat16") else found


def channels_made(graph: StepGraph, operation: Operation) -> float:
    """The channels that a convolution makes: the columns of the product that its kernel computes.

    The result's channels, for the gradient of the input those of the image; the gradient of the kernel has the
    result's as rows.  Sizes tell them, since a window times its channels is products over result.

    Returns:
        0 for other operations, and where a size is not known.
    """
    ends = (*operation.inputs[:3], *operation.outputs[:1])
    products = operation.flops.at(NOMINAL_BATCH) / 2
    at = [graph.sizes[t].at(NOMINAL_BATCH) / _item_bytes(graph) for t in ends]
    if operation.kind in _FORWARD and len(at) >= 3:
        kernel, result, made = at[1], at[-1], at[-1]
    elif operation.kind in INPUT_GRADIENTS and len(at) == 4:
        kernel, result, made = at[1], at[2], at[3]
    elif operation.kind in FILTER_GRADIENTS and len(at) == 4:
        kernel, result, made = at[3], at[2], at[2]
    else:
        return 0.0
    return round(kernel * result / products) * made / result if products and result else 0.0


def _item_bytes(graph: StepGraph) -> int:
    """Of a number that the network computes."""
    return 4 if graph.precision == "float32" else 2


def tile_share(channels: np.ndarray, *, tensor_cores: bool) -> np.ndarray:
    """What the tiles of a convolution's kernel cover, over what it computes; 1 where the channels are not known."""
    tile = TENSOR_TILE_CHANNELS if tensor_cores else PLAIN_TILE_CHANNELS
    covered = np.ceil(channels / tile) * tile
    shares: np.ndarray = np.divide(covered, channels, out=np.ones_like(channels), where=channels > 0)
    return shares
