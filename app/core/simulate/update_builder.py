"""The optimizer's part of a step: the update of every weight, appended to a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.core.simulate.optimizers import UpdateOptions, result_bytes, result_shape, slots, update_stages
from app.core.simulate.program import Op, Program
from app.core.simulate.turned_updates import with_turned_gradient
from app.core.simulate.update_notation import UpdateOperation
from app.core.types.stepgraph import PerBatch, Variable


@dataclass(frozen=True)
class UpdateRule:
    """How weights are updated.

    Args:
        optimizer: Key of `app.core.simulate.optimizer_recipes.RECIPES`.
        options: What the training adds to the optimizer.
        accumulating: Gradients are added up over several steps.
        updating: With accumulation: this is the step that updates.
        loss_scaled: Gradients are checked and divided by the scale of the loss first.
    """

    optimizer: str
    options: UpdateOptions
    accumulating: bool
    updating: bool
    loss_scaled: bool

    def slots(self, variable: Variable) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Shape and bytes of everything that is kept for one weight."""
        shape = variable.shape
        item_bytes = variable.item_bytes
        kept = slots(self.optimizer, shape, variable.path, ema=self.options.ema)
        made = ((result_shape(slot.size, shape), result_bytes(slot.size, shape, item_bytes)) for slot in kept)
        return (*made, *[(shape, variable.size_bytes)] * self.accumulating)

    def slot_names(self, variable: Variable) -> tuple[str, ...]:
        """Its names in recipes, in the same order."""
        kept = slots(self.optimizer, variable.shape, variable.path, ema=self.options.ema)
        return (*(slot.name for slot in kept), *["acc"] * self.accumulating)


@dataclass(frozen=True)
class TrainedWeight:
    """A trained weight: its buffer, its slots' buffers, its gradient's, and the operation that makes the gradient.

    ``turned`` tells that the update is computed on turned copies (`app.core.simulate.turned_updates`).
    """

    variable: Variable
    weight: int
    slots: tuple[int, ...]
    gradient: int
    made_by: int
    turned: bool = False


@dataclass
class _Update:
    """One weight's update in the making: what its recipe's names stand for, and which operation made them."""

    variable: Variable
    stages: tuple[tuple[UpdateOperation, ...], ...]
    names: dict[str, int]
    makers: dict[str, int]
    sparse: set[str]
    """Names of what holds only the rows that a batch looked up."""


