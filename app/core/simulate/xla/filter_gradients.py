"""Filters whose gradients XLA does not see for what they are.

The gradient of a filter is a convolution of the image with the gradient of the result, and known as such by its window,
which is larger than what comes out.  Where it is not -- small images, filters as high as their image -- it is a plain
convolution of both, samples and channels exchanged.  A row is an image of one line, as high as any filter: there a
reshape tells, which makes the line of a row, if it is still what the convolution reads.  Reshapes sink below what is
computed element by element, meet the next convolution's, and both are gone.  Source: ``MatchBackwardFilter`` in
xla/service/gpu/transforms/conv_rewriter.cc, ``ReshapeMover`` in xla/hlo/transforms/simplifiers/reshape_mover.cc.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

from app.core.simulate.program import FILTER_GRADIENTS, INPUT_GRADIENTS, RESHAPES, Op, Program
from app.core.types.stepgraph import StepGraph

IMAGES = INPUT_GRADIENTS | {"Conv2D", "MaxPool", "MaxPoolGrad", "AvgPool", "AvgPoolGrad"}
"""Kinds that make images, here of one line."""

RESHAPED = frozenset("MatMul BatchMatMul BatchMatMulV2 SpaceToBatchND BatchToSpaceND".split())
"""Kinds whose results are reshapes already, with which a further one is one."""

REPEATED = frozenset("Tile BroadcastTo Fill ZerosLike OnesLike".split())
"""Kinds whose results take any shape."""

SINKING = frozenset(
    "Abs Add AddN AddV2 BiasAdd Cast Div DivNoNan Equal Erf Exp Greater GreaterEqual Less LessEqual Log Maximum "
    "Minimum Mul Neg Pow RealDiv Relu Relu6 Relu6Grad ReluGrad Rsqrt SelectV2 Sigmoid SigmoidGrad Sqrt Square "
    "SquaredDifference Sub Tanh TanhGrad".split()
)
"""Kinds below which reshapes sink.  They do not where a kind chooses between its operand and what it makes of it, as
ELU does: neither goes before the other."""

SUMS = frozenset("Sum Mean Max Min Prod Any All BiasAddGrad".split())
"""Kinds that read an image as well as a row (``enable_reduce_of_reshape`` of the algebraic simplifier)."""

BEFORE_THE_GRADIENT = {"ReluGrad": 1, "Relu6Grad": 1, "TanhGrad": 0}
"""Kinds that make a mask or a slope of one of their operands first, whatever becomes of the other: its place."""

REPEATED_FROM = 8
"""What is so many times smaller than a result is repeated for it; a mask is four times smaller."""


class _Filter(NamedTuple):
    """A filter whose gradient an operation computes: its sides, those of the result, and its stride."""

    kernel: tuple[int, ...]
    result: tuple[float, ...]
    stride: int


def plain_filter_gradients(program: Program, graph: StepGraph, item_bytes: int) -> frozenset[int]:
    """The gradients of filters that come of plain convolutions, as buffers.

    Args:
        program: The step, with views as operations of their own.
        graph: Where the shapes of the weights stand.
        item_bytes: Of one element of what the network computes.
    """
    unseen: set[int] = set()
    rows: list[Op] = []
    for op in program.ops:
        found = _filter(program, graph, op, item_bytes)
        if found is None or found.stride != 1:
            continue
        if any(made <= side for side, made in zip(found.kernel, found.result, strict=True)):
            unseen.add(op.writes[0])
        elif len(found.kernel) == 1:
            rows.append(op)
    if rows:
        forms = _Forms(program)
        forms.sink()
        unseen.update(op.writes[0] for op in rows if not forms.lifted(op.reads[-1]))
    return frozenset(unseen)


def weights_shape(graph: StepGraph, layer: int | None, bytes_: float, item_bytes: int) -> tuple[int, ...] | None:
    """The shape of a convolution's weights by what they take, since a layer may have several; None if nobody knows."""
    shapes = (v.shape for v in graph.variables if v.layer == layer and len(v.shape) > 2)
    return next((shape for shape in shapes if math.prod(shape) * item_bytes == bytes_), None)


