"""Build a network of the catalog for the user's data: image size, channels, classes, sequence length.

What is adapted is said in words.  An image network of a published size keeps it and the images are resized; a small
network of our own is built for the data's size if that is near its own.
"""

from __future__ import annotations

from typing import Any

from app.core.types.errors import BadDataset, BadModel
from app.core.types.text import phrase, verbatim
from app.core.types.workload import Dataset, ModelRef
from app.worker.models.built import BuiltModel, InputSpec, Wishes, one_line, words
from app.worker.models.input_sizes import resized_shape
from app.worker.models.limits import check_classes, check_shape
from app.worker.models.zoo import find_recipe
from app.worker.models.zoo.recipe import Recipe

_IMAGES = ("image", "super_resolution", "segmentation")
_TOKENS = ("text", "language")
_NEAR = 4
"""A network follows the data's image size if that has between a quarter and four times its own pixels."""
_VARIABLE_IMAGE_SIDE = 28
"""Images of different sizes are resized to this for a network that takes rows of numbers."""


def build(model: ModelRef, wishes: Wishes) -> BuiltModel:
    """Build a catalog network.

    Raises:
        BadModel: Unknown name, impossible shape, or an extra is not installed.
        BadDataset: The data cannot be what this network learns from.
    """
    recipe = find_recipe(model.name)
    assumptions: list[str] = []
    if wishes.dataset is not None:
        _check_kind(recipe, wishes.dataset)
    shape = _shape(recipe, wishes, assumptions)
    classes = _classes(recipe, wishes, assumptions)
    try:
        network = recipe.build(model.name, shape, classes)
    except (ValueError, TypeError, ArithmeticError) as error:
        message = phrase("{model} cannot be built for this input", model=model.name)
        raise BadModel(message, received=words(shape), hint=verbatim(one_line(error))) from error
    loss, targets = _loss_and_targets(recipe, network, classes, assumptions)
    inputs = _input_specs(recipe, network, shape)
    return BuiltModel(network, loss, inputs, targets, tuple(assumptions), recipe.source)


def _shape(recipe: Recipe, wishes: Wishes, assumptions: list[str]) -> tuple[int, ...]:
    """The input shape to build for."""
    if wishes.input_shape is not None:
        return _given_shape(recipe, wishes.input_shape)
    data = wishes.data_shape
    if recipe.task in _TOKENS:
        length = data[0] if data and data[0] is not None else recipe.input_shape[0]
        (length,) = resized_shape((length,), wishes)
        assumptions.append(phrase("sequence length {length}", length=length))
        return check_shape((length,))
    if recipe.task == "table":
        return resized_shape(_table_shape(recipe, data, assumptions), wishes, "float32")
    return _image_shape(recipe, wishes, assumptions)


def _given_shape(recipe: Recipe, given: tuple[int, ...]) -> tuple[int, ...]:
    """The user's own shape, if it has the right number of dimensions."""
    check_shape(given)
    if recipe.task in _IMAGES and len(given) == 2:
        return (*given, recipe.input_shape[-1])
    if recipe.task != "table" and len(given) != len(recipe.input_shape):
        raise BadModel(
            phrase("the input shape has the wrong number of dimensions"),
            expected=phrase(
                "{count}, for example {words}", count=len(recipe.input_shape), words=words(recipe.input_shape)
            ),
            received=words(given),
        )
    return given


def _image_shape(recipe: Recipe, wishes: Wishes, assumptions: list[str]) -> tuple[int, ...]:
    """Image size and channels."""
    data = wishes.data_shape
    own = recipe.input_shape
    height, width, channels = resized_shape(own, wishes)
    if data is None:
        if (height, width, channels) == own:
            assumptions.append(phrase("input {words}, the network's own", words=words(own)))
        else:
            assumptions.append(
                phrase(
                    "input {words} instead of the network's own {words2}",
                    words=words((height, width, channels)),
                    words2=words(own),
                )
            )
        return height, width, channels
    data_height, data_width, data_channels = data if len(data) == 3 else (*data, 1)
    if recipe.free_channels and data_channels:
        channels = data_channels
    elif data_channels == 1:
        assumptions.append(phrase("grey images repeated to {channels} channels", channels=channels))
    if recipe.follows_size and wishes.image_size is None and data_height and data_width:
        ratio = data_height * data_width / (height * width)
        if 1 / _NEAR <= ratio <= _NEAR:
            height, width = data_height, data_width
    if (data_height, data_width) != (height, width):
        assumptions.append(phrase("images resized to {words}", words=words((height, width, channels))))
    return check_shape((height, width, channels))


