"""One training step as a flat program: the traced graph with the optimizer's update appended.

Tensors that share memory become one *buffer*; operations refer to buffers.  What each kind of
operation does with its buffers (views, in-place forwarding, variable updates) stands here, with its
source in TensorFlow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from app.core.optimizers import NOTHING_ADDED, UpdateOperation, UpdateOptions, result_bytes, slots, update_stages
from app.core.stepgraph import Line, Operation, StepGraph, Variable

Kernels = Literal["host", "card", "xla"]

VIEWS = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient EnsureShape Snapshot Bitcast "
    "CheckNumerics OptionalFromValue OptionalGetValue LoopEnd".split()
)
"""Kinds whose first output is their first input's buffer (core/kernels/identity_op.h, reshape_op.h …)."""

RESHAPES = frozenset("Reshape Squeeze ExpandDims Bitcast".split())
"""Views with other dimensions: to XLA they are instructions (bitcasts) of their own."""

IN_PLACE = frozenset(
    "Abs Add AddN AddV2 BiasAdd Ceil Clip ClipByValue Cos Div DivNoNan Elu EluGrad Erf Erfc Exp Expm1 FloorDiv "
    "FloorMod Inv InvGrad LeakyRelu LeakyReluGrad Log Log1p LogSoftmax Maximum Minimum Mul MulNoNan Neg Pow RealDiv "
    "Reciprocal ReciprocalGrad Relu Relu6 Relu6Grad ReluGrad Round Rsqrt RsqrtGrad SelectV2 Selu SeluGrad Sigmoid "
    "SigmoidGrad Sign Sin Softmax SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad Softsign "
    "SparseSoftmaxCrossEntropyWithLogits Sqrt SqrtGrad Square SquaredDifference Sub Tan Tanh TanhGrad "
    "TensorListPopBack TensorListPushBack TensorListSetItem Xdivy Xlogy".split()
)
"""Kinds that write over an input of the same size which nobody else needs
(``forward_input_or_allocate_output`` in core/kernels/cwise_ops_common.h, relu_op.h, bias_op.cc, cwise_op_select.cc,
sparse_xent_op.cc …)."""

POOLINGS = frozenset({"MaxPool", "MaxPool3D"})
POOLING_GRADIENTS = frozenset({"MaxPoolGrad", "MaxPool3DGrad"})

NO_OUTPUT_MEMORY = frozenset(
    "NoOp Shape ShapeN VariableShape Size Rank BroadcastGradientArgs".split()
)

@dataclass
class Buffer:
    """A piece of memory: its size, and what it holds."""

    size: Line
    role: str
    layer: int | None = None
    owner: int | None = None
    """Variable or slot that lives here."""


@dataclass
class Step:
    """One operation over buffers."""

    kind: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    after: tuple[int, ...]
    """Steps that must have ended before."""
    updates: int | None = None
    """Buffer of the variable that is changed."""
    scratch: Line = Line()
    layer: int | None = None
    phase: str = "forward"
    flops: Line = Line()


@dataclass
class Program:
    """Steps over buffers; the first ``resident`` buffers exist before the step and after it."""

    buffers: list[Buffer] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    resident: int = 0
    inputs: tuple[int, ...] = ()
    kept: frozenset[int] = frozenset()
    """Buffers that stay alive to the end (outputs and constants)."""


def build_program(
    graph: StepGraph, optimizer: str, *, accumulate: int = 1, updating: bool = True, kernels: Kernels = "card",
    options: UpdateOptions = NOTHING_ADDED,
) -> Program:  # fmt: skip
    """Flatten a graph and append the update of every variable that has a gradient.

    ``kernels`` says whose kernels run the operations, because their needs of scratch differ; for XLA, reshapes
    and elements taken from lists are steps of their own.

    With ``accumulate`` above 1 every weight has an accumulator: a step that is not ``updating`` adds its
    gradients to them, one that is takes the mean, updates, and starts them anew with zeros
    (keras/src/optimizers/base_optimizer.py, ``_backend_apply_gradients``).  ``options`` are what the
    training adds to the optimizer; mixed_float16 adds loss scaling of its own accord
    (keras/src/trainers/trainer.py, ``compile``).
    """
    builder = _Builder(graph, optimizer, accumulate, kernels, updating, options)
    builder.add_residents()
    builder.add_operations()
    builder.add_updates()
    return builder.finish()


@dataclass
class _Update:
    """One weight's update in the making: what its recipe's names stand for, and which step made them."""

    variable: Variable
    stages: tuple[tuple[UpdateOperation, ...], ...]
    names: dict[str, int]
    makers: dict[str, int]
    sparse: set[str]
    """Names of what holds only the rows that a batch looked up."""


