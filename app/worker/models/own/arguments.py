"""What the user's function is called with: what they gave by name, and what plan and data say of usual names."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.built import Wishes
from app.worker.models.input_sizes import Input, resized
from app.worker.models.limits import check_classes, check_shape

CLASSES = ("classes", "num_classes", "n_classes", "nb_classes", "number_of_classes")
LENGTHS = ("sequence_length", "seq_length", "seq_len", "maxlen", "max_len", "max_length")
IMAGE_SIZES = ("image_size", "img_size")

Parameters = Mapping[str, inspect.Parameter]


def keywords_for(
    function: Callable[..., Any], given: Sequence[str], wishes: Wishes, assumptions: list[str]
) -> dict[str, Any]:
    """What a function is called with.

    Args:
        function: Of the user's, or a class.
        given: ``name=value`` from the user; a value that is no Python literal is text.
        wishes: What plan and data say, for parameters with one of the usual names.
        assumptions: Grows by what the function does not want to know.

    Raises:
        BadModel: A parameter has no value, or a value no parameter.
    """
    try:
        wanted = inspect.signature(function).parameters
    except ValueError:
        return {}
    by_name = dict(map(_pair, given))
    found = {name: value for name, value in _known(wanted, wishes, assumptions).items() if name in wanted}
    called = {**found, **by_name}
    _check(getattr(function, "__name__", ""), wanted, called, by_name)
    return called


def _pair(text: str) -> tuple[str, Any]:
    """``name=value``."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _known(wanted: Parameters, wishes: Wishes, assumptions: list[str]) -> dict[str, Any]:
    """What is known of the usual names."""
    shape = wishes.data_shape if wishes.input_shape is None else check_shape(wishes.input_shape)
    if wishes.sequence_length is not None or wishes.image_size is not None:
        shape = _sized(shape, wanted, wishes)
    classes = wishes.data_classes if wishes.classes is None else check_classes(wishes.classes)
    if wishes.classes is not None and not set(CLASSES) & set(wanted):
        assumptions.append(phrase("the function decides about the number of classes"))
    whole = () if shape is None or None in shape else shape
    tokens = len(whole) == 1 and (wishes.dataset is None or "int" in wishes.dataset.dtype)
    wished = wishes.sequence_length if isinstance(wishes.sequence_length, int) else None
    length: int | None = wished or (whole[0] if tokens else None)
    size: tuple[int | None, ...] | None = wishes.image_size or (whole[:2] if len(whole) == 3 else None)
    known: dict[str, Any] = {"input_shape": whole or None}
    known |= dict.fromkeys(CLASSES, classes) | dict.fromkeys(LENGTHS, length)
    known |= {name: _as_wanted(size, wanted[name]) for name in IMAGE_SIZES if name in wanted}
    return {name: value for name, value in known.items() if value is not None}


def _as_wanted(size: Any, parameter: inspect.Parameter) -> Any:
    """Height and width, or the one side of a square where the author has a single number."""
    one = isinstance(parameter.default, int) or parameter.annotation in (int, "int")
    if size is None or not one:
        return size
    return size[0] if size[0] == size[1] else None


def _sized(shape: tuple[int | None, ...] | None, wanted: Parameters, wishes: Wishes) -> tuple[int | None, ...] | None:
    """The shape to hand over at the size that is wished for; the function's own default is a shape as well."""
    if shape is None and "input_shape" in wanted and isinstance(wanted["input_shape"].default, tuple):
        shape = wanted["input_shape"].default
    if shape is None:
        return None
    return resized([Input(shape, "int32" if len(shape) == 1 else "float32")], wishes)[0]


def _check(name: str, wanted: Parameters, called: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse what Python would refuse, and say how to give it."""
    kinds = inspect.Parameter
    named = {p.name: p for p in wanted.values() if p.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)}
    missing = [p.name for p in named.values() if p.default is kinds.empty and p.name not in called]
    takes_any = any(p.kind is kinds.VAR_KEYWORD for p in wanted.values())
    unknown = [] if takes_any else [one for one in given if one not in named]
    if unknown:
        raise BadModel(
            phrase("{name} has no such argument", name=name),
            expected=", ".join(named) or phrase("no argument"),
            received=", ".join(unknown),
        )
    if missing:
        raise BadModel(
            phrase("{name} takes arguments that nobody has given", name=name),
            expected=", ".join(missing),
            hint=phrase("add --arg {name}=VALUE", name=missing[0]),
        )