def _table_shape(recipe: Recipe, data: tuple[int | None, ...] | None, assumptions: list[str]) -> tuple[int, ...]:
    """Whatever the data is, flattened by the network."""
    if not data:
        assumptions.append(phrase("input {words}, the network's own", words=words(recipe.input_shape)))
        return recipe.input_shape
    if None not in data:
        return check_shape(tuple(n for n in data if n is not None))
    if len(data) == 3:
        shape = (_VARIABLE_IMAGE_SIDE, _VARIABLE_IMAGE_SIDE, data[2] or 3)
        assumptions.append(phrase("images resized to {words}", words=words(shape)))
        return shape
    raise BadDataset(
        phrase("the examples differ in length"), expected=phrase("rows of one length"), received=words(data)
    )


def _classes(recipe: Recipe, wishes: Wishes, assumptions: list[str]) -> int:
    """The number of classes to build for."""
    if recipe.task in ("language", "super_resolution"):
        if wishes.classes is not None:
            raise BadModel(
                phrase("this network has no classes"),
                received=phrase("{classes} classes", classes=wishes.classes),
                hint=phrase("leave out --classes"),
            )
        return recipe.classes
    given = wishes.classes if wishes.classes is not None else wishes.data_classes
    classes = check_classes(recipe.classes if given is None else given)
    if classes != recipe.classes:
        assumptions.append(
            phrase("{classes} classes instead of {classes2}", classes=classes, classes2=recipe.classes)
            if classes > 1
            else phrase("one number as output")
        )
    return classes


def _loss_and_targets(
    recipe: Recipe, network: Any, classes: int, assumptions: list[str]
) -> tuple[Any, tuple[InputSpec, ...]]:
    """The loss that goes with the task, and what its targets look like."""
    import keras

    output = tuple(network.output_shape[1:])
    if recipe.task == "super_resolution" or classes == 1:
        assumptions.append(phrase("loss mean squared error"))
        return "mean_squared_error", (InputSpec(output, "float32"),)
    assumptions.append(phrase("loss sparse categorical cross-entropy"))
    loss: Any = "sparse_categorical_crossentropy"
    if recipe.from_logits:
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return loss, (InputSpec(output[:-1], "int32", high=output[-1]),)


def _input_specs(recipe: Recipe, network: Any, shape: tuple[int, ...]) -> tuple[InputSpec, ...]:
    """One specification for each input of the network."""
    specs = []
    for tensor in network.inputs:
        name = str(tensor.name)
        if recipe.task not in _TOKENS:
            specs.append(InputSpec(shape, "float32", name=name))
        elif name == "padding_mask":
            specs.append(InputSpec(shape, "int32", high=2, fill=1, name=name))
        elif name == "segment_ids":
            specs.append(InputSpec(shape, "int32", high=2, name=name))
        else:
            specs.append(InputSpec(shape, "int32", high=recipe.vocabulary, name=name))
    return tuple(specs)


def _check_kind(recipe: Recipe, dataset: Dataset) -> None:
    """Refuse text for an image network and the other way round."""
    shape = dataset.sample_shape
    is_text = dataset.dtype in ("string", "object")
    wanted = None
    if recipe.task in _IMAGES and (is_text or (shape is not None and len(shape) not in (2, 3))):
        wanted = "images"
    elif recipe.task in _TOKENS and ((shape is not None and len(shape) != 1) or dataset.kind == "csv"):
        wanted = phrase("text or rows of tokens")
    elif recipe.task == "table" and is_text:
        wanted = phrase("numbers or images")
    if wanted is not None:
        received = "text" if is_text else phrase("{words} of {dtype}", words=words(shape or ()), dtype=dataset.dtype)
        raise BadDataset(
            phrase("this data does not suit the model"), expected=wanted, received=f"{dataset.name}: {received}"
        )
