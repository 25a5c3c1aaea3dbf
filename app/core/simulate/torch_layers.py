"""What each layer of a model holds on PyTorch until its gradients are computed, from TensorFlow's traced step.

It follows from how Keras computes a layer (keras/src/backend/torch/nn.py, numpy.py, random.py) and from what PyTorch's
formulas of derivatives need (tools/autograd/derivatives.yaml).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from app.core.types.stepgraph import Operation, PerBatch, StepGraph

LOOKING_ONLY = frozenset("Flatten Identity InputLayer Permute RepeatVector Reshape".split())
"""Layers whose result is what came in, looked at differently."""

PLAIN = frozenset(
    "Activation Add Average Concatenate Cropping1D Cropping2D Cropping3D Dense ELU EinsumDense Embedding "
    "GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D "
    "GlobalMaxPooling3D LeakyReLU Maximum Minimum Multiply PReLU ReLU Rescaling Softmax Subtract UpSampling1D "
    "UpSampling2D UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D".split()
)
"""Layers of which nothing is kept but the result: what goes in is some other layer's."""

KEEP_WHAT_COMES_IN = frozenset("Elu Erf Erfc LeakyRelu Relu6 Selu Softplus Softsign".split())
"""TensorFlow's operations of activations whose derivative PyTorch computes from what went in; that of ``Relu``,
``Sigmoid``, ``Softmax`` and ``Tanh`` it computes from what they gave.  In a layer that has weights it is one more."""

MASK_SHARE = 1 / 4
"""Of a dropout's result in float32: a truth value for each number."""

PLACE_BYTES = 8
"""What a maximum pooling notes for each result (``max_pool2d_with_indices``)."""

LOSS_COPIES = 6
"""Of the model's results on the way back from a cross-entropy of probabilities: these are scaled to a sum of one, cut
off, their logarithms taken and multiplied (``sparse_categorical_crossentropy`` in keras/src/backend/torch/nn.py)."""

ATTENDING = frozenset({"BatchMatMulV2", "Einsum"})
ATTENTION_COPIES = 3
"""Queries, keys and values with the heads outside, each as large as what attention gives."""

NO_VALUES = frozenset(
    "Cast Const ExpandDims Identity IdentityN Pack Placeholder ReadVariableOp Reshape Shape Squeeze "
    "StridedSlice".split()
)
"""Operations that compute nothing, or nothing that PyTorch would."""


class TorchLayer(NamedTuple):
    """One layer in a forward pass, bytes.

    Args:
        given: What it reads of others.
        made: Its result, if that is not a view.
        kept: What autograd keeps besides.
        passed: What lies between two of its operations on the way back.
    """

    given: PerBatch
    made: PerBatch
    kept: PerBatch
    passed: PerBatch


def torch_layers(graph: StepGraph) -> list[TorchLayer]:
    """The layers in the order of the forward pass.

    Args:
        graph: As TensorFlow traced it, without loops.
    """
    return _Reader(graph).layers()


