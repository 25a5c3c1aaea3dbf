"""What a model from a file or a function eats: shapes of its inputs, its targets, and a loss if it names none."""

from __future__ import annotations

from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase, verbatim
from app.worker.models.built import BuiltModel, InputSpec, Wishes, one_line, words
from app.worker.models.input_sizes import resized, resized_shape, told
from app.worker.models.limits import check_shape
from app.worker.models.own.first_call import input_structure

DEFAULT_SIDE = 224
DEFAULT_LENGTH = 128
_SPARSE = "sparse_categorical_crossentropy"


def describe(
    model: Any,
    *,
    loss: Any,
    wishes: Wishes,
    assumptions: list[str],
    source: str,
    example: tuple[Any, Any] | None = None,
) -> BuiltModel:
    """Find out what batches of ``model`` look like; build it symbolically if it is not built.

    Args:
        model: A Keras model of any kind.
        loss: What ``compile`` takes, or None: then one is assumed from the output.
        wishes: The user's shape is that of the first input; the data fills what the model leaves open.
        assumptions: Grows by what was assumed.
        source: Where the model comes from, in words.
        example: One batch ``(x, y)`` of the user's own; it decides then.

    Raises:
        BadModel: The shapes cannot be known or do not suit the model.
    """
    if example is not None:
        x, y = _flat(example[0]), _flat(example[1])
        inputs, targets = tuple(map(_spec_of_array, x)), tuple(map(_spec_of_array, y))
        _check_example(inputs, wishes)
        outputs = _outputs(model, inputs)
        if loss is None:
            loss = _assumed_loss(model, outputs, wishes.data_classes, assumptions)
        return BuiltModel(_flat_inputs(model), loss, inputs, targets, tuple(assumptions), source, (x, y))
    inputs = _inputs(model, wishes, assumptions)
    outputs = _outputs(model, inputs)
    if loss is None:
        loss = _assumed_loss(model, outputs, wishes.data_classes, assumptions)
    targets = _targets(loss, outputs)
    return BuiltModel(_flat_inputs(model), loss, inputs, targets, tuple(assumptions), source)


def _flat(structure: Any) -> list[Any]:
    """The leaves of nested inputs, in Keras's order."""
    import keras

    leaves: list[Any] = keras.tree.flatten(structure)
    return leaves


def _spec_of_array(array: Any) -> InputSpec:
    """Shape and type of one array of a batch."""
    import numpy as np

    values = np.asarray(array)
    if values.ndim == 0 or values.size == 0:
        raise BadModel(
            phrase("the batch that the function returns is empty"),
            expected=phrase("arrays with the batch as first axis"),
        )
    whole = np.issubdtype(values.dtype, np.integer)
    return InputSpec(values.shape[1:], str(values.dtype), high=int(values.max()) + 1 if whole else None)


def _check_example(inputs: tuple[InputSpec, ...], wishes: Wishes) -> None:
    """Refuse a batch of the user's own that has another size than the plan asks for."""
    have = [spec.shape for spec in inputs]
    wanted = resized([(spec.shape, spec.dtype) for spec in inputs], wishes)
    if wanted != have:
        raise BadModel(
            phrase("the batch that the function returns fixes the input size"),
            expected=", ".join(map(words, wanted)),
            received=", ".join(map(words, have)),
            hint=phrase("let the function take input_shape, sequence_length or image_size"),
        )


def _inputs(model: Any, wishes: Wishes, assumptions: list[str]) -> tuple[InputSpec, ...]:
    """Specifications of all inputs, every dimension known."""
    declared = _flat(input_structure(model))
    given, data = wishes.input_shape, wishes.data_shape
    if declared[0] is None:
        shape = given or (data if data and None not in data else None)
        if shape is None:
            raise BadModel(
                phrase("the model does not say what its input looks like"),
                expected=phrase("an input shape"),
                received=type(model).__name__,
                hint=phrase("add --input-shape, for example 224x224x3"),
            )
        shape = resized_shape(tuple(n for n in shape if n is not None), wishes)
        assumptions.append(phrase("input {words}", words=words(shape)))
        return (InputSpec(shape, "float32"),)
    specs = []
    free = [(tuple(tensor.shape[1:]), str(tensor.dtype)) for tensor in declared]
    if given is not None and not getattr(model, "inputs", None):
        free[0] = (given, free[0][1])  # one call says what the model takes, not that it takes nothing else
    shapes = resized(free, wishes)
    assumptions += told([shape for shape, _ in free], shapes)
    for index, (tensor, shape, (_, dtype)) in enumerate(zip(declared, shapes, free, strict=True)):
        wish = given if index == 0 else None
        known = _close(shape, wish, data if index == 0 else None, assumptions)
        high = _vocabulary(model, tensor) if "int" in dtype else None
        specs.append(InputSpec(known, dtype, high=high, name=str(tensor.name)))
    return tuple(specs)


def _close(
    shape: tuple[int | None, ...],
    given: tuple[int, ...] | None,
    data: tuple[int | None, ...] | None,
    assumptions: list[str],
) -> tuple[int, ...]:
    """Fill open dimensions from the user, the data, or by custom."""
    if given is not None:
        fits = len(given) == len(shape) and all(have in (None, want) for have, want in zip(shape, given, strict=True))
        if not fits:
            raise BadModel(
                phrase("the input shape does not suit the model"), expected=words(shape), received=words(given)
            )
        return check_shape(given)
    if data is not None and len(data) != len(shape):
        data = (*data, 1) if len(data) == 2 and len(shape) == 3 else None
    custom = (DEFAULT_SIDE, DEFAULT_SIDE, 3) if len(shape) == 3 else (DEFAULT_LENGTH,) * len(shape)
    found = tuple(have or ((data[i] if data is not None else None) or custom[i]) for i, have in enumerate(shape))
    if found != shape:
        assumptions.append(
            phrase("sequence length {found}", found=found[0])
            if len(found) < 3
            else phrase("input {words}", words=words(found))
        )
    if data is not None and len(found) == 3 and tuple(data) != found:
        assumptions.append(phrase("images resized to {words}", words=words(found)))
    return check_shape(found)


