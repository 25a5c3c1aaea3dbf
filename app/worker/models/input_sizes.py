"""Another sequence length or image size: which sides of a model's inputs that means, and what it changes.

A side is told by the input's form (without the batch): whole numbers of one dimension are tokens, two dimensions are
time steps and features, three an image, four frames of images.  Of several inputs those change that are as long as
the longest sequence, or as large as the largest image; or each that is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.built import Wishes, words
from app.worker.models.limits import check_shape

Shape = tuple[int | None, ...]
Sides = tuple[int, ...]
"""Indices of the sides that a wish is about."""


class Input(NamedTuple):
    """Shape without the batch, type, and name of an input; empty where it has none."""

    shape: Shape
    dtype: str
    name: str = ""


def declared(structure: Any) -> list[Input]:
    """Symbols of a model's inputs, in whatever structure it takes them; the keys of a dictionary are their names."""
    import keras

    found = []
    for path, leaf in keras.tree.flatten_with_path(structure):
        name = path[-1] if path and isinstance(path[-1], str) else getattr(leaf, "name", "")
        found.append(Input(tuple(leaf.shape[1:]), str(leaf.dtype), str(name)))
    return found


def resized(inputs: Sequence[Input], wishes: Wishes) -> list[Shape]:
    """Shapes of all inputs at the sequence length and image size that are wished for; None is no wish.

    Args:
        inputs: Those of the model.
        wishes: What the user asks of the model.

    Raises:
        BadModel: No input is a sequence, or an image, or none has the name of a wish.
    """
    shapes = [one.shape for one in inputs]
    if isinstance(wishes.sequence_length, tuple):
        shapes = _with_lengths(inputs, dict(wishes.sequence_length))
    elif wishes.sequence_length is not None:
        sides = [_sequence_sides(one) for one in inputs]
        shapes = _with_sides(shapes, sides, (wishes.sequence_length,), "sequence", phrase("tokens or time steps"))
    if wishes.image_size is not None:
        sides = [_image_sides(shape) for shape in shapes]
        most = max((len(shape) for shape, own in zip(shapes, sides, strict=True) if own), default=0)
        sides = [own if len(shape) == most else () for shape, own in zip(shapes, sides, strict=True)]
        shapes = _with_sides(shapes, sides, wishes.image_size, "image", phrase("height, width and channels"))
    return shapes


def changes(inputs: Sequence[Input], wishes: Wishes) -> dict[Input, Shape]:
    """The new shapes of all inputs if a fixed side of any must become another one; else nothing."""
    shapes = dict(zip(inputs, resized(inputs, wishes), strict=True))
    pairs = [sides for one, new in shapes.items() for sides in zip(one.shape, new, strict=True)]
    return shapes if any(was is not None and was != now for was, now in pairs) else {}


def resized_shape(shape: tuple[int, ...], wishes: Wishes, dtype: str | None = None) -> tuple[int, ...]:
    """One known shape, likewise; a single side of unknown type counts as tokens."""
    (found,) = resized([Input(shape, dtype or ("int32" if len(shape) == 1 else "float32"))], wishes)
    return check_shape(tuple(n for n in found if n is not None))


def told(old: Sequence[Shape], new: Sequence[Shape]) -> list[str]:
    """The changes in words, each once; a side that was free has no old value."""
    pairs = [(was, now) for was, now in zip(old, new, strict=True) if was != now]
    names = {1: phrase("sequence length")}
    said = [
        f"{names.get(len(now), 'input')} {words(now)}" + (f" instead of {words(was)}" if None not in was else "")
        for was, now in pairs
    ]
    return list(dict.fromkeys(said))


def check_same_weights(old: Any, new: Any) -> None:
    """Refuse a model that has other weights at the new size: it would be another model.

    Raises:
        BadModel: A weight changed its shape.
    """
    pairs = zip(old.variables, new.variables, strict=False)
    changed = [(was.path, tuple(was.shape), tuple(now.shape)) for was, now in pairs if was.shape != now.shape]
    received = [
        phrase("{path} would change from {words} to {words2}", path=path, words=words(was), words2=words(now))
        for path, was, now in changed
    ]
    if len(old.variables) != len(new.variables):
        received.append(
            phrase("{count} weights instead of {count2}", count=len(new.variables), count2=len(old.variables))
        )
    if received:
        raise BadModel(
            phrase("the input size of this model is fixed"),
            expected=phrase("weights that do not depend on it"),
            received=received[0],
            hint=phrase("end in pooling instead of Flatten, or let your function take input_shape"),
        )


def _sequence_sides(one: Input) -> Sides:
    """The side of an input along which its sequence runs."""
    tokens = len(one.shape) == 1 and ("int" in one.dtype or one.dtype == "bool")
    return (0,) if tokens or len(one.shape) in (2, 4) else ()


def _with_lengths(inputs: Sequence[Input], wished: Mapping[str, int]) -> list[Shape]:
    """The shapes with the lengths that are wished for by name."""
    sequences = {one.name: one for one in inputs if one.name and _sequence_sides(one)}
    unknown = [name for name in wished if name not in sequences]
    if unknown:
        raise BadModel(
            phrase("the model has no sequence of this name"),
            expected=", ".join(sequences) or phrase("one length for all: none of its sequences has a name"),
            received=", ".join(unknown),
        )
    lengths = {one: wished.get(name) for name, one in sequences.items()}
    return [one.shape if not lengths.get(one) else (lengths[one], *one.shape[1:]) for one in inputs]


def _image_sides(shape: Shape) -> Sides:
    """Height and width of an input; two sides alone are a grey image."""
    import keras

    rank = len(shape)
    if rank == 2:
        return 0, 1
    if rank not in (3, 4):
        return ()
    first = rank - 2 if keras.config.image_data_format() == "channels_first" else rank - 3
    return first, first + 1


def _with_sides(
    shapes: Sequence[Shape], sides: Sequence[Sides], wanted: tuple[int, ...], name: str, expected: str
) -> list[Shape]:
    """The shapes with new lengths at some sides, where they are as long as the longest, or free."""
    lengths = [tuple(shape[i] for i in own) for shape, own in zip(shapes, sides, strict=True) if own]
    if not lengths:
        received = ", ".join(words(shape) for shape in shapes)
        raise BadModel(
            phrase("no input of this model is a{value} {name}", value="n" * (name[0] in "ei"), name=name),
            expected=expected,
            received=received or phrase("no input"),
        )
    largest = max(tuple(n or 0 for n in length) for length in lengths)
    found = []
    for shape, own in zip(shapes, sides, strict=True):
        length = tuple(shape[i] for i in own)
        if own and (None in length or length == largest):
            values = dict(zip(own, wanted, strict=True))
            shape = tuple(values.get(i, n) for i, n in enumerate(shape))
        found.append(shape)
    return found
