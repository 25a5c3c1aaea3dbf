"""What each Keras optimizer keeps per weight, and the operations of its update.

A recipe is the graph that ``update_step`` of keras/src/optimizers/<name>.py (Keras 3.15) leaves after
TensorFlow's graph optimizer: one line an operation, ``output = Kind inputs``.  ``g`` is the gradient,
``w`` the weight, ``m`` ``v`` and so on are slots, everything else a temporary; operands that are plain
numbers are left out.  Results have the weight's size unless one of `Size` is named behind a slash.
``AssignAdd`` and ``AssignSub`` change a variable in place, ``Assign`` replaces its buffer.
tests/worker/test_optimizers.py compares every recipe with what Keras traces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from app.core.errors import InvalidWorkload
from app.core.workload import Plan

Size = Literal["weight", "rows", "columns", "square", "flags", "scalar"]
"""As large as the weight; as the weight without its last dimension, or without the last but one; the
product of a matrix with itself over its longer side; one byte for each element; one number."""

Clip = Literal["norm", "unit_norm", "global_norm", "value"]
"""A norm of one is its own kind: TensorFlow drops the product with it."""


@dataclass(frozen=True)
class Slot:
    """One variable that an optimizer keeps beside a weight."""

    name: str
    size: Size = "weight"


@dataclass(frozen=True)
class UpdateOperation:
    """One operation of an update; names refer to gradient, weight, slots and temporaries."""

    kind: str
    inputs: tuple[str, ...]
    output: str | None
    size: Size = "weight"


@dataclass(frozen=True)
class OptimizerRecipe:
    """Slots and the update of one weight."""

    slots: tuple[Slot, ...]
    update: tuple[UpdateOperation, ...]
    source: str = ""


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
            norm: plan.clipnorm, "global_norm": plan.global_clipnorm, "value": plan.clipvalue,
        }  # fmt: skip
        clip = next((kind for kind, limit in limits.items() if limit is not None), None)
        return cls(plan.ema, clip, plan.weight_decay is not None)


NOTHING_ADDED = UpdateOptions()


def _operations(text: str) -> tuple[UpdateOperation, ...]:
    """Read operations from their short notation."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        left, _, right = line.rpartition("=")
        kind, *inputs = right.split()
        output, _, size = left.strip().partition("/")
        found.append(UpdateOperation(kind, tuple(inputs), output or None, _size(size)))
    return tuple(found)


def _size(word: str) -> Size:
    """The size that a word names; the weight's if there is none."""
    return next(size for size in get_args(Size) if size == (word or "weight"))


def _recipe(slots: str, text: str, *, source: str) -> OptimizerRecipe:
    """Read a recipe from its short notation."""
    pairs = [slot.partition("/") for slot in slots.split()]
    kept = tuple(Slot(name, _size(size)) for name, _, size in pairs)
    return OptimizerRecipe(kept, _operations(text), f"keras/src/optimizers/{source}.py")


_MOMENTS = """
    t1 = Sub g m
    t2 = Mul t1
    AssignAdd m t2
    t3 = Square g
    t4 = Sub t3 v
    t5 = Mul t4
    AssignAdd v t5
"""

_ADAM = (
    _MOMENTS
    + """
    t6 = Mul m
    t7 = Sqrt v
    t8 = Add t7
    t9 = Div t6 t8
    AssignSub w t9
"""
)

_MUON_TURN = """
    a/square = MatMul x x
    y = Mul x
    b/square = Mul a
    c/square = Mul a
    d/square = MatMul b a
    e/square = Add d c
    z = MatMul e x
    x = Add z y
"""
"""One of five turns of the Newton-Schulz iteration (``zeropower_via_newtonschulz5``)."""

_MUON_START = """
    t1 = Mul m
    t2 = Add g t1
    AssignAdd m t2
    t3 = Mul m
    x = Add g t3
"""

_MUON_NORM = """
    t4 = Square x
    n/scalar = Sum t4
    x = Div x n
"""

_MUON_END = """
    t5 = Mul x
    t6 = Mul t5
    AssignSub w t6
"""

_MUON_TURNS = 5
_TURNED = "x = Transpose x\n"

_ADAFACTOR_SCALE = """
    q1 = Square w
    q2/scalar = Mean q1
    t1 = Square g
    t2 = Add t1
"""

_ADAFACTOR_STEP = """
    u1 = Rsqrt v
    u2 = Mul u1 g
    u3 = Square u2
    u4/scalar = Mean u3
    u5 = Div u2 u4
    u6 = Mul q2 u5
    AssignSub w u6
"""

