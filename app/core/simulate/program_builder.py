"""Flatten a traced graph into a program: what every operation does with its buffers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from app.core.simulate.eigen_kernels import Buffers
from app.core.simulate.loops import lists_that_come_in, products_in_flight, without_unread_notes
from app.core.simulate.optimizers import NOTHING_ADDED, UpdateOptions
from app.core.simulate.program import (
    LIST_COPIES,
    LIST_MAKERS,
    NO_OUTPUT_MEMORY,
    RESHAPES,
    SAME_ELEMENTS,
    VIEWS,
    Buffer,
    Op,
    Program,
)
from app.core.simulate.sums import add_one_by_one
from app.core.simulate.turned_updates import turned_gradients
from app.core.simulate.update_builder import TrainedWeight, UpdateBuilder, UpdateRule
from app.core.types.stepgraph import NOTHING, Operation, PerBatch, StepGraph

Kernels = Literal["host", "card", "xla"]

CONVOLUTIONS = frozenset(
    "Conv2D Conv2DBackpropInput Conv2DBackpropFilter Conv3D Conv3DBackpropInputV2 Conv3DBackpropFilterV2".split()
)
"""Kinds for which cuDNN is asked, or else cuBLAS (``LaunchConv2DOpImpl`` in core/kernels/conv_ops_impl.h,
``LaunchConv2DBackpropInputOpImpl`` in conv_grad_input_ops.h, and its like for filters and volumes)."""
POOLINGS = frozenset({"MaxPool", "MaxPool3D"})
POOLING_GRADIENTS = frozenset({"MaxPoolGrad", "MaxPool3DGrad"})
WINNER_BYTES = 8
"""Without oneDNN the gradient of a maximum pooling finds the winners again, as 64-bit places
(core/kernels/maxpooling_op.cc, ``tensor_out_arg_max``); in three dimensions it notes none."""


@dataclass(frozen=True)
class LoweringOptions:
    """How a traced step is lowered to a program.

    Args:
        kernels: Whose kernels run the operations, because their needs of scratch differ; for XLA, reshapes and elements
            taken from lists are operations of their own.
        threads: How many of the host's threads run operations (`app.core.simulate.loops`).
        accumulate: Above 1 every weight has an accumulator: a step that is not ``updating`` adds its gradients to them,
            one that is takes the mean, updates, and starts them anew with zeros
            (keras/src/optimizers/base_optimizer.py, ``_backend_apply_gradients``).
        updating: See above.
        update: What the training adds to the optimizer; mixed_float16 adds loss scaling of its own accord
            (keras/src/trainers/trainer.py, ``compile``).
        folded: Tensors that are constants (`app.core.simulate.folding`).
        one_by_one: Operations of the program made without it whose terms are added as they come
            (`app.core.simulate.sums`).
        onednn: Of the host: TensorFlow uses oneDNN's kernels, not its own.
        columns: What convolutions take for their columns if it does not (`app.core.simulate.eigen_kernels`).
    """

    kernels: Kernels = "card"
    threads: int = 1
    accumulate: int = 1
    updating: bool = True
    update: UpdateOptions = NOTHING_ADDED
    folded: frozenset[int] = frozenset()
    one_by_one: frozenset[int] = frozenset()
    onednn: bool = True
    columns: Buffers = frozenset()


DEFAULT_LOWERING = LoweringOptions()


def build_program(graph: StepGraph, optimizer: str, options: LoweringOptions = DEFAULT_LOWERING) -> Program:
    """Flatten a graph and append the update of every variable that has a gradient.

    Args:
        graph: The traced step.
        optimizer: Key of `app.core.simulate.optimizer_recipes.RECIPES`.
        options: How it is lowered.
    """
    rule = UpdateRule(
        optimizer,
        options.update,
        accumulating=options.accumulate > 1,
        updating=options.updating,
        loss_scaled=graph.precision == "mixed_float16",
    )
    builder = _Builder(without_unread_notes(graph) if options.kernels == "card" else graph, rule, options)
    builder.add_residents()
    builder.add_operations()
    builder.add_updates()
    return builder.finish()


class _Builder:
    """State while flattening."""

    def __init__(self, graph: StepGraph, rule: UpdateRule, options: LoweringOptions) -> None:
        kernels = options.kernels
        self.graph = graph
        self.in_flight = products_in_flight(graph, options.threads if kernels == "host" else None)
        self.constants = dict.fromkeys(sorted(options.folded), 0)
        """The buffer of each folded tensor."""
        self.rule = rule
        self.kernels = kernels
        self.by_onednn = kernels == "host" and options.onednn
        self.by_eigen = kernels == "host" and not options.onednn
        self.columns = dict(options.columns)
        self.one_by_one = options.one_by_one
        """Sums that are rewritten, by the number of their operation in the program."""
        self.zeros: dict[int, int] = {}
        """What such a sum begins with, on a card."""
        self.keep_views = kernels == "xla"
        self.program = Program(on_card=kernels == "card")
        self.weight = [0] * len(graph.variables)
        self.slots: list[tuple[int, ...]] = []
        self.of_tensor: dict[int, int] = {}
        self.maker: dict[int, int] = {}
        self.op_of: dict[int, int] = {}
        self.scattered: set[int] = set()
        self.lists: set[int] = set()
        self.made_anew = {
            operation.outputs[0]
            for operation in graph.operations
            if operation.kind == "TensorListReserve" and operation.loop is not None
        }
        self.comes_in = lists_that_come_in(graph)
        self.winners: dict[int, int] = {}
        self.pooled = {
            t for operation in graph.operations if operation.kind in POOLING_GRADIENTS for t in operation.inputs[1:2]
        }

    def add_residents(self) -> None:
        """Weights in the order in which they are made, optimizer slots, constants and the batch."""
        variables = self.graph.variables
        for index in sorted(range(len(variables)), key=lambda i: variables[i].made):
            variable, size = variables[index], PerBatch(variables[index].size_bytes)
            self.weight[index] = self.program.add_buffer(size, "weights", variable.layer, index, variable.shape)
        self._add_slots()
        for tensor in self.constants:
            self.constants[tensor] = self.program.add_buffer(self.graph.sizes[tensor], "constants")
        if self.kernels != "xla":
            self._add_constants()
        if self.kernels == "card":
            self._add_zeros()
        for tensor in self.graph.input_tensors:
            self.of_tensor[tensor] = self.program.add_buffer(self.graph.sizes[tensor], "inputs")
        self.program.inputs = tuple(self.of_tensor[tensor] for tensor in self.graph.input_tensors)
        self.program.resident = len(self.program.buffers)

    def _add_slots(self) -> None:
        """What the optimizer keeps, in the order in which it is made."""
        learning = [v.gradient is not None and self.graph.mode == "train" for v in self.graph.variables]
        kept = [self.rule.slots(v) if learns else () for v, learns in zip(self.graph.variables, learning, strict=True)]
        wanted = [(owner, *slot) for owner, slots in enumerate(kept) for slot in slots]
        made = [0] * len(wanted)
        for number in self._in_order_of_names(len(wanted)):
            owner, shape, size_bytes = wanted[number]
            layer = self.graph.variables[owner].layer
            made[number] = self.program.add_buffer(PerBatch(size_bytes), "optimizer_state", layer, owner, shape)
        following = iter(made)
        self.slots = [tuple(islice(following, len(slots))) for slots in kept]

    def _in_order_of_names(self, count: int) -> list[int]:
        """The slots' numbers, on a card by the names of the operations that fill them with zeros.

        Keras makes variables while the step is traced: two for each metric but the loss itself, two for a scale of the
        loss, then the slots.  One function fills them all.  Its operations differ by a number behind their names, and
        run in the order of these: the tenth before the second (allocator traces of seven networks).
        """
        if self.kernels != "card":
            return list(range(count))
        metrics = sum(op.kind == "AssignVariableOp" and op.layer is None for op in self.graph.operations)
        first = max(0, metrics - 2) + 2 * self.rule.loss_scaled
        return sorted(range(count), key=lambda number: str(first + number) if first + number else "")

    def _add_constants(self) -> None:
        """What the graph holds is made once and kept by its kernel (core/kernels/constant_op.cc)."""
        for operation in self.graph.operations:
            if operation.kind == "Const":
                for tensor in operation.outputs:
                    self.of_tensor[tensor] = self.program.add_buffer(
                        self.graph.sizes[tensor], "constants", operation.layer
                    )

    def _add_zeros(self) -> None:
        """What rewritten sums begin with (`app.core.simulate.sums`)."""
        traced = [operation for operation in self.graph.operations if operation.kind != "Placeholder"]
        for number in sorted(self.one_by_one):
            total = traced[number]
            size = self.graph.sizes[total.outputs[0]]
            self.zeros[number] = self.program.add_buffer(size, "constants", total.layer)

    def add_operations(self) -> None:
        """The traced operations in order."""
        number = -1
        for index, operation in enumerate(self.graph.operations):
            if operation.kind == "Placeholder":
                self._take_from_list(operation)
                continue
            number += 1
            reads = self._reads(operation)
            variable = (
                self.weight[operation.variable] if operation.variable is not None and operation.variable >= 0 else None
            )
            after = [self.maker[t] for t in operation.inputs if t in self.maker]
            after += [self.op_of[c] for c in operation.control if c in self.op_of]
            if operation.kind == "TensorListPushBack" and operation.loop is not None:
                after += [self.maker[t] for t in self.comes_in.get(operation.loop, ()) if t in self.maker]
            writes = (
                ()
                if self._adds_no_elements(operation)
                else self._outputs(
                    operation.kind, operation.inputs, operation.outputs, variable, operation.layer, operation.phase
                )
            )
            if operation.kind in POOLINGS and self.by_onednn and operation.outputs[0] in self.pooled:
                writes += (self._winners(operation.outputs[0], operation.layer),)
            elif operation.kind in POOLING_GRADIENTS:
                reads += tuple(self.winners[t] for t in operation.inputs[1:2] if t in self.winners)
            updates = variable if operation.kind.startswith("Assign") else None
            if variable is not None and updates is None:
                reads += (variable,)
            op = Op(
                operation.kind,
                reads,
                writes,
                tuple(dict.fromkeys(after)),
                updates,
                self._scratch(index, operation),
                operation.layer,
                operation.phase,
                operation.flops,
                index if operation.convolution and self.kernels != "host" else None,
            )
            if operation.kind in LIST_MAKERS or (operation.kind in LIST_COPIES and not self.lists.isdisjoint(reads)):
                self.lists.update(writes[:1])
            if number in self.one_by_one:
                made_by = [self.maker[t] for t in operation.inputs]
                zeros = self.zeros.get(number)
                self.op_of[index] = add_one_by_one(self.program, reads, writes[0], made_by, op, zeros)
            else:
                self.op_of[index] = self.program.add_op(op)
            self.maker.update(dict.fromkeys(operation.outputs, self.op_of[index]))

    def _adds_no_elements(self, operation: Operation) -> bool:
        """Is an operation's list made of elements that another list holds?  XLA's are arrays of their own."""
        place = SAME_ELEMENTS.get(operation.kind)
        if (
            place is None
            or self.keep_views
            or len(operation.inputs) <= place
            or operation.inputs[place] not in self.of_tensor
        ):
            return False
        self.of_tensor.update(dict.fromkeys(operation.outputs[:1], self.of_tensor[operation.inputs[place]]))
        return True

    def _reads(self, operation: Operation) -> tuple[int, ...]:
        """Buffers of an operation's inputs; operations that led to a folded tensor read what they always did."""
        inputs = operation.inputs
        if self.keep_views and operation.written:
            inputs = tuple(inputs[place] for place in operation.written)
        if self.keep_views and SAME_ELEMENTS.get(operation.kind):
            inputs = inputs[: SAME_ELEMENTS[operation.kind]]
        if self.constants and not self.constants.keys().isdisjoint(inputs):
            return tuple(self.constants.get(t, self.of_tensor[t]) for t in inputs if t in self.of_tensor)
        return tuple(self.of_tensor[t] for t in inputs if t in self.of_tensor)

    def _take_from_list(self, operation: Operation) -> None:
        """An element that the reader put beside the operation that takes it from a list, whose memory it shares."""
        takers = [self.op_of[c] for c in operation.control if c in self.op_of]
        if not takers or not self.program.ops[takers[0]].reads:
            return
        if not self.keep_views:
            self.maker.update(dict.fromkeys(operation.outputs, takers[0]))
            return
        source = self.program.ops[takers[0]]
        writes = self._outputs("ListElement", (), operation.outputs, None, operation.layer, operation.phase)
        op = Op("ListElement", source.reads[:1], writes, (takers[0],), layer=operation.layer, phase=operation.phase)
        self.maker.update(dict.fromkeys(operation.outputs, self.program.add_op(op)))

    def add_updates(self) -> None:
        """The optimizer's operations for each weight."""
        if self.graph.mode == "train":
            builder = UpdateBuilder(self.program, self.rule)
            builder.append(self._trained_weights())
            self.scattered = builder.scattered

    def _trained_weights(self) -> Iterator[TrainedWeight]:
        """The weights that have a gradient."""
        turned = {self.of_tensor[t] for t in turned_gradients(self.graph)} if self.program.on_card else set()
        for index, variable in enumerate(self.graph.variables):
            tensor = variable.gradient
            if tensor is not None and tensor in self.of_tensor:
                yield TrainedWeight(
                    variable,
                    self.weight[index],
                    self.slots[index],
                    self.of_tensor[tensor],
                    self.maker[tensor],
                    self.of_tensor[tensor] in turned,
                )

    def finish(self) -> Program:
        """The finished program."""
        self._copy_on_read()
        kept = {self.of_tensor[t] for t in (*self.graph.outputs, *self.graph.constants) if t in self.of_tensor}
        self.program.kept = frozenset(kept)
        self.program.lists = frozenset(self.lists)
        return self.program

    def _copy_on_read(self) -> None:
        """A weight whose rows are updated in place is copied whenever it is read.

        Source: ``EnsureSparseVariableAccess`` in core/kernels/training_op_helpers.h.
        """
        for index, op in enumerate(self.program.ops):
            if op.kind == "ReadVariableOp" and op.reads and op.reads[0] in self.scattered:
                weight = self.program.buffers[op.reads[0]]
                self.program.buffers[op.writes[0]] = Buffer(weight.size, "activations", weight.layer)
                self.program.ops[index] = replace(op, kind="Copy")

    def _outputs(
        self,
        kind: str,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        variable: int | None,
        layer: int | None,
        phase: str,
    ) -> tuple[int, ...]:
        """Buffers that an operation makes; views make none."""
        a_view = kind in VIEWS and not (self.keep_views and kind in RESHAPES)
        if a_view and not self.of_tensor.keys().isdisjoint(inputs):
            for given, made in zip(inputs, outputs, strict=False):
                if given in self.of_tensor:
                    self.of_tensor[made] = self.of_tensor[given]
            return ()
        if kind in NO_OUTPUT_MEMORY or (kind == "Const" and self.kernels != "xla"):
            return ()
        role = "constants" if kind == "Const" else "activations"
        for tensor in outputs:
            size, copies = self._size(kind, inputs, tensor), self.in_flight.get(tensor, 1.0)
            size = size.times(copies) if copies > 1 else size
            self.of_tensor[tensor] = self.program.add_buffer(size, role, layer)
        return tuple(self.of_tensor[tensor] for tensor in outputs)

    def _size(self, kind: str, inputs: tuple[int, ...], tensor: int) -> PerBatch:
        """What a result takes: of a list that a loop makes anew in each turn, the one element that is written.

        Such is the gradient of an element that was read (python/ops/list_ops.py, ``_TensorListGetItemGrad``).
        """
        anew = kind in SAME_ELEMENTS and inputs[0] in self.made_anew and not self.keep_views
        return self.graph.sizes[inputs[-1] if anew else tensor]

    def _scratch(self, index: int, operation: Operation) -> tuple[PerBatch, ...]:
        """What the kernel needs besides its results: XLA plans its own."""
        if self.kernels == "card":
            return _card_scratch(operation)
        if index in self.columns:
            return (self.columns[index],)
        if self.by_eigen and operation.kind == "MaxPoolGrad":
            return (self._elements(operation.inputs[1]).times(WINNER_BYTES),)
        needed = self.kernels == "host" and operation.scratch != NOTHING
        return (operation.scratch,) if needed else ()

    def _winners(self, pooled: int, layer: int | None) -> int:
        """Where oneDNN's maximum pooling notes each window's winner: a byte an element, kept for the gradient.

        Source: core/kernels/mkl/mkl_maxpooling_op.cc (its second output, ``workspace``).
        """
        self.winners[pooled] = self.program.add_buffer(self._elements(pooled), "activations", layer)
        return self.winners[pooled]

    def _elements(self, tensor: int) -> PerBatch:
        """How many numbers a tensor has."""
        return self.graph.sizes[tensor].times(1 / (4 if self.graph.precision == "float32" else 2))


def _card_scratch(operation: Operation) -> tuple[PerBatch, ...]:
    """What a card's kernel takes; the last of a convolution is for cuDNN.

    Of single points with channels last it is a product of matrices, which takes nothing.
    """
    if operation.convolution is not None:
        return (*operation.card_scratch, NOTHING)
    return () if operation.kind in CONVOLUTIONS else operation.card_scratch
