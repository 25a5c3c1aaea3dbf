"""Turn what a file holds into what the model takes: size and channels of images, range of labels, length of text.

Samples travel in a compact form (bytes, whole numbers) as far as the batch; `finish` makes them the model's types.
"""

from __future__ import annotations

import math
from typing import Any

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.worker.models.built import BuiltModel, InputSpec, words

_IMAGE_RANK = 3


def image_sample(built: BuiltModel, image: Any, label: Any) -> tuple[Any, Any]:
    """A decoded image ``(h, w, c)`` and its class number as the model's first input and its target."""
    x = _resized(image, built.input_specs[0])
    target = next(iter(built.target_specs), None)
    if target is not None and len(target.shape) == _IMAGE_RANK and target.high is None:
        return x, _resized(image, target)
    return x, label


def check_image_model(built: BuiltModel, name: str) -> None:
    """Refuse images for a model that does not take any.

    Raises:
        BadDataset: The model's first input has no rows, columns and channels.
    """
    spec = built.input_specs[0]
    if len(spec.shape) != _IMAGE_RANK or "float" not in spec.dtype:
        received = phrase("{name}: images", name=name)
        raise BadDataset(
            phrase("this data does not suit the model"),
            expected=phrase("{words} of {dtype}", words=words(spec.shape), dtype=spec.dtype),
            received=received,
        )


def channels_of(built: BuiltModel) -> int:
    """Channels to decode: 1 for a model of grey images, else 3."""
    return 1 if built.input_specs[0].shape[-1] == 1 else 3


def finish(built: BuiltModel, x: Any, y: Any) -> Any:
    """A batch of compact samples as the step takes it."""
    import keras

    first = _finished_input(built.input_specs[0], x)
    batch = first.shape[0]
    inputs = [first, *(_constant(spec, batch) for spec in built.input_specs[1:])]
    targets = [_finished_target(spec, x, y, batch) for spec in built.target_specs]
    return keras.tree.lists_to_tuples(built.arranged(inputs, targets))  # ``tf.data`` would stack a list


def _resized(image: Any, spec: InputSpec) -> Any:
    """An image of bytes in the size and channels of a specification."""
    import tensorflow as tf

    height, width, channels = spec.shape
    if image.shape[-1] != channels:
        image = tf.tile(image[..., :1], [1] * (len(image.shape) - 1) + [channels])
    if image.shape[-3:-1] != (height, width):
        image = tf.cast(tf.image.resize(image, (height, width)), tf.uint8)
    image.set_shape((*image.shape[:-3], height, width, channels))
    return image


def _finished_input(spec: InputSpec, x: Any) -> Any:
    """The first input: scaled images, tokens in range and of one length, or numbers."""
    import tensorflow as tf

    if spec.high is not None:
        return _tokens(spec, x)
    scaled = tf.cast(x, spec.dtype) / 255 if x.dtype == tf.uint8 else tf.cast(x, spec.dtype)
    if _is_sequence(spec.shape, tuple(x.shape[1:])):
        scaled = _of_length(scaled, spec.shape[0])
    return tf.reshape(scaled, (x.shape[0], *spec.shape))


def _is_sequence(wanted: tuple[int, ...], shape: tuple[int | None, ...]) -> bool:
    """Do two shapes differ in the number of time steps, or frames, at most."""
    return len(wanted) == len(shape) and len(wanted) in (2, 4) and wanted[1:] == shape[1:]


def _of_length(rows: Any, length: int) -> Any:
    """Rows cut to a length, or filled with zeros."""
    import tensorflow as tf

    cut = rows[:, :length]
    missing = length - cut.shape[1]
    return tf.pad(cut, [[0, 0], [0, missing], *([0, 0] for _ in cut.shape[2:])]) if missing > 0 else cut


def _tokens(spec: InputSpec, x: Any) -> Any:
    """Rows of whole numbers, cut or filled with zeros, within the vocabulary."""
    import tensorflow as tf

    row = _of_length(x, spec.shape[0])
    return tf.cast(tf.math.floormod(tf.cast(row, tf.int64), spec.high), spec.dtype)


def _constant(spec: InputSpec, batch: int) -> Any:
    """An input that the data does not have: a mask of ones, else zeros."""
    import tensorflow as tf

    return tf.fill((batch, *spec.shape), tf.cast(spec.fill or 0, spec.dtype))


def _finished_target(spec: InputSpec, x: Any, y: Any, batch: int) -> Any:
    """The target: a class in range, one-hot, the same class at each place, the next token, or a picture."""
    import tensorflow as tf

    if y.shape[1:] == spec.shape and spec.high is None:
        return tf.cast(y, spec.dtype) / 255 if y.dtype == tf.uint8 else tf.cast(y, spec.dtype)
    if spec.shape and x.shape[1:] and len(spec.shape) == 1 and spec.high is not None and "int" in spec.dtype:
        return _tokens(spec, tf.roll(x, -1, axis=1))
    label = tf.reshape(y, (batch, -1))[:, 0]
    if spec.high is None and len(spec.shape) == 1 and spec.shape[0] > 1:
        return tf.one_hot(tf.math.floormod(tf.cast(label, tf.int64), spec.shape[0]), spec.shape[0], dtype=spec.dtype)
    if spec.high is not None:
        label = tf.math.floormod(tf.cast(label, tf.int64), spec.high)
    spread = tf.reshape(tf.cast(label, spec.dtype), (batch, *(1 for _ in spec.shape)))
    return tf.broadcast_to(spread, (batch, *spec.shape))


def check_numbers(built: BuiltModel, shape: tuple[int, ...], name: str) -> None:
    """Refuse rows of numbers that do not fill the model's input.

    Raises:
        BadDataset: The counts differ.
    """
    spec = built.input_specs[0]
    is_text = spec.high is not None and len(shape) == 1
    if not is_text and not _is_sequence(spec.shape, shape) and math.prod(shape) != math.prod(spec.shape):
        raise BadDataset(
            phrase("this data does not suit the model"),
            expected=words(spec.shape),
            received=f"{name}: {words(shape)}",
            hint=phrase("give the model another --input-shape"),
        )