RECIPES: dict[str, OptimizerRecipe] = {
    "sgd": _recipe("", "t1 = Mul g\nAssignSub w t1", source="sgd"),
    "adam": _recipe("m v", _ADAM, source="adam"),
    "adamw": _recipe("m v", _ADAM, source="adamw"),
    "rmsprop": _recipe(
        "v",
        """
        t1 = Mul v
        t2 = Square g
        t3 = Mul t2
        t4 = Add t1 t3
        Assign v t4
        t5 = Mul g
        t6 = Add v
        t7 = Rsqrt t6
        t8 = Mul t5 t7
        AssignSub w t8
        """,
        source="rmsprop",
    ),
    "adadelta": _recipe(
        "a d",
        """
        t1 = Mul a
        t2 = Square g
        t3 = Mul t2
        t4 = Add t1 t3
        Assign a t4
        t5 = Add d
        t6 = Sqrt t5
        t7 = Mul t6 g
        t8 = Add a
        t9 = Rsqrt t8
        t10 = Mul t7 t9
        t11 = Neg t10
        t12 = Mul d
        t13 = Square t11
        t14 = Mul t13
        t15 = Add t12 t14
        Assign d t15
        t16 = Mul t11
        AssignAdd w t16
        """,
        source="adadelta",
    ),
    "adagrad": _recipe(
        "a",
        """
        t1 = Square g
        AssignAdd a t1
        t2 = Mul g
        t3 = Add a
        t4 = Rsqrt t3
        t5 = Mul t2 t4
        AssignSub w t5
        """,
        source="adagrad",
    ),
    "adamax": _recipe(
        "m u",
        """
        t1 = Sub g m
        t2 = Mul t1
        AssignAdd m t2
        t3 = Mul u
        t4 = Abs g
        t5 = Maximum t3 t4
        Assign u t5
        t6 = Mul m
        t7 = Add u
        t8 = Mul t7
        t9 = Div t6 t8
        AssignSub w t9
        """,
        source="adamax",
    ),
    "adafactor": _recipe(
        "r/rows c/columns v",
        _ADAFACTOR_SCALE
        + """
        r1/rows = Mean t2
        r2/rows = Mul r1
        r3/rows = Mul r
        r4/rows = Add r3 r2
        Assign r r4
        c1/columns = Mean t2
        c2/columns = Mul c1
        c3/columns = Mul c
        c4/columns = Add c3 c2
        Assign c c4
        r5/scalar = Mean r
        r6/rows = Div r r5
        v1 = Mul r6 c
        Assign v v1
        """
        + _ADAFACTOR_STEP,
        source="adafactor",
    ),
    "nadam": _recipe(
        "m v",
        _MOMENTS
        + """
        t6 = Mul m
        t7 = Div t6
        t8 = Mul g
        t9 = Div t8
        t10 = Add t7 t9
        t11 = Div v
        t12 = Mul t10
        t13 = Sqrt t11
        t14 = Add t13
        t15 = Div t12 t14
        AssignSub w t15
        """,
        source="nadam",
    ),
    "ftrl": _recipe(
        "a l",
        """
        t1 = Mul w
        t2 = Add t1 g
        t3 = Square g
        t4 = Add a t3
        t5 = Sqrt t4
        t6 = Sqrt a
        t7 = Sub t5 t6
        t8 = Div t7
        t9 = Mul w t8
        t10 = Sub t2 t9
        AssignAdd l t10
        t11 = Div t5
        t12 = Add t11
        t13 = Minimum l
        t14 = Maximum t13
        t15 = Sub t14 l
        t16 = Div t15 t12
        Assign w t16
        Assign a t4
        """,
        source="ftrl",
    ),
    "lion": _recipe(
        "m",
        """
        t1 = Mul m
        t2 = Mul g
        t3 = Add t1 t2
        t4 = Sign t3
        t5 = Mul t4
        AssignSub w t5
        t6 = Mul m
        t7 = Mul g
        t8 = Add t6 t7
        Assign m t8
        """,
        source="lion",
    ),
    "lamb": _recipe(
        "m v",
        _MOMENTS
        + """
        n1 = Square w
        n2/scalar = Sum n1
        t6 = Div m
        t7 = Div v
        t8 = Sqrt t7
        t9 = Add t8
        t10 = Div t6 t9
        n3 = Square t10
        n4/scalar = Sum n3
        n5/scalar = Div n2 n4
        t11 = Mul n5 t10
        AssignSub w t11
        """,
        source="lamb",
    ),
    "muon": _recipe("m", _MUON_START + _MUON_NORM + _MUON_TURN * _MUON_TURNS + _MUON_END, source="muon"),
    "schedulefreeadamw": _recipe(
        "z v",
        """
        t1 = Square g
        t2 = Sub t1 v
        t3 = Mul t2
        AssignAdd v t3
        t4 = Mul g
        t5 = Div v
        t6 = Sqrt t5
        t7 = Add t6
        t8 = Div t4 t7
        AssignSub z t8
        t9 = Mul z
        t10 = Sub w t9
        t11 = Mul t10
        t12 = Mul t11
        t13 = Mul z
        t14 = Add t12 t13
        t15 = Mul z
        t16 = Mul t14
        t17 = Add t15 t16
        Assign w t17
        """,
        source="schedule_free_adamw",
    ),
}

_ADAFACTOR_SMALL = _recipe(
    "v",
    _ADAFACTOR_SCALE
    + """
    t3 = Mul t2
    t4 = Mul v
    t5 = Add t4 t3
    Assign v t5
    """
    + _ADAFACTOR_STEP,
    source="adafactor",
)
"""A vector has no rows and columns to keep instead of itself."""

