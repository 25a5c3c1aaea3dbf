"""Read an optimised TensorFlow graph into the columns of a `StepGraph`.

Each tensor's size becomes affine in the batch: traced with a prime batch, a size that the prime divides
is proportional to the batch and any other is constant.  A loop is read as one turn of its body, with
its work and its growing lists multiplied by the trip count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from app.core.types.stepgraph import Loop, Operation, PerBatch, Phase
from app.worker.tracing import cudnn_rnn
from app.worker.tracing.card_scratch import card_scratch
from app.worker.tracing.convolutions import convolution
from app.worker.tracing.loop_bodies import ELEMENT, Argument, body_graph
from app.worker.tracing.loops import constant_value, loop_trip_count
from app.worker.tracing.op_costs import Shape, flops, scratch, wanted_workspace
from app.worker.tracing.reductions import reduction_copy
from app.worker.tracing.step_function import PRIME_BATCH
from app.worker.tracing.written_order import WRITTEN

LIST_WRITES = frozenset({"TensorListPushBack", "TensorListSetItem"})
CHANGES_LAYOUT = tuple(
    f"Transpose{turned}-LayoutOptimizer" for turned in ("NHWCToNCHW", "NDHWCToNCDHW", "NCHWToNHWC", "NCDHWToNDHWC")
)
"""How Grappler's names end of what it turns for a card, and turns back (core/grappler/optimizers)."""

GRADIENTS_OF_IMAGES = ("Conv2DBackpropInput", "DepthwiseConv2dNativeBackpropInput", "Conv3DBackpropInputV2")
PASSES_ON = ("Identity", "DataFormatVecPermute")
"""A list of dimensions goes through these; all shapes are told with channels last, so its order stays."""

_CALLS = {
    "While": "body",
    "StatelessWhile": "body",
    "If": "then_branch",
    "StatelessIf": "then_branch",
    "PartitionedCall": "f",
    "StatefulPartitionedCall": "f",
}
"""Operations that call a function, and the attribute that names it; of an ``If`` the first branch is read."""