class _Builder:
    """State while flattening."""

    def __init__(
        self, graph: StepGraph, optimizer: str, accumulate: int, kernels: Kernels, updating: bool,
        options: UpdateOptions,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.options = options
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.kernels = kernels
        self.updating = updating
        self.keep_views = kernels == "xla"
        self.program = Program()
        self.weight: list[int] = []
        self.slots: list[list[int]] = []
        self.of_tensor: dict[int, int] = {}
        self.maker: dict[int, int] = {}
        self.step_of: dict[int, int] = {}
        self.last_access: dict[int, list[int]] = {}
        self.scattered: set[int] = set()
        self.winners: dict[int, int] = {}
        self.pooled = {t for op in graph.operations if op.kind in POOLING_GRADIENTS for t in op.inputs[1:2]}
        self.condition: int | None = None
        """The step that decides whether there is an update; all of one branch waits for it."""

    def add_residents(self) -> None:
        """Weights, optimizer slots and the batch."""
        for index, variable in enumerate(self.graph.variables):
            self.weight.append(self._buffer(Line(variable.size_bytes), "weights", variable.layer, index))
        for owner, variable in enumerate(self.graph.variables):
            sizes = self._slot_sizes(variable)
            self.slots.append([self._buffer(Line(n), "optimizer_state", variable.layer, owner) for n in sizes])
        for tensor in self.graph.input_tensors:
            self.of_tensor[tensor] = self._buffer(self.graph.sizes[tensor], "inputs")
        self.program.inputs = tuple(self.of_tensor[tensor] for tensor in self.graph.input_tensors)
        self.program.resident = len(self.program.buffers)

    def add_operations(self) -> None:
        """The traced operations in order."""
        for index, op in enumerate(self.graph.operations):
            if op.kind == "Placeholder":
                self._take_from_list(op)
                continue
            reads = tuple(self.of_tensor[t] for t in op.inputs if t in self.of_tensor)
            variable = self.weight[op.variable] if op.variable is not None and op.variable >= 0 else None
            after = [self.maker[t] for t in op.inputs if t in self.maker]
            after += [self.step_of[c] for c in op.control if c in self.step_of]
            writes = self._outputs(op.kind, op.inputs, op.outputs, variable, op.layer, op.phase)
            if op.kind in POOLINGS and self.kernels == "host" and op.outputs[0] in self.pooled:
                writes += (self._winners(op.outputs[0], op.layer),)
            elif op.kind in POOLING_GRADIENTS:
                reads += tuple(self.winners[t] for t in op.inputs[1:2] if t in self.winners)
            updates = variable if op.kind.startswith("Assign") else None
            if variable is not None and updates is None:
                reads += (variable,)
            step = Step(op.kind, reads, writes, tuple(dict.fromkeys(after)), updates,
                        self._scratch(op), op.layer, op.phase, op.flops)  # fmt: skip
            self._append(step)
            self.step_of[index] = len(self.program.steps) - 1
            for tensor in op.outputs:
                self.maker[tensor] = len(self.program.steps) - 1

    def _take_from_list(self, op: Operation) -> None:
        """An element that the reader put beside the operation that takes it from a list.

        It lies in the list; only XLA makes it a value of its own.
        """
        takers = [self.step_of[c] for c in op.control if c in self.step_of]
        if not takers:
            return
        self.maker.update(dict.fromkeys(op.outputs, takers[0]))
        source = self.program.steps[takers[0]]
        if self.keep_views and source.reads:
            writes = self._outputs("ListElement", (), op.outputs, None, op.layer, op.phase)
            self._append(Step("ListElement", source.reads[:1], writes, (takers[0],), layer=op.layer, phase=op.phase))
            self.maker.update(dict.fromkeys(op.outputs, len(self.program.steps) - 1))

    def add_updates(self) -> None:
        """The optimizer's operations for each weight, in the order of the weights."""
        if self.graph.mode != "train":
            return
        updates = [
            self._begin_update(index, variable, variable.gradient)
            for index, variable in enumerate(self.graph.variables)
            if variable.gradient is not None and variable.gradient in self.of_tensor
        ]
        for number in range(max((len(update.stages) for update in updates), default=0)):
            if number:
                gate = self._wait_for_all(updates)
                self.condition = gate if self._loss_scaled() else None
            for update in updates:
                self._run_stage(update, update.stages[number])
        if self.accumulate > 1 and self.updating:
            self._reset_accumulators(updates)

    def finish(self) -> Program:
        """The finished program."""
        self._copy_on_read()
        kept = {self.of_tensor[t] for t in (*self.graph.outputs, *self.graph.constants) if t in self.of_tensor}
        self.program.kept = frozenset(kept)
        return self.program

    def _copy_on_read(self) -> None:
        """A weight whose rows are updated in place is copied whenever it is read.

        Source: ``EnsureSparseVariableAccess`` in core/kernels/training_op_helpers.h.
        """
        for index, step in enumerate(self.program.steps):
            if step.kind == "ReadVariableOp" and step.reads and step.reads[0] in self.scattered:
                weight = self.program.buffers[step.reads[0]]
                self.program.buffers[step.writes[0]] = Buffer(weight.size, "activations", weight.layer)
                self.program.steps[index] = replace(step, kind="Copy")

    def _outputs(
        self, kind: str, inputs: tuple[int, ...], outputs: tuple[int, ...], variable: int | None, layer: int | None,
        phase: str,
    ) -> tuple[int, ...]:  # fmt: skip
        """Buffers that an operation makes; views make none."""
        a_view = kind in VIEWS and not (self.keep_views and kind in RESHAPES)
        if a_view and not self.of_tensor.keys().isdisjoint(inputs):
            for given, made in zip(inputs, outputs, strict=False):
                if given in self.of_tensor:
                    self.of_tensor[made] = self.of_tensor[given]
            return ()
        if kind in NO_OUTPUT_MEMORY:
            return ()
        role = "constants" if kind == "Const" else "activations"
        for tensor in outputs:
            self.of_tensor[tensor] = self._buffer(self.graph.sizes[tensor], role, layer)
        return tuple(self.of_tensor[tensor] for tensor in outputs)

    def _begin_update(self, index: int, variable: Variable, tensor: int) -> _Update:
        """One weight's update before its first operation."""
        gradient = self.of_tensor[tensor]
        self._mark_gradient(gradient)
        stages = update_stages(
            self.optimizer, variable.shape, variable.path, self.options,
            loss_scaled=self._loss_scaled(), accumulating=self.accumulate > 1, updating=self.updating,
        )  # fmt: skip
        names = {"g": gradient, "w": self.weight[index], **dict(zip(self._slot_names(variable), self.slots[index],
                                                                    strict=False))}  # fmt: skip
        sparse = {"g"} if variable.sparse_gradient else set()
        return _Update(variable, stages, names, {"g": self.maker[tensor]}, sparse)

    def _loss_scaled(self) -> bool:
        """Does Keras scale the loss: it wraps the optimizer if the model computes in float16."""
        return self.graph.precision == "mixed_float16"

    def _wait_for_all(self, updates: list[_Update]) -> int:
        """A step that has all gradients and that no gradient's next stage can overtake; the step's index."""
        gradients = tuple(update.names["g"] for update in updates)
        after = tuple(dict.fromkeys(maker for update in updates for maker in update.makers.values()))
        self._append(Step("AllReady", gradients, (), after, phase="update"))
        gate = len(self.program.steps) - 1
        for update in updates:
            update.makers["g"] = gate
        return gate

    def _reset_accumulators(self, updates: list[_Update]) -> None:
        """New zeros, one buffer for all accumulators of one size; nothing holds them back until they are needed."""
        zeros: dict[int, tuple[int, int]] = {}
        for update in updates:
            variable, accumulator, layer = update.variable, update.names["acc"], update.variable.layer
            if variable.size_bytes not in zeros:
                made = self._buffer(Line(variable.size_bytes), "optimizer_state", layer)
                self._append(Step("Fill", (), (made,), (), layer=layer, phase="update"))
                zeros[variable.size_bytes] = made, len(self.program.steps) - 1
            made, maker = zeros[variable.size_bytes]
            after = tuple(dict.fromkeys((maker, *self.last_access.get(accumulator, []))))
            self._append(Step("AssignVariableOp", (made,), (), after, accumulator, layer=layer, phase="update"))

    def _run_stage(self, update: _Update, stage: tuple[UpdateOperation, ...]) -> None:
        """The operations of one stage of a weight's update."""
        variable, names, makers, sparse = update.variable, update.names, update.makers, update.sparse
        item_bytes = variable.size_bytes // max(1, math.prod(variable.shape))
        for operation in stage:
            changes = operation.kind.startswith("Assign")
            sources = operation.inputs[1:] if changes else operation.inputs
            if not changes and sparse and not sparse.issuperset(sources):
                sources = tuple(self._dense(n, variable, names, makers) if n in sparse else n for n in sources)
            elif not changes and sparse and operation.output is not None and operation.size == "weight":
                sparse.add(operation.output)
            if changes and sparse.issuperset(sources):
                self.scattered.add(names[operation.inputs[0]])
            size = self.program.buffers[names["g"]].size
            if operation.output not in sparse:
                size = Line(result_bytes(operation.size, variable.shape, item_bytes))
            self._update_step(operation, sources, variable, names, makers, size)

    def _dense(self, name: str, variable: Variable, names: dict[str, int], makers: dict[str, int]) -> str:
        """Spread a sparse gradient over the whole weight, as mixing it with dense values does.

        Source: keras/src/backend/tensorflow/sparse.py, ``elementwise_binary_union``.
        """
        spread = UpdateOperation("UnsortedSegmentSum", (name,), f"dense {name} {len(self.program.steps)}")
        self._update_step(spread, (name,), variable, names, makers, Line(variable.size_bytes))
        assert spread.output is not None
        return spread.output

    def _update_step(
        self, operation: UpdateOperation, sources: tuple[str, ...], variable: Variable, names: dict[str, int],
        makers: dict[str, int], size: Line,
    ) -> None:  # fmt: skip
        """One operation of an update; ``size`` is its result's."""
        steps = self.program.steps
        target = names[operation.inputs[0]] if operation.kind.startswith("Assign") else None
        after = [makers[n] for n in sources if n in makers]
        if self.condition is not None:
            after.append(self.condition)
        if target is not None:
            after += self.last_access.get(target, [])
        for n in sources:
            if names[n] < self.program.resident:
                after += [i for i in self.last_access.get(names[n], []) if steps[i].updates is not None]
        reads = tuple(names[n] for n in sources)
        writes: tuple[int, ...] = ()
        if operation.output is not None:
            names[operation.output] = self._buffer(size, "gradients", variable.layer)
            writes = (names[operation.output],)
        kind = operation.kind + "VariableOp" if target is not None else operation.kind
        self._append(Step(kind, reads, writes, tuple(dict.fromkeys(after)), target,
                          Line(), variable.layer, "update", Line(variable.size_bytes / 4)))  # fmt: skip
        if operation.output is not None:
            makers[operation.output] = len(steps) - 1

    def _append(self, step: Step) -> None:
        """Add a step and remember who touched which variable last."""
        index = len(self.program.steps)
        self.program.steps.append(step)
        if step.updates is not None:
            self.last_access[step.updates] = [index]
        for buffer in step.reads:
            if buffer < self.program.resident:
                self.last_access.setdefault(buffer, []).append(index)

    def _slot_sizes(self, variable: Variable) -> tuple[int, ...]:
        """Bytes of the optimizer's slots for one weight; none without a gradient."""
        if variable.gradient is None or self.graph.mode != "train":
            return ()
        item_bytes = variable.size_bytes // max(1, math.prod(variable.shape))
        kept = slots(self.optimizer, variable.shape, variable.path, ema=self.options.ema)
        sizes = tuple(result_bytes(slot.size, variable.shape, item_bytes) for slot in kept)
        return sizes + ((variable.size_bytes,) if self.accumulate > 1 else ())

    def _slot_names(self, variable: Variable) -> tuple[str, ...]:
        """The slots' names in recipes, in the order of their sizes."""
        kept = slots(self.optimizer, variable.shape, variable.path, ema=self.options.ema)
        return (*(slot.name for slot in kept), *["acc"] * (self.accumulate > 1))

    def _scratch(self, op: Operation) -> Line:
        """What the kernel needs besides its results: XLA plans its own, a card's convolutions need none."""
        needed = self.kernels == "host" or (self.kernels == "card" and op.kind == "Einsum")
        return op.scratch if needed else Line()

    def _winners(self, pooled: int, layer: int | None) -> int:
        """Where oneDNN's maximum pooling notes each window's winner: a byte an element, kept for the gradient.

        Source: core/kernels/mkl/mkl_maxpooling_op.cc (its second output, ``workspace``).
        """
        size, item_bytes = self.graph.sizes[pooled], 4 if self.graph.precision == "float32" else 2
        self.winners[pooled] = self._buffer(Line(size.fixed / item_bytes, size.per_sample / item_bytes),
                                            "activations", layer)  # fmt: skip
        return self.winners[pooled]

    def _mark_gradient(self, buffer: int) -> None:
        """From here on the buffer counts as a gradient."""
        if buffer >= self.program.resident:
            self.program.buffers[buffer].role = "gradients"

    def _buffer(self, size: Line, role: str, layer: int | None = None, owner: int | None = None) -> int:
        """A new buffer's index."""
        self.program.buffers.append(Buffer(size, role, layer, owner))
        return len(self.program.buffers) - 1
