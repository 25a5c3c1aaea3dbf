"""What each Keras optimizer keeps per weight, and the operations of its update.

A recipe is the graph that ``update_step`` of keras/src/optimizers/<name>.py (Keras 3.15) leaves after
TensorFlow's graph optimizer: one line an operation, ``output = Kind inputs``.  ``g`` is the gradient,
``w`` the weight, ``m`` ``v`` and so on are slots of the weight's shape, ``t…`` temporaries of the same
size.  ``AssignAdd`` and ``AssignSub`` change a variable in place, ``Assign`` replaces its buffer.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.errors import InvalidWorkload


@dataclass(frozen=True)
class UpdateOperation:
    """One operation of an update; names refer to gradient, weight, slots and temporaries."""

    kind: str
    inputs: tuple[str, ...]
    output: str | None


@dataclass(frozen=True)
class OptimizerRecipe:
    """Slots (each of the weight's shape) and the update of one weight.

    ``factored`` slots keep only row and column means of weights with two or more dimensions (Adafactor).
    """

    slots: tuple[str, ...]
    update: tuple[UpdateOperation, ...]
    factored: bool = False
    source: str = ""


def _recipe(slots: str, text: str, *, factored: bool = False, source: str) -> OptimizerRecipe:
    """Read a recipe from its short notation."""
    operations = []
    for line in filter(str.strip, text.splitlines()):
        left, _, right = line.strip().rpartition("=")
        kind, *inputs = right.split()
        operations.append(UpdateOperation(kind, tuple(inputs), left.strip() or None))
    return OptimizerRecipe(tuple(slots.split()), tuple(operations), factored, f"keras/src/optimizers/{source}.py")


_ADAM_MOMENTS = """
    t1 = Sub g m
    t2 = Mul t1
    AssignAdd m t2
    t3 = Square g
    t4 = Sub t3 v
    t5 = Mul t4
    AssignAdd v t5
"""

_ADAM = (
    _ADAM_MOMENTS
    + """
    t6 = Mul m
    t7 = Sqrt v
    t8 = Add t7
    t9 = Div t6 t8
    AssignSub w t9
"""
)

_WEIGHT_DECAY = """
    d1 = Mul w
    AssignSub w d1
"""

RECIPES: dict[str, OptimizerRecipe] = {
    "sgd": _recipe("", "t1 = Mul g\nAssignSub w t1", source="sgd"),
    "adam": _recipe("m v", _ADAM, source="adam"),
    "adamw": _recipe("m v", _WEIGHT_DECAY + _ADAM, source="adamw"),
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
        t7 = Sqrt t6
        t8 = Div t5 t7
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
        t9 = Sqrt t8
        t10 = Div t7 t9
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
        t4 = Sqrt t3
        t5 = Div t2 t4
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
        "v",
        """
        t0 = Square w
        t1 = Square g
        t2 = Add t1
        t3 = Mul t2
        Assign v t3
        t4 = Sqrt v
        t5 = Div g t4
        t6 = Square t5
        t7 = Div t5
        t8 = Mul t7
        AssignSub w t8
        """,
        factored=True,
        source="adafactor",
    ),
    "nadam": _recipe(
        "m v",
        _ADAM_MOMENTS
        + """
        t6 = Mul m
        t7 = Mul g
        t8 = Add t6 t7
        t9 = Div v
        t10 = Mul t8
        t11 = Sqrt t9
        t12 = Add t11
        t13 = Div t10 t12
        AssignSub w t13
        """,
        source="nadam",
    ),
    "ftrl": _recipe(
        "a l",
        """
        t1 = Square g
        t2 = Add a t1
        t3 = Pow t2
        t4 = Pow a
        t5 = Sub t3 t4
        t6 = Div t5
        t7 = Mul t6 w
        t8 = Sub g t7
        AssignAdd l t8
        t9 = Div t3
        t10 = Clip l
        t11 = Sub t10 l
        t12 = Div t11 t9
        Assign w t12
        Assign a t2
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
        _ADAM_MOMENTS
        + """
        t6 = Div m
        t7 = Div v
        t8 = Sqrt t7
        t9 = Add t8
        t10 = Div t6 t9
        t11 = Mul t10
        AssignSub w t11
        """,
        source="lamb",
    ),
    "muon": _recipe(
        "m",
        """
        t1 = Mul m
        t2 = Add g t1
        AssignAdd m t2
        t3 = Mul m
        t4 = Add g t3
        t5 = Div t4
        t6 = Mul t5
        t7 = MatMul t5
        t8 = Add t6 t7
        AssignSub w t8
        """,
        source="muon",
    ),
}


def recipe(optimizer: str, rank: int = 2) -> OptimizerRecipe:
    """The recipe of an optimizer for a weight with ``rank`` dimensions.

    Muon orthogonalises matrices only and treats every other weight as Adam does
    (keras/src/optimizers/muon.py, ``_should_use_adamw``).

    Raises:
        InvalidWorkload: The name is none of `RECIPES`.
    """
    if optimizer not in RECIPES:
        raise InvalidWorkload("unknown optimizer", expected=", ".join(sorted(RECIPES)), received=repr(optimizer))
    return RECIPES["adam" if optimizer == "muon" and rank != 2 else optimizer]


def slot_bytes(optimizer: str, shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    """Bytes of every slot that the optimizer keeps for one weight of this shape."""
    size = item_bytes
    for n in shape:
        size *= n
    found = recipe(optimizer, len(shape))
    full = tuple(size for _ in found.slots)
    if found.factored and len(shape) >= 2:
        full += (size // shape[-1], size // shape[-2])
    return full