@dataclass
class GraphReader:
    """Collects tensors and operations while walking nodes; `read` is the way in.

    Args:
        library: Function definitions by name.
        reads: Variable index by the name of the operation that reads it (its handle is not followed).
        handles: Variable index by the name of the placeholder that stands for its handle.
        variable_shapes: Shapes of the model's variables.
        shapes: Output shapes by operation name, as traced; they win over inferred ones.
        layer_of: Index of the layer that an operation belongs to, by name, or None.
    """

    library: dict[str, Any]
    reads: dict[str, int]
    handles: dict[str, int]
    variable_shapes: tuple[Shape, ...]
    shapes: dict[str, list[Shape | None]]
    layer_of: Callable[[str], int | None]
    sizes: list[PerBatch] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    _tensors: dict[str, int] = field(default_factory=dict)
    _shapes: dict[int, tuple[Shape | None, Any]] = field(default_factory=dict)
    _variables: dict[int, int] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)
    _elements: dict[int, tuple[Shape | None, Any]] = field(default_factory=dict)
    _weights: set[int] = field(default_factory=set)
    _keepers: dict[str, int] = field(default_factory=dict)
    """Of a value in a loop, by name, the list that holds it in every turn."""
    _states: dict[str, str] = field(default_factory=dict)
    """What a loop hands from turn to turn: the name of what comes with that of what goes, and the other way round."""
    _lengths: dict[int, float] = field(default_factory=dict)
    _trip_counts: dict[str, int] = field(default_factory=dict)
    _stages: dict[str, int] = field(default_factory=dict)
    """After how many loops of gradients, one after the other, an operation of the main graph comes."""

    def read(self, graph: Any) -> None:
        """Walk all nodes of a ``tf.Graph`` in topological order."""
        for op in graph.get_operations():
            before = (*(tensor.op for tensor in op.inputs), *op.control_inputs)
            self._stages[op.name] = max((self._stages[given.name] for given in before), default=0)
            self._operation(op, prefix="", loop=None)

    def tensor(self, name: str) -> int:
        """Index of the first output of an operation of the main graph."""
        return self._tensors[f"{name}:0"]

    def has(self, name: str) -> bool:
        """Is there such an operation with an output."""
        return f"{name}:0" in self._tensors

    def _operation(self, op: Any, prefix: str, loop: int | None) -> None:
        if not prefix and op.name in self.handles:
            self._variables[self._new_tensor(op.outputs[0], prefix)] = self.handles[op.name]
            return
        if op.type in _CALLS:
            self._call(op, prefix, loop)
            return
        trip_count = 1 if loop is None else self.loops[loop].trip_count
        inputs = tuple(self._tensors[prefix + t.name] for t in op.inputs)
        variable = self.reads.get(prefix + op.name)
        if variable is None:
            variable = next((self._variables[i] for i in inputs if i in self._variables), None)
        outputs = tuple(self._new_tensor(t, prefix) for t in op.outputs)
        in_shapes = [self._shapes[i][0] for i in inputs]
        out_shapes = [self._shapes[i][0] for i in outputs]
        phase: Phase = "backward" if "gradient_tape" in op.name or prefix.startswith("gradient_tape") else "forward"
        inputs += self._size_lists(op, prefix, inputs, outputs, loop)
        item_bytes = max([t.dtype.size for t in (*op.inputs, *op.outputs) if t.dtype.is_floating], default=4)
        control = tuple(self._last[prefix + c.name] for c in op.control_inputs if prefix + c.name in self._last)
        attributes = op.node_def.attr
        work = flops(op.type, attributes, in_shapes, out_shapes) * trip_count
        needed = scratch(op.type, attributes, in_shapes, out_shapes, item_bytes)
        on_card = card_scratch(op.type, attributes, in_shapes, out_shapes, item_bytes)
        copy = reduction_copy(op, in_shapes[0] if in_shapes else None, item_bytes)
        wish = wanted_workspace(op.type, in_shapes, out_shapes, item_bytes)
        made = Operation(
            kind="ReadVariableOp" if prefix + op.name in self.reads else op.type,
            inputs=tuple(i for i in inputs if i not in self._variables),
            outputs=outputs,
            phase=phase,
            layer=self.layer_of(prefix + op.name),
            flops=per_batch(work),
            scratch=sum(map(per_batch, (*needed, *copy)), PerBatch()),
            wanted_workspace=per_batch(wish),
            control=control,
            variable=variable,
            loop=loop,
            card_scratch=tuple(sum(map(per_batch, piece), PerBatch()) for piece in (*on_card, copy) if piece),
            convolution=convolution(op.type, attributes, in_shapes, out_shapes),
            written=tuple(attributes[WRITTEN].list.i),
        )
        if made.kind == "ReadVariableOp":
            self._weights.update(outputs)
        self._last[prefix + op.name] = len(self.operations)
        self.operations.append(made)

    def _new_tensor(self, tensor: Any, prefix: str) -> int:
        """Register an output and return its index."""
        index = len(self.sizes)
        shape = self._shape_of(tensor, prefix)
        numeric = tensor.dtype.name not in ("resource", "variant", "string")
        if tensor.op.type == cudnn_rnn.FORWARD and tensor.value_index == cudnn_rnn.RESERVE_OUTPUT:
            given = [self._shapes[self._tensors[prefix + t.name]][0] for t in tensor.op.inputs]
            shape = (cudnn_rnn.reserve_bytes(tensor.op.node_def.attr, given, tensor.dtype.size) // tensor.dtype.size,)
        self.sizes.append(
            per_batch(math.prod(shape) * tensor.dtype.size) if shape is not None and numeric else PerBatch()
        )
        self._tensors[prefix + tensor.name] = index
        self._shapes[index] = (shape, tensor.dtype)
        return index

    def _shape_of(self, tensor: Any, prefix: str) -> Shape | None:
        """The traced shape if there is one, else what TensorFlow infers; None unless fully known.

        What is turned for a card has the shape of what it was: all shapes are told with channels last.  A gradient of
        an image whose shape is computed has that of the image.
        """
        op, port = tensor.op, tensor.value_index
        if op.type == "Transpose" and op.name.endswith(CHANGES_LAYOUT):
            turned = self._shapes[self._tensors[prefix + op.inputs[0].name]][0]
            if turned is not None:
                return turned
        known = self.shapes.get(op.name) if not prefix else _traced_shapes(op.node_def)
        traced: Shape | None = known[port] if known is not None and port < len(known) else None
        if traced is None and tensor.shape.rank is not None:
            traced = full_shape(tensor.shape.as_list())
        if traced is None and op.type in GRADIENTS_OF_IMAGES:
            traced = self._shape_told_by(op.inputs[0], prefix)
        return traced

    def _shape_told_by(self, dimensions: Any, prefix: str) -> Shape | None:
        """The shape of the tensor that a list of dimensions was taken from; None if it was made otherwise."""
        op, port = dimensions.op, dimensions.value_index
        while op.type in PASSES_ON:
            op, port = op.inputs[0].op, op.inputs[0].value_index
        return self._shapes[self._tensors[prefix + op.inputs[port].name]][0] if op.type in ("Shape", "ShapeN") else None

    def _size_lists(
        self, op: Any, prefix: str, inputs: tuple[int, ...], outputs: tuple[int, ...], loop: int | None
    ) -> tuple[int, ...]:
        """Sizes of tensor lists, whose shapes TensorFlow does not tell.

        A list that gains one element a turn ends with ``trip_count`` of them, unless it has a length, such as one for a
        recurrent layer that returns its last output only.  Weights are shared and take nothing.  A list made from a
        tensor copies it element by element (core/kernels/list_kernels.h); any other operation passes its list on.

        Returns:
            The list that holds already what is written, if there is one.
        """
        keeper: tuple[int, ...] = ()
        if op.type == "TensorListGetItem":
            self._keepers[f"{prefix}{op.name}{ELEMENT}:0"] = inputs[0]
        for tensor, index in zip(op.outputs, outputs, strict=True):
            if tensor.dtype.name != "variant" or not inputs:
                continue
            given, element = self.sizes[inputs[0]], self._elements.get(inputs[0])
            length = self._lengths.get(inputs[0])
            if op.type == "TensorListReserve":
                length = constant_value(op.inputs[1])
            elif op.type in LIST_WRITES:
                trip_count = 1 if loop is None else self.loops[loop].trip_count
                item = PerBatch() if inputs[-1] in self._weights else self.sizes[inputs[-1]]
                count = trip_count if length is None else min(trip_count, length)
                given = PerBatch(item.fixed * count, item.per_sample * count)
                element = self._shapes[inputs[-1]]
                if count == trip_count > 1:
                    keeper = self._kept(prefix + _origin(op.inputs[-1]).name, index)
            elif op.type == "TensorListFromTensor":
                shape, dtype = self._shapes[inputs[0]]
                element = (shape[1:] if shape else None, dtype)
                length = shape[0] if shape else None
            self.sizes[index] = given
            if length is not None:
                self._lengths[index] = length
            if element is not None:
                self._elements[index] = element
        return keeper

    def _kept(self, name: str, by: int) -> tuple[int, ...]:
        """The list that holds a value of a loop already: in this turn, or a state in the one before or after.

        Args:
            name: Of the value.
            by: The list that holds it from now on.
        """
        keeper = self._keepers.get(name, self._keepers.get(self._states.get(name, "")))
        self._keepers.setdefault(name, by)
        return () if keeper is None else (keeper,)

    def _call(self, op: Any, prefix: str, loop: int | None) -> None:
        """Read the called function's body in place of the call."""
        name = op.node_def.attr[_CALLS[op.type]].func.name
        inputs = list(op.inputs)[1:] if op.type in ("If", "StatelessIf") else list(op.inputs)
        given = [self._tensors[prefix + t.name] for t in inputs]
        arguments = [self._argument(*pair) for pair in zip(inputs, given, strict=True)]
        body, reads = body_graph(self.library[name], arguments)
        inner = f"{prefix}{op.name}/"
        if "While" in op.type:
            loop = self._begin_loop(op, prefix, loop)
            for comes, goes in zip(body.inputs, body.outputs, strict=True):
                pair = (inner + comes.name, inner + _origin(goes).name)
                self._states.update([pair, pair[::-1]])
        self.reads.update({inner + read: variable for read, variable in reads.items()})
        self._tensors.update({inner + t.name: i for t, i in zip(body.inputs, given, strict=True)})
        placeholders = {t.op.name for t in body.inputs}
        for node in body.get_operations():
            if node.name not in placeholders:
                self._operation(node, inner, loop)
        results = [self._tensors[inner + t.name] for t in body.outputs]
        if "While" in op.type:
            results = self._end_loop(results)
        for out, result in zip(op.outputs, results, strict=True):
            self._tensors[prefix + out.name] = result

    def _begin_loop(self, op: Any, prefix: str, outer: int | None) -> int:
        """Register a loop and return its index."""
        of_gradients = self._gradient_of_loop(op.name)
        own = of_gradients or loop_trip_count(op, self.library)
        self._trip_counts[op.name] = own
        parallel = min(own, int(op.node_def.attr["parallel_iterations"].i) or 1)
        stage = self._stages[op.name] if of_gradients and not prefix else None
        if stage is not None:
            self._stages[op.name] = stage + 1
        self.loops.append(Loop(own * (1 if outer is None else self.loops[outer].trip_count), parallel, stage))
        return len(self.loops) - 1

    def _end_loop(self, results: list[int]) -> list[int]:
        """What is passed from turn to turn, lists above all, lives until the last turn, and is read only then."""
        ended = {given: len(self.sizes) + n for n, given in enumerate(sorted(set(results) - self._variables.keys()))}
        for given, index in ended.items():
            self.sizes.append(self.sizes[given])
            self._shapes[index] = self._shapes[given]
            if given in self._elements:
                self._elements[index] = self._elements[given]
            if given in self._weights:
                self._weights.add(index)
        self.operations.append(Operation("LoopEnd", tuple(ended), tuple(ended.values())))
        return [ended.get(given, given) for given in results]

    def _gradient_of_loop(self, name: str) -> int | None:
        """Trip count of the loop whose gradient this one is: it turns as often, but its bound is no constant."""
        return next(
            (trip_count for loop, trip_count in self._trip_counts.items() if name.endswith(f"{loop}_grad")), None
        )

    def _argument(self, tensor: Any, index: int) -> Argument:
        """What a function's body cannot know of an argument."""
        variable = self._variables.get(index)
        element = self._elements.get(index)
        known = variable is not None and variable >= 0
        return Argument(
            shape=tensor.shape,
            variable=variable if known else None,
            variable_shape=self.variable_shapes[variable] if known and variable is not None else None,
            element=element[0] if element else None,
            element_dtype=element[1].as_datatype_enum if element else None,
        )


def _origin(tensor: Any) -> Any:
    """What a chain of ``Identity`` passes on."""
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def full_shape(dimensions: list[int | None]) -> Shape | None:
    """The dimensions as a shape, or None if one is unknown."""
    return tuple(d for d in dimensions if d is not None) if all(d is not None for d in dimensions) else None


def _traced_shapes(node: Any) -> list[Shape | None] | None:
    """What tracing noted in ``_output_shapes``."""
    if "_output_shapes" not in node.attr:
        return None
    found: list[Shape | None] = []
    for shape in node.attr["_output_shapes"].list.shape:
        sizes = [d.size for d in shape.dim]
        found.append(None if shape.unknown_rank or any(n < 0 for n in sizes) else tuple(sizes))
    return found


def traced_shapes(graph: Any) -> dict[str, list[Shape | None]]:
    """Output shapes of all operations of a traced ``tf.Graph``, by name."""
    found: dict[str, list[Shape | None]] = {}
    for op in graph.get_operations():
        found[op.name] = [full_shape(t.shape.as_list()) if t.shape.rank is not None else None for t in op.outputs]
    return found


def per_batch(amount: float) -> PerBatch:
    """An amount at the prime batch for any: proportional if the prime divides it, else constant."""
    if amount and amount % PRIME_BATCH == 0:
        return PerBatch(0, amount / PRIME_BATCH)
    return PerBatch(amount, 0)