def _filter(program: Program, graph: StepGraph, op: Op, item_bytes: int) -> _Filter | None:
    """What an operation computes the gradient of; images are taken for square where the graph does not say."""
    if op.kind not in FILTER_GRADIENTS or not op.writes:
        return None
    image, gradient = (program.buffers[b].size.per_sample for b in (op.reads[0], op.reads[-1]))
    shape = weights_shape(graph, op.layer, program.buffers[op.writes[0]].size.fixed, item_bytes)
    if shape is None or not gradient:
        return None
    *kernel, channels, filters = shape
    if op.kind.startswith("Depthwise"):
        filters *= channels
    asked = None if op.wish is None else graph.operations[op.wish].convolution
    if asked is not None:
        return _Filter(tuple(kernel), asked.result[-len(kernel) :], max(asked.strides))
    places = gradient / (item_bytes * filters)
    stride = round((image / (item_bytes * channels) / places) ** (1 / len(kernel)))
    return _Filter(tuple(kernel), (places ** (1 / len(kernel)),) * len(kernel), stride)


class _Forms:
    """What becomes of the reshapes between rows and images.

    Args:
        program: The step.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.images: set[int] = set()
        self.reshaped: set[int] = set()
        """Rows that are reshapes of images."""
        self._readers: dict[int, list[int]] = defaultdict(list)
        """By value, the operations to which it matters that a row is one."""
        self._free: set[int] = set()
        self._maker = {buffer: op for op in program.ops for buffer in op.writes}
        for index, op in enumerate(program.ops):
            if op.kind in IMAGES:
                self.images.update(op.writes)
            elif op.kind in REPEATED or (op.kind in SINKING and not self._arrays(op)):
                self._free.update(op.writes)
            if op.kind not in SUMS | IMAGES | RESHAPES:
                for place, buffer in enumerate(op.reads):
                    if BEFORE_THE_GRADIENT.get(op.kind) != place:
                        self._readers[buffer].append(index)

    def sink(self) -> None:
        """Let reshapes sink as far as they go."""
        known = -1
        while known != (known := len(self.images) + len(self.reshaped)):
            self._through_views()
            self._below(self._candidates())

    def lifted(self, buffer: int) -> bool:
        """Is a value a reshape of a row, and of nothing that is a reshape itself."""
        view = self._maker.get(buffer)
        if view is None or view.kind not in RESHAPES or buffer in self.images:
            return False
        row = self._maker.get(view.reads[0])
        return row is not None and row.kind not in RESHAPES | RESHAPED

    def _through_views(self) -> None:
        """A reshape of an image is a row, and one of that the image again."""
        for op in self.program.ops:
            if op.kind in RESHAPES and op.reads[0] in self.images:
                self.reshaped.update(op.writes)
            elif op.kind in RESHAPES and op.reads[0] in self.reshaped:
                self.images.update(op.writes)

    def _candidates(self) -> set[int]:
        """Operations all of whose operands are reshapes of images, if they are so to whoever reads them."""
        found = {
            index
            for index, op in enumerate(self.program.ops)
            if op.kind in SINKING and self.reshaped.issuperset(arrays := self._arrays(op)) and arrays
        }
        while True:
            read = {buffer for index in found for buffer in self._arrays(self.program.ops[index])}
            stuck = {buffer for buffer in read if not found.issuperset(self._readers[buffer])}
            staying = {index for index in found if not stuck.isdisjoint(self.program.ops[index].reads)}
            if not staying:
                return found
            found -= staying

    def _below(self, operations: set[int]) -> None:
        """The results of operations are reshapes, too."""
        for index in operations:
            self.reshaped.update(self.program.ops[index].writes)

    def _arrays(self, op: Op) -> list[int]:
        """Operands that are as large as the result, and no repetition of something smaller."""
        buffers = self.program.buffers
        least = max((buffers[b].size.per_sample for b in op.writes), default=0) / REPEATED_FROM
        return [b for b in op.reads if buffers[b].size.per_sample > least and b not in self._free]
