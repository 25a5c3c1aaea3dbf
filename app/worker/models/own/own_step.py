"""What an author's own ``train_step`` is given: a pair, one tensor, a dictionary.  Its text says it and nothing else.

``fit`` hands on what the data yields, so that without data the step's first lines are what is known of a batch:
``x, y = data``, ``data["image"]``, or the whole as it is.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.built import InputSpec, Wishes
from app.worker.models.own.targets import assumed_loss, targets_of

_UNPACKS = "unpack_x_y_sample_weight"
_MOST_PARTS = 3
"""Inputs, targets and weights of samples."""
_DEEPEST = 3
"""Own methods that hand the batch on, followed so far."""


@dataclass(frozen=True)
class Taken:
    """How a step takes its batch.

    Attributes:
        parts: How many parts it is taken apart into; None for a batch that is used as a whole.
        keys: Names that are looked up in it.
        certain: The parts are written down; otherwise a single tensor does as well.
    """

    parts: int | None = None
    keys: tuple[str, ...] = ()
    certain: bool = False


def has_own_step(model: Any) -> bool:
    """Does the model's class say itself what a training step is?"""
    import keras

    return type(model).train_step is not keras.Model.train_step


def has_own_call(model: Any) -> bool:
    """Can the model be called, or only trained?"""
    import keras

    return type(model).call not in (keras.Model.call, keras.Layer.call)


def check_compiled(model: Any) -> None:
    """Refuse a model whose own ``compile`` takes what only its author has, and was not called.

    Raises:
        BadModel: It was not.
    """
    import keras

    if type(model).compile is not keras.Model.compile and not model.compiled:
        raise BadModel(
            phrase("the model has a compile of its own, and nobody has called it"),
            expected=phrase("a compiled model"),
            received=type(model).__name__,
            hint=phrase("let the function compile the model before it returns it"),
        )


def own_loss(model: Any) -> Any:
    """The loss of a model with a step of its own, wherever it keeps it; None for none."""
    import keras

    kept = [value for value in vars(model).values() if isinstance(value, keras.losses.Loss)]
    return getattr(model, "loss", None) or next(iter(kept), None)


def batch_of_step(model: Any, given: Any, outputs: Any, loss: Any, wishes: Wishes, assumptions: list[str]) -> Any:
    """A batch as the model's own step takes it.

    Args:
        model: A model with a step of its own.
        given: Specifications of its inputs, as it takes them.
        outputs: Symbolic ones; empty for a model that cannot be called.
        loss: Its own; None for none.
        wishes: The number of classes, where it is known.
        assumptions: Grows by what was assumed.

    Raises:
        BadModel: The step takes what nobody but the data knows.
    """
    taken = taken_by(model)
    known = isinstance(given, dict) and set(taken.keys) <= set(given)
    if known if taken.keys else taken.parts is None:
        return given
    targets = _targets(model, outputs, loss, wishes, assumptions)
    parts = taken.parts or 0
    if taken.keys or parts > _MOST_PARTS or (parts > 1 and targets is None and taken.certain):
        raise BadModel(
            phrase("the step takes parts of a batch that nothing but the data knows"),
            expected=phrase("data, or a batch from the function"),
            received=", ".join(taken.keys) or phrase("{count} parts", count=taken.parts),
            hint=phrase("add --dataset my_data.py:function, or let the function return (model, None, batch)"),
        )
    if targets is None and taken.parts != 1:
        return given
    return (given, targets, InputSpec((), "float32"))[: taken.parts]


def _targets(model: Any, outputs: Any, loss: Any, wishes: Wishes, assumptions: list[str]) -> Any:
    """What the step compares outputs with; None where nothing tells."""
    import keras

    flat = keras.tree.flatten(outputs)
    classes = wishes.data_classes if wishes.classes is None else wishes.classes
    if flat:
        return targets_of(model, loss or assumed_loss(model, flat, classes, assumptions), outputs)
    return None if classes is None else InputSpec((), "int32", high=classes)


def taken_by(model: Any) -> Taken:
    """What the model's own step takes; a pair where its text cannot be read."""
    return _taken(type(model), _steps(type(model))[0], -1, _DEEPEST) or Taken(parts=2)


def _steps(kind: type) -> list[Any]:
    """The training steps of a class and of those that it inherits from, nearest first, Keras's own left out."""
    own = [one for one in kind.__mro__ if "train_step" in vars(one) and one.__module__.partition(".")[0] != "keras"]
    return [vars(one)["train_step"] for one in own]


def _taken(kind: type, step: Callable[..., Any], at: int, depth: int) -> Taken | None:
    """What a method takes as its argument number ``at`` behind ``self``; None if its text cannot be read.

    With JAX a step has the state in front of the batch, which is the last for every framework.
    """
    try:
        source = textwrap.dedent(inspect.getsource(getattr(step, "python_function", step)))
        function = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
        batch = function.args.args[1:][at].arg
    except (OSError, TypeError, SyntaxError, StopIteration, IndexError):
        return None
    uses = list(_uses(function, batch))
    if keys := tuple(dict.fromkeys(use for use in uses if isinstance(use, str))):
        return Taken(keys=keys, certain=True)
    if parts := [use for use in uses if isinstance(use, int)]:
        return Taken(parts=max(parts), certain=True)
    if any(use is None for use in uses):
        return Taken(parts=2)
    for name in _handed_on(function, batch) if depth else ():
        method = getattr(kind, name, None)
        found = _taken(kind, method, 0, depth - 1) if callable(method) and name != function.name else None
        if found is not None and found != Taken():
            return found
    if not _handed_to_super(function, batch):
        return Taken()
    steps = _steps(kind)
    above = steps[steps.index(step) + 1 :] if step in steps else []
    return _taken(kind, above[0], -1, depth - 1) if above and depth else Taken(parts=2)


def _uses(function: ast.FunctionDef, batch: str) -> Iterator[str | int | None]:
    """A key, a number of parts, or None for a use as a pair that does not say how many parts there must be."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _is(node.value, batch):
            for target in node.targets:
                if isinstance(target, (ast.Tuple, ast.List)):
                    yield len(target.elts)
        elif isinstance(node, ast.Subscript) and _is(node.value, batch) and isinstance(node.slice, ast.Constant):
            yield node.slice.value if isinstance(node.slice.value, str) else None
        elif isinstance(node, ast.Call) and _called(node) == _UNPACKS and any(_is(one, batch) for one in node.args):
            yield None


def _handed_on(function: ast.FunctionDef, batch: str) -> Iterator[str]:
    """Methods of the model's own that are given the whole batch."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and node.args and _is(node.args[0], batch) and _is_of(node.func, "self"):
            yield _called(node)


def _handed_to_super(function: ast.FunctionDef, batch: str) -> bool:
    """Is the batch handed on to the step of another class, as in ``super().train_step(data)``?"""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(_called(call) == "train_step" and any(_is(one, batch) for one in call.args) for call in calls)


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_of(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and _is(node.value, name)


def _called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