def _vocabulary(model: Any, tensor: Any) -> int:
    """Number of tokens that an input of whole numbers may hold: that of the smallest embedding, else 2."""
    import keras

    sizes = [layer.input_dim for layer in model._flatten_layers() if isinstance(layer, keras.layers.Embedding)]
    return min(sizes) if sizes and "mask" not in str(tensor.name) else 2


def _outputs(model: Any, inputs: tuple[InputSpec, ...]) -> list[Any]:
    """Symbolic outputs; builds the model if need be."""
    import keras

    symbols = [keras.Input(spec.shape, dtype=spec.dtype) for spec in inputs]
    known = input_structure(model)
    packed = keras.tree.pack_sequence_as(known, symbols) if known is not None else symbols
    if known is None and len(symbols) == 1:
        packed = symbols[0]
    try:
        return _flat(model(packed))
    except (ValueError, TypeError) as error:
        shapes = ", ".join(words(spec.shape) for spec in inputs)
        raise BadModel(
            phrase("the model does not accept this input"), received=shapes, hint=verbatim(one_line(error))
        ) from error


def _flat_inputs(model: Any) -> Any:
    """A model whose inputs are a dictionary or nested, as one with a plain list."""
    import keras

    structure = getattr(model, "_inputs_struct", None)
    if structure is None or not isinstance(structure, dict):
        return model
    return keras.Model(model.inputs, model.outputs, name=model.name)


def _assumed_loss(model: Any, outputs: list[Any], classes: int | None, assumptions: list[str]) -> Any:
    """A loss for each output, from its activation."""
    if not outputs:
        raise BadModel(phrase("the model has no output"), expected=phrase("a model that returns a tensor"))
    activations = _last_activations(model, len(outputs))
    found = [_loss_of_output(o, a, classes) for o, a in zip(outputs, activations, strict=True)]
    assumptions.extend(dict.fromkeys(why for _, why in found))
    losses = [loss for loss, _ in found]
    return losses[0] if len(losses) == 1 else losses


def _loss_of_output(output: Any, activation: str | None, classes: int | None) -> tuple[Any, str]:
    """The loss, and why in words."""
    import keras

    units = output.shape[-1]
    if activation == "softmax":
        return _SPARSE, phrase("loss sparse categorical cross-entropy assumed from softmax output")
    if activation == "sigmoid":
        return "binary_crossentropy", phrase("loss binary cross-entropy assumed from sigmoid output")
    if activation == "linear" and classes == units and units > 1:
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        return loss, phrase(
            "loss sparse categorical cross-entropy assumed: {units} outputs, {units} classes", units=units
        )
    return "mean_squared_error", phrase("loss mean squared error assumed: the output is neither softmax nor sigmoid")


def _last_activations(model: Any, count: int) -> list[str | None]:
    """Activation behind each output, as far as it can be seen."""
    operations = []
    for tensor in getattr(model, "outputs", None) or ():
        history = getattr(tensor, "_keras_history", None)
        operations.append(history.operation if history is not None else None)
    if len(operations) != count:
        layers = [layer for layer in model._flatten_layers(include_self=False) if not list(layer._layers)]
        operations = [layers[-1]] if count == 1 and layers else [None] * count
    return [_activation(operation) for operation in operations]


def _activation(operation: Any) -> str | None:
    """Name of an operation's activation function; looks into nested models."""
    while getattr(operation, "outputs", None) and hasattr(operation, "layers"):
        operation = operation.outputs[0]._keras_history.operation
    kind = type(operation).__name__.lower()
    if kind in ("softmax", "sigmoid"):
        return kind
    activation = getattr(operation, "activation", None)
    return getattr(activation, "__name__", None)


def _targets(loss: Any, outputs: list[Any]) -> tuple[InputSpec, ...]:
    """What the loss compares each output with."""
    losses = list(loss.values()) if isinstance(loss, dict) else loss
    listed = list(losses) if isinstance(losses, (list, tuple)) else [losses] * len(outputs)
    specs = []
    for output, one in zip(outputs, listed, strict=False):
        shape = tuple(n or DEFAULT_LENGTH for n in output.shape[1:])
        if _is_sparse(one):
            specs.append(InputSpec(shape[:-1], "int32", high=shape[-1]))
        else:
            high = 2 if _is_binary(one) else None
            specs.append(InputSpec(shape, "float32", high=high))
    return tuple(specs)


def _loss_name(loss: Any) -> str:
    """A loss as a plain name."""
    name = loss if isinstance(loss, str) else getattr(loss, "__name__", None) or type(loss).__name__
    return str(name).lower().replace("_", "")


def _is_sparse(loss: Any) -> bool:
    """Does the loss take class numbers?"""
    return _loss_name(loss).startswith("sparse")


def _is_binary(loss: Any) -> bool:
    """Does the loss take zeros and ones?"""
    return _loss_name(loss).startswith(("binary", "categorical"))
