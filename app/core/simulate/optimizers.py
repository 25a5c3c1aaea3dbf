"""What an optimizer keeps per weight and does in an update, with what a training adds to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from app.core.simulate.optimizer_recipes import recipe
from app.core.simulate.update_notation import Size, Slot, UpdateOperation, operations
from app.core.types.workload import Plan

Clip = Literal["norm", "unit_norm", "global_norm", "value"]
"""A norm of one is its own kind: TensorFlow drops the product with it."""


@dataclass(frozen=True)
class UpdateOptions:
    """What a training adds to its optimizer (keras/src/optimizers/base_optimizer.py).

    Args:
        ema: Keep a moving average of every weight.
        clip: How gradients are clipped; None if they are not.
        decay: Weights decay although the optimizer does not do so by itself.
    """

    ema: bool = False
    clip: Clip | None = None
    decay: bool = False

    @classmethod
    def of(cls, plan: Plan) -> UpdateOptions:
        """The options of a plan; how strong a limit is makes no difference to memory."""
        norm: Clip = "unit_norm" if plan.clipnorm == 1 else "norm"
        limits: dict[Clip, float | None] = {
            norm: plan.clipnorm,
            "global_norm": plan.global_clipnorm,
            "value": plan.clipvalue,
        }
        clip = next((kind for kind, limit in limits.items() if limit is not None), None)
        return cls(plan.ema, clip, plan.weight_decay is not None)


NOTHING_ADDED = UpdateOptions()

_DECAY = operations(
    """
    d1 = Mul w
    d2 = Mul d1
    AssignSub w d2
    """
)
"""``_apply_weight_decay`` of keras/src/backend/tensorflow/optimizer.py."""

_MUON_DECAY = operations(
    """
    d1 = Mul w
    d2 = Mul d1
    d3 = Sub w d2
    Assign w d3
    """
)
"""Muon has its own, which makes a new weight."""

_DECAYING = frozenset(("adamw", "adamw+amsgrad", "muon"))
"""Optimizers that decay weights unless told otherwise."""

_EMA = operations(
    """
    e1 = Mul ema
    e2 = Mul w
    e3 = Add e1 e2
    Assign ema e3
    """
)
"""``_update_model_variables_moving_average``, after all updates."""

_CLIP: dict[Clip, tuple[UpdateOperation, ...]] = {
    "norm": operations(
        """
        c1 = Square g
        c2/scalar = Sum c1
        c3 = Mul g
        g = Div c3 c2
        """
    ),
    "unit_norm": operations("c1 = Square g\nc2/scalar = Sum c1\ng = Div g c2"),
    "value": operations("c1 = Minimum g\ng = Maximum c1"),
    "global_norm": operations("g = Mul g c2"),
}
"""``_clip_gradients``; the global norm itself is `_SQUARES` of every gradient."""

_SQUARES = operations("c1 = Square g\nc2/scalar = Sum c1")

_MEAN = operations("g = Add g acc\ng = Div g")
_SUM = operations("a1 = Add g acc\nAssign acc a1")
"""Gradient accumulation: the mean of what was added up, or one more gradient added
(``_backend_apply_gradients``, ``_backend_increment_gradient_accumulators``)."""

_FINITE = operations("f1/flags = IsFinite g\nf2/scalar = All f1")
_UNSCALE = operations("g = Div g")
"""Loss scaling asks whether all gradients are finite, then divides each
(keras/src/optimizers/loss_scale_optimizer.py, ``check_finite``, ``_stateful_handle_finite_grads``)."""


def update_stages(
    optimizer: str,
    shape: tuple[int, ...],
    path: str = "",
    options: UpdateOptions = NOTHING_ADDED,
    *,
    loss_scaled: bool = False,
    accumulating: bool = False,
    updating: bool = True,
) -> tuple[tuple[UpdateOperation, ...], ...]:
    """All operations of one weight's update, in stages.

    A stage begins when the one before has ended for every weight: nothing is updated before all
    gradients are known to be finite, and none is scaled before the norm of all is known; inside a
    condition (of loss scaling or of accumulation) TensorFlow keeps the ``IdentityN`` over all gradients in
    which the replicas of a distributed training would meet (``_all_reduce_sum_gradients``), while its
    graph optimizer removes it elsewhere.  Every weight has the same number of stages.

    Args:
        optimizer: Key of `RECIPES`.
        shape: The weight's shape.
        path: The weight's name.
        options: What the training adds to the optimizer.
        loss_scaled: Gradients are checked and divided by the scale of the loss first.
        accumulating: Gradients are added up over several steps in ``acc``.
        updating: With accumulation: this is the step that updates.
    """
    stages: list[list[UpdateOperation]] = [[]]
    if loss_scaled:
        stages[-1].extend(_FINITE)
        stages.append(list(_UNSCALE))
    if accumulating:
        stages[-1].extend(_MEAN if updating else _SUM)
    if updating:
        _append_update(stages, optimizer, shape, path, options, in_condition=loss_scaled or accumulating)
    if options.ema:
        stages[-1].extend(_EMA)
    return tuple(map(tuple, stages))


def _append_update(
    stages: list[list[UpdateOperation]],
    optimizer: str,
    shape: tuple[int, ...],
    path: str,
    options: UpdateOptions,
    *,
    in_condition: bool,
) -> None:
    """Clipping, decay and the recipe itself."""
    if options.clip == "global_norm":
        stages[-1].extend(_SQUARES)
        stages.append([])
    if options.clip is not None:
        stages[-1].extend(_CLIP[options.clip])
    if in_condition:
        stages.append([])
    if options.decay or optimizer in _DECAYING:
        stages[-1].extend(_MUON_DECAY if optimizer == "muon" else _DECAY)
    stages[-1].extend(recipe(optimizer, shape, path).update)


def operands(optimizer: str) -> int:
    """Reads and writes of a whole weight in the update of a matrix, operation by operation; smaller ones are free."""
    sizes: dict[str, Size] = {slot.name: slot.size for slot in slots(optimizer, (1, 1))}
    found = 0
    for operation in (one for stage in update_stages(optimizer, (1, 1)) for one in stage):
        found += sum(sizes.get(name, "weight") == "weight" for name in operation.inputs)
        if operation.output is not None:
            sizes[operation.output] = operation.size
    return found


def slots(optimizer: str, shape: tuple[int, ...], path: str = "", *, ema: bool = False) -> tuple[Slot, ...]:
    """What is kept for one weight of this shape, the moving average first, as ``build`` makes it."""
    return (*((Slot("ema"),) if ema else ()), *recipe(optimizer, shape, path).slots)


def result_shape(size: Size, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a slot or a result beside a weight of this shape."""
    if size == "scalar":
        return ()
    if size == "rows":
        return shape[:-1]
    if size == "columns":
        return shape[:-2] + shape[-1:]
    if size == "square":
        return (min(shape), min(shape))
    return shape


def result_bytes(size: Size, shape: tuple[int, ...], item_bytes: int) -> int:
    """Bytes of it."""
    return math.prod(result_shape(size, shape)) * (1 if size == "flags" else item_bytes)


def slot_bytes(
    optimizer: str, shape: tuple[int, ...], item_bytes: int, path: str = "", *, ema: bool = False
) -> tuple[int, ...]:
    """Bytes of every slot that the optimizer keeps for one weight of this shape."""
    return tuple(result_bytes(slot.size, shape, item_bytes) for slot in slots(optimizer, shape, path, ema=ema))