class UpdateBuilder:
    """Appends updates to a program.

    After `append`, ``scattered`` holds the weights whose rows are changed in place.
    """

    def __init__(self, program: Program, rule: UpdateRule) -> None:
        self.program = program
        self.rule = rule
        self.scattered: set[int] = set()
        self._condition: int | None = None
        """The operation that decides whether there is an update; all of one branch waits for it."""
        self._reads_rate: int | None = None

    def append(self, learning: Iterable[TrainedWeight]) -> None:
        """The operations for each weight, stage by stage, in the order of the weights."""
        updates = [self._begin(one) for one in learning]
        for number in range(max((len(update.stages) for update in updates), default=0)):
            if number:
                gate = self._wait_for_all(updates)
                self._condition = gate if self.rule.loss_scaled else None
            for update in updates:
                self._run_stage(update, update.stages[number])
        if self.rule.accumulating and self.rule.updating:
            self._reset_accumulators(updates)

    def _begin(self, one: TrainedWeight) -> _Update:
        """One weight's update before its first operation."""
        variable, rule = one.variable, self.rule
        if one.gradient >= self.program.resident:
            self.program.buffers[one.gradient].role = "gradients"
        stages = update_stages(
            rule.optimizer,
            variable.shape,
            variable.path,
            rule.options,
            loss_scaled=rule.loss_scaled,
            accumulating=rule.accumulating,
            updating=rule.updating,
        )
        stages = with_turned_gradient(stages) if one.turned else stages
        kept = dict(zip(rule.slot_names(variable), one.slots, strict=True))
        sparse = {"g"} if variable.sparse_gradient else set()
        return _Update(variable, stages, {"g": one.gradient, "w": one.weight, **kept}, {"g": one.made_by}, sparse)

    def _wait_for_all(self, updates: list[_Update]) -> int:
        """An operation that has all gradients and that no gradient's next stage can overtake; its index."""
        gradients = tuple(update.names["g"] for update in updates)
        after = tuple(dict.fromkeys(maker for update in updates for maker in update.makers.values()))
        gate = self.program.add_op(Op("AllReady", gradients, (), after, phase="update"))
        for update in updates:
            update.makers["g"] = gate
        return gate

    def _reset_accumulators(self, updates: list[_Update]) -> None:
        """New zeros, one buffer for all accumulators of one shape; nothing holds them back until they are needed."""
        zeros: dict[tuple[int, ...], tuple[int, int]] = {}
        for update in updates:
            variable, accumulator, layer = update.variable, update.names["acc"], update.variable.layer
            if variable.shape not in zeros:
                made = self.program.add_buffer(PerBatch(variable.size_bytes), "optimizer_state", layer)
                maker = self.program.add_op(Op("Fill", (), (made,), (), layer=layer, phase="update"))
                zeros[variable.shape] = made, maker
            made, maker = zeros[variable.shape]
            after = tuple(dict.fromkeys((maker, *self.program.last_access.get(accumulator, []))))
            change = Op("AssignVariableOp", (made,), (), after, accumulator, layer=layer, phase="update")
            self.program.add_op(change)

    def _run_stage(self, update: _Update, stage: tuple[UpdateOperation, ...]) -> None:
        """The operations of one stage of a weight's update."""
        variable, names, makers, sparse = update.variable, update.names, update.makers, update.sparse
        item_bytes = variable.item_bytes
        for operation in stage:
            if operation.kind == "IsFinite" and sparse.issuperset(operation.inputs):
                self._finite_rows(operation, variable, names, makers)
                continue
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
                size = PerBatch(result_bytes(operation.size, variable.shape, item_bytes))
            self._update_op(operation, sources, variable, names, makers, size)

    def _finite_rows(
        self, operation: UpdateOperation, variable: Variable, names: dict[str, int], makers: dict[str, int]
    ) -> None:
        """Flags for a whole weight of whose gradient there are rows only: true, but for what the rows say.

        Source: keras/src/backend/tensorflow/sparse.py, ``densifying_unary``.
        """
        flags = PerBatch(result_bytes("flags", variable.shape, variable.item_bytes))
        rows = self.program.buffers[names["g"]].size.times(1 / variable.item_bytes)
        for step, size in (
            (UpdateOperation("Fill", (), "all true"), flags),
            (UpdateOperation("IsFinite", operation.inputs, "rows finite"), rows),
            (UpdateOperation("TensorScatterUpdate", ("all true", "rows finite"), operation.output), flags),
        ):
            self._update_op(step, step.inputs, variable, names, makers, size)
        if self.program.on_card:
            self._cast_again(variable, names, makers)

    def _cast_again(self, variable: Variable, names: dict[str, int], makers: dict[str, int]) -> None:
        """Rows that were cast to be looked at are cast once more to be used, and a card does both at once.

        The flags are computed of the rows as they are, the update has them as a list: Grappler moves the cast of
        either to where it is cheaper (``ReorderCastLikeAndValuePreserving`` in
        core/grappler/optimizers/arithmetic_optimizer.cc).  A processor's threads have the first given back before
        the second: 711 MiB where 650 are told without it and 849 with both at once.
        """
        rows = (names["g"],)
        cast = next((op for op in reversed(self.program.ops) if op.writes == rows), None)
        if cast is None or cast.kind != "Cast":
            return
        again = self.program.add_buffer(self.program.buffers[names["g"]].size, "gradients", variable.layer)
        makers["g"] = self.program.add_op(replace(cast, writes=(again,), phase="update"))
        names["g"] = again

    def _dense(self, name: str, variable: Variable, names: dict[str, int], makers: dict[str, int]) -> str:
        """Spread a sparse gradient over the whole weight, as mixing it with dense values does.

        Source: keras/src/backend/tensorflow/sparse.py, ``elementwise_binary_union``.
        """
        spread = UpdateOperation("UnsortedSegmentSum", (name,), f"dense {name} {len(self.program.ops)}")
        self._update_op(spread, (name,), variable, names, makers, PerBatch(variable.size_bytes))
        assert spread.output is not None
        return spread.output

    def _update_op(
        self,
        operation: UpdateOperation,
        sources: tuple[str, ...],
        variable: Variable,
        names: dict[str, int],
        makers: dict[str, int],
        size: PerBatch,
    ) -> None:
        """One operation of an update; ``size`` is its result's."""
        target = names[operation.inputs[0]] if operation.kind.startswith("Assign") else None
        after = [makers[n] for n in sources if n in makers]
        if self._condition is not None:
            after.append(self._condition)
        if target is not None:
            after += self.program.last_access.get(target, [])
        for n in sources:
            if names[n] < self.program.resident:
                after += self._before_reading(names[n])
        if not after and self.program.on_card:
            after = [self._learning_rate()]
        reads = tuple(names[n] for n in sources)
        writes: tuple[int, ...] = ()
        if operation.output is not None:
            names[operation.output] = self.program.add_buffer(size, "gradients", variable.layer)
            writes = (names[operation.output],)
        kind = operation.kind + "VariableOp" if target is not None else operation.kind
        made = Op(
            kind,
            reads,
            writes,
            tuple(dict.fromkeys(after)),
            target,
            layer=variable.layer,
            phase="update",
            flops=PerBatch(variable.size_bytes / 4),
        )
        index = self.program.add_op(made)
        if operation.output is not None:
            makers[operation.output] = index

    def _before_reading(self, variable: int) -> list[int]:
        """What the next reader of a variable waits for: its change in this step.

        On a card, where the order of launching is the order of everything, the reading counts as well, which is an
        operation of its own.
        """
        ops = self.program.ops
        changes = [i for i in self.program.last_access.get(variable, []) if ops[i].updates is not None]
        if not changes or not self.program.on_card:
            return changes
        return [self.program.add_op(Op("ReadVariableOp", (), (), tuple(changes), phase="update"))]

    def _learning_rate(self) -> int:
        """The operation that reads the learning rate: all that wait for no gradient wait for it, and begin together."""
        if self._reads_rate is None:
            self._reads_rate = self.program.add_op(Op("ReadVariableOp", (), (), (), phase="update"))
        return self._reads_rate
