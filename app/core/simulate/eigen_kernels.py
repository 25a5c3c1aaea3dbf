"""Scratch memory of convolutions on a processor for which TensorFlow does not use oneDNN.

Its own kernels of a convolution's gradients write the windows of several samples as the columns of a matrix and
multiply it by Eigen (core/kernels/conv_grad_filter_ops.cc, conv_grad_input_ops.h, conv_grad_ops_3d.cc).  How many
samples that are follows from a cache, not from the batch: tens of megabytes for a network of a few hundred kilobytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.simulate.program import FILTER_GRADIENTS, INPUT_GRADIENTS
from app.core.types.machine import Machine
from app.core.types.stepgraph import Operation, PerBatch, StepGraph
from app.core.types.units import KIB, MIB

CACHE_BYTES = 30 * MIB
"""What gradients of convolutions in two dimensions take for the third-level cache, whatever the processor has."""
THREAD_BYTES = 256 * KIB
"""Where a sample is at least so much work for each thread, the kernel of the input's gradient takes one at a time."""
LARGEST_OVERHEAD = 25
"""In three dimensions a buffer of more values than so many times those of image, kernel and result is not made: Eigen
convolves without one (``kMaxTempAllocationOverhead``)."""
UNKNOWN_CACHE_BYTES = 512 * KIB
"""What Eigen takes for the third-level cache where the processor tells none (``EIGEN_DEFAULT_L3_CACHE_SIZE``)."""
POSSIBLE_CACHES_BYTES = tuple(512 * KIB << octave for octave in range(11))
"""Up to what ten bits of half megabytes can say (Eigen's ``queryCacheSizes_amd``); Intel's largest is of 504 MiB."""

NEURAL_FEATURES = frozenset("avx512_vnni avx512_bf16 avx_vnni amx_tile amx_int8 amx_bf16".split())
NEURAL_ARM = "neoverse_v1"
COLUMN_KINDS = INPUT_GRADIENTS | {"Conv2DBackpropFilter", "Conv3DBackpropFilterV2"}

Buffers = frozenset[tuple[int, PerBatch]]
"""Operations of a traced step by index, and the bytes of their columns."""


@dataclass(frozen=True)
class EigenKernels:
    """What the scratch of TensorFlow's own kernels depends on besides the step.

    Args:
        threads: Of TensorFlow's pool for one operation.
        cache_bytes: What Eigen takes for the third-level cache; None if nobody has measured it.
        likely_cache_bytes: The cache by the system, where that is None: on AMD's processors and in virtual machines
            Eigen may see more than the part that the system names.
    """

    threads: int
    cache_bytes: int | None = None
    likely_cache_bytes: int | None = None


def runs_onednn(machine: Machine) -> bool:
    """Does TensorFlow use oneDNN's kernels on the machine's processor, as far as is known?

    Unless ``TF_ENABLE_ONEDNN_OPTS`` decides: on Linux if the processor has instructions for neural networks, on
    Windows always, on macOS never (``DefaultOneDnnPolicy`` in core/util/port.cc, TensorFlow 2.16 and later).
    """
    cpu = machine.cpu
    if machine.onednn is not None:
        return machine.onednn
    if machine.os == "Linux" and cpu.features:
        return not NEURAL_FEATURES.isdisjoint(cpu.features) or cpu.microarchitecture == NEURAL_ARM
    return machine.os != "macOS"


@dataclass(frozen=True)
class _Gradient:
    """A gradient of one convolution at one batch, in values: of one sample, and of the whole operation."""

    kind: str
    columns: int
    work: int
    """Of the three matrices of the product for one sample."""
    whole: int
    item_bytes: int

    def buffer_bytes(self, samples: int) -> int:
        """The columns of so many samples."""
        return samples * self.columns * self.item_bytes

    @property
    def largest_bytes(self) -> int:
        """Beyond this Eigen convolves without a buffer."""
        return (LARGEST_OVERHEAD + 1) * self.whole * self.item_bytes

    def samples_in(self, cache_bytes: int) -> int:
        """How many samples fill a cache."""
        return -(-(cache_bytes // self.item_bytes) // self.work)


def column_buffers(graph: StepGraph, batch_size: int, kernels: EigenKernels) -> tuple[Buffers, ...]:
    """What the gradients of convolutions take for their columns at a batch size.

    Returns:
        The likely buffers; behind them, where the cache is not known and would change something, the least and the
        most that they can be.
    """
    gradients = {
        index: gradient
        for index, operation in enumerate(graph.operations)
        if operation.kind in COLUMN_KINDS and not operation.scratch.at(batch_size)
        if (gradient := _gradient(graph, operation, batch_size)) is not None
    }

    def buffers(cache_bytes: int) -> Buffers:
        sizes = {i: _columns_bytes(g, batch_size, kernels.threads, cache_bytes) for i, g in gradients.items()}
        return frozenset((index, PerBatch(size)) for index, size in sizes.items() if size)

    likely = buffers(kernels.cache_bytes or kernels.likely_cache_bytes or UNKNOWN_CACHE_BYTES)
    if kernels.cache_bytes is not None:
        return (likely,)
    possible = sorted(
        {likely, *map(buffers, POSSIBLE_CACHES_BYTES)}, key=lambda found: sum(size.fixed for _, size in found)
    )
    return (likely,) if len(possible) == 1 else (likely, possible[0], possible[-1])


def _columns_bytes(gradient: _Gradient, batch_size: int, threads: int, cache_bytes: int) -> int:
    """Bytes of the columns of one operation."""
    if "3D" in gradient.kind:
        size = gradient.buffer_bytes(1 if batch_size == 1 else gradient.samples_in(cache_bytes))
        return size if size < gradient.largest_bytes else 0
    alone = batch_size == 1 or gradient.work // threads >= THREAD_BYTES // gradient.item_bytes
    one_by_one = gradient.kind in INPUT_GRADIENTS and alone
    return gradient.buffer_bytes(1 if one_by_one else gradient.samples_in(CACHE_BYTES))


def _gradient(graph: StepGraph, operation: Operation, batch_size: int) -> _Gradient | None:
    """The matrices of an operation; None if a size is not known.

    A sample's result is ``pixels * channels out`` values, the kernel ``window * channels in * channels out``, the
    columns ``pixels * window * channels in``, and each pair's product divided by the third is a number that the
    operation's work tells: ``pixels * window * channels in * channels out`` multiplications.
    """
    item_bytes = 4 if graph.precision == "float32" else 2
    turns = 1 if operation.loop is None else graph.loops[operation.loop].trip_count
    if len(operation.inputs) < 3:
        return None
    at = [graph.sizes[t].at(batch_size) / item_bytes for t in (*operation.inputs[:3], operation.outputs[0])]
    image, kernel = (at[0], at[3]) if operation.kind in FILTER_GRADIENTS else (at[3], at[1])
    result, products = at[2] / batch_size, operation.flops.at(batch_size) / 2 / turns / batch_size
    if not min(image, kernel, result, products):
        return None
    columns = round(products * products / (result * kernel))
    whole = round(image + kernel + at[2])
    return _Gradient(operation.kind, columns, columns + round(result + kernel), whole, item_bytes)