_MUON_TALL = _recipe(
    "m", _MUON_START + _TURNED + _MUON_NORM + _MUON_TURN * _MUON_TURNS + _TURNED + _MUON_END, source="muon"
)
"""A matrix with more rows than columns is turned before and after."""

_DECAY = _operations(
    """
    d1 = Mul w
    d2 = Mul d1
    AssignSub w d2
    """
)
"""``_apply_weight_decay`` of keras/src/backend/tensorflow/optimizer.py."""

_MUON_DECAY = _operations(
    """
    d1 = Mul w
    d2 = Mul d1
    d3 = Sub w d2
    Assign w d3
    """
)
"""Muon has its own, which makes a new weight."""

_DECAYING = frozenset(("adamw", "muon"))
"""Optimizers that decay weights unless told otherwise."""

_EMA = _operations(
    """
    e1 = Mul ema
    e2 = Mul w
    e3 = Add e1 e2
    Assign ema e3
    """
)
"""``_update_model_variables_moving_average``, after all updates."""

_CLIP: dict[Clip, tuple[UpdateOperation, ...]] = {
    "norm": _operations(
        """
        c1 = Square g
        c2/scalar = Sum c1
        c3 = Mul g
        g = Div c3 c2
        """
    ),
    "unit_norm": _operations("c1 = Square g\nc2/scalar = Sum c1\ng = Div g c2"),
    "value": _operations("c1 = Minimum g\ng = Maximum c1"),
    "global_norm": _operations("g = Mul g c2"),
}
"""``_clip_gradients``; the global norm itself is `_SQUARES` of every gradient."""

_SQUARES = _operations("c1 = Square g\nc2/scalar = Sum c1")

_MEAN = _operations("g = Add g acc\ng = Div g")
_SUM = _operations("a1 = Add g acc\nAssign acc a1")
"""Gradient accumulation: the mean of what was added up, or one more gradient added
(``_backend_apply_gradients``, ``_backend_increment_gradient_accumulators``)."""

_FINITE = _operations("f1/flags = IsFinite g\nf2/scalar = All f1")
_UNSCALE = _operations("g = Div g")
"""Loss scaling asks whether all gradients are finite, then divides each
(keras/src/optimizers/loss_scale_optimizer.py, ``check_finite``, ``_stateful_handle_finite_grads``)."""


def recipe(optimizer: str, shape: tuple[int, ...] = (1, 1), path: str = "") -> OptimizerRecipe:
    """The recipe of an optimizer for one weight.

    Muon orthogonalises matrices that are no embeddings and treats every other weight as Adam does
    (keras/src/optimizers/muon.py, ``_should_use_adamw``); Adafactor keeps rows and columns of weights
    with two or more dimensions.

    Raises:
        InvalidWorkload: The name is none of `RECIPES`.
    """
    if optimizer not in RECIPES:
        raise InvalidWorkload("unknown optimizer", expected=", ".join(sorted(RECIPES)), received=repr(optimizer))
    if optimizer == "muon" and (len(shape) != 2 or "embedding" in path.lower()):
        return RECIPES["adam"]
    if optimizer == "muon" and shape[0] > shape[1]:
        return _MUON_TALL
    if optimizer == "adafactor" and len(shape) < 2:
        return _ADAFACTOR_SMALL
    return RECIPES[optimizer]


def update_stages(
    optimizer: str, shape: tuple[int, ...], path: str = "", options: UpdateOptions = NOTHING_ADDED, *,
    loss_scaled: bool = False, accumulating: bool = False, updating: bool = True,
) -> tuple[tuple[UpdateOperation, ...], ...]:  # fmt: skip
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
    stages: list[list[UpdateOperation]], optimizer: str, shape: tuple[int, ...], path: str, options: UpdateOptions, *,
    in_condition: bool,
) -> None:  # fmt: skip
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


def slots(optimizer: str, shape: tuple[int, ...], path: str = "", *, ema: bool = False) -> tuple[Slot, ...]:
    """What is kept for one weight of this shape, the moving average first, as ``build`` makes it."""
    return (*((Slot("ema"),) if ema else ()), *recipe(optimizer, shape, path).slots)


def result_bytes(size: Size, shape: tuple[int, ...], item_bytes: int) -> int:
    """Bytes of a slot or a result beside a weight of this shape."""
    if size == "scalar":
        return item_bytes
    elements = math.prod(shape)
    if size == "flags":
        return elements
    if size == "rows":
        elements //= shape[-1]
    elif size == "columns":
        elements //= shape[-2]
    elif size == "square":
        elements = min(shape) ** 2
    return elements * item_bytes


def slot_bytes(
    optimizer: str, shape: tuple[int, ...], item_bytes: int, path: str = "", *, ema: bool = False
) -> tuple[int, ...]:
    """Bytes of every slot that the optimizer keeps for one weight of this shape."""
    return tuple(result_bytes(slot.size, shape, item_bytes) for slot in slots(optimizer, shape, path, ema=ema))
