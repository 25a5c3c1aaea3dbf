"""A step traced in float32, as it would be in another precision: arithmetic instead of a second trace.

Under a policy of 16 bits a layer computes in half precision and its tensors take half the bytes.  What
stays in float32, by Keras 3.15:

* normalisation layers compute in float32 and give back half precision (``call`` in
  keras/src/layers/normalization/batch_normalization.py; ``layer_normalization`` in keras/src/ops/nn.py);
* embeddings look rows up in the table as it is and cast the rows (keras/src/layers/core/embedding.py);
* attention's scores, where one function computes it (`app.core.simulate.attention`);
* the loss takes predictions cast to float32 (keras/src/trainers/trainer.py, ``compute_loss``);
* weights, their gradients and the optimizer's state, unless the policy is pure ``float16`` or ``bfloat16``.

Wherever a tensor of one width meets an operation of the other, TensorFlow has a ``Cast``, whose result is a
tensor of its own; so a weight's half copy lives as long as the backward pass needs it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.core.simulate.attention import scores_in_full
from app.core.types.plan_values import Precision
from app.core.types.stepgraph import Operation, PerBatch, Phase, StepGraph, Variable
from app.core.types.text import phrase

FULL_LAYERS = frozenset(
    "BatchNormalization LayerNormalization GroupNormalization RMSNormalization Embedding ReversibleEmbedding "
    "TokenAndPositionEmbedding PositionEmbedding".split()
)
"""Kinds of layers that compute in float32 whatever the policy."""

NO_FLOATS = frozenset(
    "All Any ArgMax ArgMin BroadcastGradientArgs Equal Greater GreaterEqual IsFinite IsInf IsNan Less LessEqual "
    "LogicalAnd LogicalNot LogicalOr NoOp NotEqual Range Rank Shape ShapeN Size VariableShape Where".split()
)
"""Kinds whose results are whole numbers or truth values."""

MOVING = frozenset(
    "BroadcastTo ConcatV2 ExpandDims GatherV2 Identity Pack PadV2 Reshape ReverseV2 Slice Squeeze StridedSlice Tile "
    "Transpose Unpack".split()
)
"""Kinds whose results are of the type of what comes in first."""

TRUTH_VALUES = (4, 8)
"""A truth value takes so much less than the number that it is cast from."""

LOOPS = frozenset("TensorListPushBack TensorListSetItem TensorListReserve LoopEnd".split())
"""Kinds of a loop that keeps values for its backward pass.  Casts inside a loop are kept for each turn, weights
cast anew in each turn among them, so a recurrent network needs more in half precision, not less: only a trace
can tell."""

LOSSES_OF_LOGITS = frozenset("SparseSoftmaxCrossEntropyWithLogits SoftmaxCrossEntropyWithLogits Log1p".split())
"""What a cross-entropy computes from values before a softmax or a sigmoid (``Log1p`` is the latter's)."""

SUMMED_BESIDE = frozenset({"Softmax", "LogSoftmax"})
"""Kinds that add up beside their result; a card does so in float32."""

NOTABLE_SHARE = 0.01
"""Logits below this share of what the forward pass makes change no answer that anybody could notice."""

ASSUMPTION = phrase("16-bit sizes computed from the trace in float32")


def cast_graph(graph: StepGraph, precision: Precision) -> StepGraph | None:
    """The step of a float32 graph under another precision; None if arithmetic does not do.

    That is so for graphs that were not traced in float32, for loops (`LOOPS`), and for a loss of large logits: in
    float32 Keras finds the values before the last activation and goes on from there, while a cast hides them, so
    that the loss clips the probabilities, takes their logarithm, and keeps all of it for its gradient
    (``_get_logits`` in keras/src/backend/tensorflow/nn.py).  A language model of 5000 words took 164 MiB in
    float32 and 337 MiB in mixed_bfloat16 (allocator traces, TensorFlow 2.21).

    Args:
        graph: A traced step.
        precision: Keras dtype policy.
    """
    if precision == graph.precision:
        return graph
    if graph.precision != "float32" or any(op.kind in LOOPS for op in graph.operations):
        return None
    if _has_large_logits(graph):
        return None
    return _Caster(graph, pure=not precision.startswith("mixed")).cast(precision)


@dataclass
class _Caster:
    """State while the operations are rewritten in their order."""

    graph: StepGraph
    pure: bool
    """Weights have 16 bits too."""
    sizes: list[PerBatch] = field(init=False)
    operations: list[Operation] = field(init=False, default_factory=list)
    _float_inputs: set[int] = field(init=False)
    _half: list[bool] = field(init=False)
    """Is a tensor of 16 bits."""
    _fixed_width: set[int] = field(init=False, default_factory=set)
    """Tensors that are no floats, or come in any width."""
    _no_floats: set[int] = field(init=False, default_factory=set)
    """Those of them that are whole numbers or truth values."""
    _cast: dict[int, int] = field(init=False, default_factory=dict)
    """The tensor of the other width, by the tensor that was cast."""
    _maker: dict[int, tuple[Phase, int | None]] = field(init=False, default_factory=dict)
    """Phase and layer of the operation that made a tensor."""
    _place: dict[int, int] = field(init=False, default_factory=dict)
    """Where an operation of the old graph stands in the new one."""

    def __post_init__(self) -> None:
        self.sizes = list(self.graph.sizes)
        self._half = [False] * len(self.sizes)
        facts = self.graph.model
        given = zip(self.graph.input_tensors, facts.input_dtypes, strict=False)
        self._float_inputs = {tensor for tensor, dtype in given if dtype.startswith("float")}

    def cast(self, precision: Precision) -> StepGraph:
        """The rewritten graph."""
        gradients = {v.gradient for v in self.graph.variables if v.gradient is not None}
        full = _loss_operations(self.graph) | scores_in_full(self.graph)
        for index, op in enumerate(self.graph.operations):
            if gradients.isdisjoint(op.outputs):
                half = index not in full and self._computes_in_half(op)
            else:  # as wide as the weight, but for the gradient's own operation, where it is no mere name
                half = self.pure or (op.kind != "Identity" and self._computes_in_half(op))
            self._append(index, op, half)
            for tensor in gradients.intersection(op.outputs):
                if self._half[tensor] != self.pure:
                    self._cast_of(tensor, op)
        variables = tuple(self._variable(v) for v in self.graph.variables)
        model = replace(self.graph.model, assumptions=(*self.graph.model.assumptions, ASSUMPTION))
        return replace(
            self.graph,
            model=model,
            precision=precision,
            variables=variables,
            sizes=tuple(self.sizes),
            operations=tuple(self.operations),
            on_cuda=None,
        )

    def _computes_in_half(self, op: Operation) -> bool:
        """The width of an operation: its layer's, or its inputs' where it belongs to no layer."""
        if op.kind == "ReadVariableOp":
            return self.pure
        if op.layer is not None:
            return self.graph.layers[op.layer].kind not in FULL_LAYERS
        return any(self._half[t] or self._leaves_full_layer(t) for t in op.inputs if t not in self._fixed_width)

    def _leaves_full_layer(self, tensor: int) -> bool:
        """Does whoever reads a tensor outside its layer, such as an activation's own gradient, find it in half."""
        phase, layer = self._maker.get(tensor, (None, None))
        return phase == "forward" and layer is not None and self.graph.layers[layer].kind in FULL_LAYERS

    def _append(self, index: int, op: Operation, half: bool) -> None:
        """Rewrite one operation: cast what comes in another width, halve what it makes."""
        inputs = tuple(self._as_width(t, half, op) for t in op.inputs)
        no_floats = self._makes_no_floats(op)
        typed = not no_floats and op.kind != "Placeholder"
        factor = 0.5 if half and typed else 1.0
        for tensor in op.outputs:
            self._half[tensor] = half and typed
            self._maker[tensor] = (op.phase, op.layer)
            if no_floats:
                self._no_floats.add(tensor)
            if (not typed or op.kind == "Const") and tensor not in self._float_inputs:
                self._fixed_width.add(tensor)
            self.sizes[tensor] = self.sizes[tensor].times(factor)
        self._place[index] = len(self.operations)
        self.operations.append(
            replace(
                op,
                inputs=inputs,
                scratch=op.scratch.times(factor),
                card_scratch=self._card_scratch(op, factor),
                wanted_workspace=op.wanted_workspace.times(factor),
                control=tuple(self._place[c] for c in op.control if c in self._place),
            )
        )

    def _card_scratch(self, op: Operation, factor: float) -> tuple[PerBatch, ...]:
        """What a card's kernel takes beside its result; sums stay in float32 (`app.worker.tracing.card_scratch`)."""
        if op.kind == "ResizeBilinearGrad" and factor != 1:
            return (self.graph.sizes[op.outputs[0]],)
        narrow = op.card_scratch[:1] if op.kind in SUMMED_BESIDE else op.card_scratch
        return (*(piece.times(factor) for piece in narrow), *op.card_scratch[len(narrow) :])

    def _makes_no_floats(self, op: Operation) -> bool:
        """Does an operation make whole numbers or truth values."""
        if op.kind in MOVING and op.inputs:
            return op.inputs[0] in self._no_floats
        if op.kind == "Cast":
            given, made = self.graph.sizes[op.inputs[0]], self.graph.sizes[op.outputs[0]]
            return given != PerBatch() and any(given == made.times(more) for more in TRUTH_VALUES)
        return op.kind in NO_FLOATS

    def _as_width(self, tensor: int, half: bool, reader: Operation) -> int:
        """The tensor in the reader's width."""
        if tensor in self._fixed_width or self._half[tensor] == half or reader.kind in NO_FLOATS:
            return tensor
        if self.sizes[tensor] == PerBatch():
            return tensor
        return self._cast_of(tensor, reader)

    def _cast_of(self, tensor: int, reader: Operation) -> int:
        """The same values in the other width, cast once for all readers."""
        if tensor not in self._cast:
            made = len(self.sizes)
            self.sizes.append(self.sizes[tensor].times(2.0 if self._half[tensor] else 0.5))
            self._half.append(not self._half[tensor])
            self._cast[tensor] = made
            phase, layer = self._maker.get(tensor, (reader.phase, None))
            layer = reader.layer if phase == "forward" else layer
            self.operations.append(Operation("Cast", (tensor,), (made,), phase, layer))
        return self._cast[tensor]

    def _variable(self, variable: Variable) -> Variable:
        """A weight in its new width; its gradient has the same."""
        gradient = variable.gradient
        if gradient is not None and self._half[gradient] != self.pure:
            gradient = self._cast[gradient]
        floats = self.pure and variable.dtype == "float32"
        return replace(
            variable, gradient=gradient, size_bytes=variable.size_bytes // 2 if floats else variable.size_bytes
        )


def _loss_operations(graph: StepGraph) -> set[int]:
    """Operations of the loss: outside of layers, fed by a target or read by nothing else than the loss."""
    targets = set(graph.input_tensors[len(graph.model.input_shapes) :])
    readers: dict[int, list[int]] = {}
    found: set[int] = set()
    after_target = set(targets)
    for index, op in enumerate(graph.operations):
        for tensor in op.inputs:
            readers.setdefault(tensor, []).append(index)
        if op.layer is None and op.phase == "forward" and after_target.intersection(op.inputs):
            found.add(index)
            after_target.update(op.outputs)
    for index in reversed(range(len(graph.operations))):
        op = graph.operations[index]
        if op.layer is not None or op.phase != "forward" or index in found or op.kind in ("ReadVariableOp", "Const"):
            continue
        ahead = {r for t in op.outputs for r in readers.get(t, ()) if graph.operations[r].phase == "forward"}
        if ahead and ahead <= found:
            found.add(index)
    return found


def _has_large_logits(graph: StepGraph) -> bool:
    """Does the loss take logits that are a notable share of what the forward pass makes."""
    forward = [op for op in graph.operations if op.phase == "forward"]
    made = sum(graph.sizes[tensor].per_sample for op in forward for tensor in op.outputs)
    logits = [
        graph.sizes[op.inputs[0]].per_sample
        for op in forward
        if op.layer is None and op.kind in LOSSES_OF_LOGITS and op.inputs
    ]
    return max(logits, default=0.0) > NOTABLE_SHARE * made
