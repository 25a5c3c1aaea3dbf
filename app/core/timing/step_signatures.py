"""The signatures of all operations of one step, and which of them another one does along the way."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from app.core.simulate.program import Op, Program
from app.core.timing import steptime
from app.core.timing.signatures import CONVOLUTIONS, OpContext, Signature, signature_of
from app.core.types.stepgraph import NOTHING, Operation, PerBatch, StepGraph

FUSING = frozenset({"MatMul", "Conv2D", "Conv3D", "DepthwiseConv2dNative"})
ACTIVATIONS = frozenset({"Relu", "Relu6", "Elu", "LeakyRelu", "Tanh", "Sigmoid"})
"""A bias and then one of these are done by the product or convolution before them, if nobody else wants the value in
between (core/grappler/optimizers/remapper.cc, ``FindContractionWithBiasAndActivation``)."""

FILTER_GRADIENTS = frozenset({"Conv2DBackpropFilter", "Conv3DBackpropFilterV2"})
"""oneDNN's make the bias's gradient from what they read anyway (core/common_runtime/mkl_layout_pass.cc,
``Conv2DBackpropFilterWithBias``)."""

FREE = steptime.FREE | frozenset(
    "Size Rank BroadcastGradientArgs LoopEnd EnsureShape Snapshot AllReady OptionalFromValue OptionalGetValue "
    "OptionalNone".split()
)
"""Kinds that are launched and do nothing more."""

UPDATE = "update"
"""The family of an optimizer's operations: each reads what the one before has just written."""


@dataclass(frozen=True)
class FusedOps:
    """Operations, by their number in the graph, that are part of another one."""

    operations: frozenset[int]

    @classmethod
    def of(cls, graph: StepGraph) -> FusedOps:
        """Find them in a graph."""
        users = Counter(t for op in graph.operations for t in op.inputs)
        users.update(graph.outputs)
        maker = {t: i for i, op in enumerate(graph.operations) for t in op.outputs}
        found: set[int] = set()
        for index, op in enumerate(graph.operations):
            before = maker.get(op.inputs[0]) if op.inputs else None
            if before is None:
                continue
            alone = users[op.inputs[0]] == 1
            biased = op.kind == "BiasAdd" and graph.operations[before].kind in FUSING
            activated = op.kind in ACTIVATIONS and graph.operations[before].kind == "BiasAdd" and before in found
            if alone and (biased or activated):
                found.add(index)
        gradients = {op.inputs[-1] for op in graph.operations if op.kind in FILTER_GRADIENTS and op.inputs}
        found.update(
            i for i, op in enumerate(graph.operations) if op.kind == "BiasAddGrad" and gradients.intersection(op.inputs)
        )
        return cls(frozenset(found))


class GraphSignatures:
    """Describes a graph's operations one by one."""

    def __init__(self, graph: StepGraph) -> None:
        self._graph = graph
        self._looped = any(op.kind == "LoopEnd" for op in graph.operations)
        self._item_bytes = 4 if graph.precision == "float32" else 2
        self._kernels: dict[tuple[int | None, int], tuple[int, ...]] = {}
        for variable in graph.variables:
            if len(variable.shape) >= 3:
                self._kernels[variable.layer, variable.elements] = variable.shape
                self._kernels.setdefault((None, variable.elements), variable.shape)
        self._weights = {t for op in graph.operations if op.kind == "ReadVariableOp" for t in op.outputs}
        for op in graph.operations:
            if op.kind == "Cast" and self._weights.intersection(op.inputs):
                self._weights.update(op.outputs)

    def of(self, op: Operation) -> Signature | None:
        """The signature of an operation; None if it does nothing."""
        if op.kind in FREE:
            return None
        sizes = self._graph.sizes
        inputs = [sizes[t] for t in op.inputs if sizes[t] != NOTHING]
        return signature_of(
            op.kind,
            inputs,
            [sizes[t] for t in op.outputs if sizes[t] != NOTHING],
            op.flops,
            OpContext(
                kernel=self.kernel(op),
                backward=op.phase == "backward",
                reads_weight=bool(self._weights.intersection(op.inputs)),
                item_bytes=self._item_bytes,
                looped=self._looped,
            ),
        )

    def kernel(self, op: Operation) -> tuple[int, ...] | None:
        """The shape of a convolution's filter: that of its layer's weight of the same size."""
        if op.kind not in CONVOLUTIONS:
            return None
        sizes = self._graph.sizes
        fixed = {int(sizes[t].fixed) // self._item_bytes for t in (*op.inputs, *op.outputs) if not sizes[t].per_sample}
        for layer in (op.layer, None):
            for elements in sorted(fixed, reverse=True):
                if (layer, elements) in self._kernels:
                    return self._kernels[layer, elements]
        return None


def update_signature(program: Program, op: Op) -> Signature | None:
    """The signature of one operation of the optimizer's."""
    if op.kind in FREE:
        return None
    touched = [program.buffers[b].size for b in (*op.reads, *op.writes)]
    if op.updates is not None:
        touched += [program.buffers[op.updates].size] * 2
    total = sum(touched, PerBatch())
    if op.kind == "MatMul" and len(touched) == 3:
        elements = math.prod(size.fixed / 4 for size in touched)
        return signature_of("MatMul", touched[:2], touched[2:], PerBatch(2 * math.sqrt(elements)))
    return Signature(UPDATE, (total, PerBatch(1)), total)