class _Reader:
    """Looks through a graph, layer by layer."""

    def __init__(self, graph: StepGraph) -> None:
        self._graph = graph
        self._item_bytes = 4 if graph.precision == "float32" else 2
        self._maker = {tensor: op for op in graph.operations for tensor in op.outputs}
        self._readers: dict[int, list[Operation]] = defaultdict(list)
        self._members: dict[int, list[Operation]] = defaultdict(list)
        for op in graph.operations:
            for tensor in op.inputs:
                self._readers[tensor].append(op)
        for op in filter(self._runs_forward, graph.operations):
            if op.layer is not None:
                self._members[op.layer].append(op)
        self._before_a_layer = self._read_by_layers()
        self._differentiable = self._after_weights_that_learn()

    def layers(self) -> list[TorchLayer]:
        found = [self._layer(index, members) for index, members in self._members.items()]
        return [self._between(), *found, self._loss()]

    def _between(self) -> TorchLayer:
        """What operations outside of layers make that a layer reads: sums that the model adds by itself, attention.

        Attention without a dropout is one kernel, which writes no weights (``scaled_dot_product_attention``) and reads
        queries, keys and values from copies of its own.
        """
        outside = (op for op in self._graph.operations if op.layer is None and op.kind not in NO_VALUES)
        own = list(filter(self._runs_forward, outside))
        attending = [(op, reader) for op in own if op.kind == "Softmax" for reader in self._attended_by(op)]
        weights = {self._graph.sizes[op.outputs[0]] for op, _ in attending}
        made = (t for op in own for t in op.outputs if t in self._before_a_layer and self._grows(t))
        held = self._size(t for t in made if self._graph.sizes[t] not in weights)
        copies = self._size(reader.outputs[0] for _, reader in attending).times(ATTENTION_COPIES)
        return TorchLayer(PerBatch(), held, copies, PerBatch())

    def _attended_by(self, softmax: Operation) -> list[Operation]:
        """The products of a softmax's weights with values."""
        readers = self._readers[softmax.outputs[0]]
        return [reader for reader in readers if reader.kind in ATTENDING and self._runs_forward(reader)]

    def _loss(self) -> TorchLayer:
        """What is made of the model's results on the way to the loss and back."""
        made = {i: {t for op in members for t in op.outputs} for i, members in self._members.items()}
        results = {t for i, tensors in made.items() for t in self._results(i, tensors)}
        last = self._size(t for t in results - self._before_a_layer if self._grows(t))
        return TorchLayer(PerBatch(), PerBatch(), PerBatch(), last.times(LOSS_COPIES))

    def _read_by_layers(self) -> set[int]:
        """Tensors of the forward pass that a layer reads, directly or by way of operations outside of layers."""
        found: set[int] = set()
        for op in reversed(self._graph.operations):
            found.update(t for t in op.outputs if self._leaves(t, op.layer, found))
        return found

    def _after_weights_that_learn(self) -> set[int]:
        """Tensors of the forward pass that depend on a weight with a gradient."""
        found: set[int] = set()
        for op in filter(self._runs_forward, self._graph.operations):
            learns = op.variable is not None and self._graph.variables[op.variable].gradient is not None
            if learns or not found.isdisjoint(op.inputs):
                found.update(op.outputs)
        return found

    def _leaves(self, tensor: int, layer: int | None, before_a_layer: set[int]) -> bool:
        """Does another layer read it, directly or by way of operations outside of layers."""
        readers = filter(self._runs_forward, self._readers[tensor])
        return any(not before_a_layer.isdisjoint(r.outputs) if r.layer is None else r.layer != layer for r in readers)

    def _layer(self, index: int, members: list[Operation]) -> TorchLayer:
        kind = self._graph.layers[index].kind
        made = {tensor for op in members for tensor in op.outputs if self._grows(tensor)}
        given = {tensor for op in members for tensor in op.inputs if self._grows(tensor)} - made
        result, source = self._size(self._results(index, made)), self._size(given)
        sums = "Conv" in kind or kind.endswith("Dense")
        passed = result if sums or kind == "BatchNormalization" else PerBatch()
        if kind in LOOKING_ONLY:
            return TorchLayer(PerBatch(), PerBatch(), PerBatch(), PerBatch())
        kept = self._kept(kind, index, source, result, made)
        if sums and _keeps_what_comes_in({op.kind for op in members}):
            kept += result
        if self._differentiable.isdisjoint(made):  # without a weight that learns, here or before, no gradient is wanted
            kept = PerBatch()
        return TorchLayer(source, result, kept, passed)

    def _kept(self, kind: str, index: int, source: PerBatch, result: PerBatch, made: set[int]) -> PerBatch:
        """What autograd keeps of a layer besides its result and what comes in."""
        half = self._item_bytes < 4
        if kind == "BatchNormalization":  # x - mean, before it is scaled in place; in float32, as what it is cast from
            return result.times(4 if half else 1)
        if kind.endswith("LayerNormalization"):
            return result.times(2 if half else 0)
        if kind.endswith("Dropout"):
            return result.times(MASK_SHARE * 4 / self._item_bytes)
        if "Pooling" in kind and "Global" not in kind:
            places = result.times(PLACE_BYTES / self._item_bytes if "Max" in kind else 0)
            return places if kind.endswith("1D") else places + source
        if "Conv" in kind:  # images in the order of channels that cuDNN wants
            turned = not kind.endswith("1D") or kind.endswith("Transpose") or self._comes_from_no_image(index)
            between = (t for t in made if self._maker[t].kind.startswith("Depthwise")) if "Separable" in kind else ()
            return self._size(between) + (source if turned else PerBatch())
        return PerBatch() if kind in PLAIN else self._kept_by_tensorflow(index, made)

    def _comes_from_no_image(self, index: int) -> bool:
        """Does a convolution of one dimension read what lies with the channels last: data, or a product's result."""
        given = (self._maker.get(t) for op in self._members[index] for t in op.inputs if self._grows(t))
        outside = [op for op in given if op is None or op.layer != index]
        return any(op is None or op.layer is None or not self._makes_images(op.layer) for op in outside)

    def _makes_images(self, index: int) -> bool:
        kind = self._graph.layers[index].kind
        return kind not in ("InputLayer", "Embedding") and not kind.endswith("Dense")

    def _kept_by_tensorflow(self, index: int, made: set[int]) -> PerBatch:
        """What TensorFlow's tape keeps within a layer of whose way on PyTorch nobody has told."""
        inner = made - self._results(index, made)
        return self._size(
            t
            for t in inner
            if self._maker[t].kind not in NO_VALUES and any(r.phase == "backward" for r in self._readers[t])
        )

    def _results(self, index: int, made: set[int]) -> set[int]:
        """What others read in the forward pass; if nobody does, what nobody reads in it at all, the largest."""
        read = {t for t in made if self._leaves(t, index, self._before_a_layer)}
        last = [t for t in made if not any(r.layer == index and self._runs_forward(r) for r in self._readers[t])]
        return read or set(sorted(last, key=lambda t: self._graph.sizes[t].per_sample)[-1:])

    def _runs_forward(self, op: Operation) -> bool:
        """Is it of the forward pass: no sum of gradients, which belongs to no layer and is told as of both."""
        if op.kind == "Cast":  # computed from another precision's trace it is told as of its maker
            return any(map(self._runs_forward, self._readers[op.outputs[0]]))
        return op.phase == "forward" and op.kind != "AddN"

    def _grows(self, tensor: int) -> bool:
        """Does a tensor grow with the batch: no weight and no constant."""
        return self._graph.sizes[tensor].per_sample > 0

    def _size(self, tensors: Iterable[int]) -> PerBatch:
        return sum(map(self._bytes, tensors), PerBatch())

    def _bytes(self, tensor: int) -> PerBatch:
        """Of a layer that computes in float32 where others compute in 16 bits the result has 16 bits, too."""
        size, maker = self._graph.sizes[tensor], self._maker.get(tensor)
        if self._item_bytes == 4 or maker is None or maker.layer is None:
            return size
        wide = size.per_sample == 4 * self._graph.layers[maker.layer].output_elements
        return size.times(1 / 2) if wide else size


def _keeps_what_comes_in(kinds: set[str]) -> bool:
    """Does an activation among these operations; a swish is a sigmoid times what goes into it."""
    return bool(kinds & KEEP_WHAT_COMES_IN) or {"Sigmoid", "Mul"} <= kinds
