"""The update of every Keras optimizer and of its variants, as TensorFlow's graph optimizer leaves it.

A recipe is the graph of ``update_step`` of keras/src/optimizers/<name>.py (Keras 3.15) in the notation of
`app.core.simulate.update_notation`.  tests/worker/tracing/test_optimizers.py compares every recipe with what Keras
traces.
"""

from __future__ import annotations

from app.core.simulate.update_notation import OptimizerRecipe, described
from app.core.types.errors import InvalidWorkload
from app.core.types.text import phrase

_MOMENTS = """
    t1 = Sub g m
    t2 = Mul t1
    AssignAdd m t2
    t3 = Square g
    t4 = Sub t3 v
    t5 = Mul t4
    AssignAdd v t5
"""

_ADAM_STEP = """
    t6 = Mul m
    t7 = Sqrt {second}
    t8 = Add t7
    t9 = Div t6 t8
    AssignSub w t9
"""

_LARGEST = """
    h1 = Maximum h v
    Assign h h1
"""

_ADAM = _MOMENTS + _ADAM_STEP.format(second="v")
_AMSGRAD = _MOMENTS + _LARGEST + _ADAM_STEP.format(second="h")

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

_MOMENTUM = """
    t1 = Mul m
    t2 = Mul g
    t3 = Sub t1 t2
    Assign m t3
"""

_NESTEROV = """
    t4 = Mul m
    t5 = Sub t4 t2
    AssignAdd w t5
"""
"""The gradient's product is the one above: TensorFlow computes what is the same once."""

_MEAN_SQUARE = """
    t1 = Mul v
    t2 = Square g
    t3 = Mul t2
    t4 = Add t1 t3
    Assign v t4
"""

_MEAN_GRADIENT = """
    a1 = Mul a
    a2 = Mul g
    a3 = Add a1 a2
    Assign a a3
    a4 = Square a
    a5 = Sub a4
    t6 = Add a5 v
"""
"""TensorFlow takes the mean from the small constant first, because that is no weight's size."""

_SCALED = """
    t5 = Mul g
    t7 = Rsqrt t6
    t8 = Mul t5 t7
"""

_SCALED_MOMENTUM = """
    t9 = Mul m
    t10 = Add t9 t8
    Assign m t10
    AssignSub w m
"""

_RMSPROP = _MEAN_SQUARE + "t6 = Add v" + _SCALED
_CENTERED = _MEAN_SQUARE + _MEAN_GRADIENT + _SCALED

RECIPES: dict[str, OptimizerRecipe] = {
    "sgd": described("", "t1 = Mul g\nAssignSub w t1", source="sgd"),
    "sgd+momentum": described("m", _MOMENTUM + "AssignAdd w m", source="sgd"),
    "sgd+momentum+nesterov": described("m", _MOMENTUM + _NESTEROV, source="sgd"),
    "adam": described("m v", _ADAM, source="adam"),
    "adam+amsgrad": described("m v h", _AMSGRAD, source="adam"),
    "adamw": described("m v", _ADAM, source="adamw"),
    "adamw+amsgrad": described("m v h", _AMSGRAD, source="adamw"),
    "rmsprop": described("v", _RMSPROP + "AssignSub w t8", source="rmsprop"),
    "rmsprop+momentum": described("v m", _RMSPROP + _SCALED_MOMENTUM, source="rmsprop"),
    "rmsprop+centered": described("v a", _CENTERED + "AssignSub w t8", source="rmsprop"),
    "rmsprop+momentum+centered": described("v m a", _CENTERED + _SCALED_MOMENTUM, source="rmsprop"),
    "adadelta": described(
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
    "adagrad": described(
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
    "adamax": described(
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
    "adafactor": described(
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
    "nadam": described(
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
    "ftrl": described(
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
    "lion": described(
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
    "lamb": described(
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
    "muon": described("m", _MUON_START + _MUON_NORM + _MUON_TURN * _MUON_TURNS + _MUON_END, source="muon"),
    "schedulefreeadamw": described(
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

_ADAFACTOR_SMALL = described(
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

_MUON_TALL = described(
    "m", _MUON_START + _TURNED + _MUON_NORM + _MUON_TURN * _MUON_TURNS + _TURNED + _MUON_END, source="muon"
)
"""A matrix with more rows than columns is turned before and after."""


def recipe(optimizer: str, shape: tuple[int, ...] = (1, 1), path: str = "") -> OptimizerRecipe:
    """The recipe of an optimizer, named as `Plan.rule`, for one weight.

    Muon orthogonalises matrices that are no embeddings and treats every other weight as Adam does
    (keras/src/optimizers/muon.py, ``_should_use_adamw``); Adafactor keeps rows and columns of weights
    with two or more dimensions.

    Raises:
        InvalidWorkload: The name is none of `RECIPES`.
    """
    if optimizer not in RECIPES:
        raise InvalidWorkload(
            phrase("unknown optimizer"), expected=", ".join(sorted(RECIPES)), received=repr(optimizer)
        )
    if optimizer == "muon" and (len(shape) != 2 or "embedding" in path.lower()):
        return RECIPES["adam"]
    if optimizer == "muon" and shape[0] > shape[1]:
        return _MUON_TALL
    if optimizer == "adafactor" and len(shape) < 2:
        return _ADAFACTOR_SMALL
    return RECIPES[optimizer]
