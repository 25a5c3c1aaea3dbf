"""What a loss compares a model's outputs with, and a loss for a model that names none."""

from __future__ import annotations

from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.built import InputSpec

DEFAULT_LENGTH = 128
_SPARSE = "sparse_categorical_crossentropy"


def assumed_loss(model: Any, outputs: list[Any], classes: int | None, assumptions: list[str]) -> Any:
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


def targets_of(model: Any, loss: Any, outputs: Any) -> Any:
    """What the loss compares each output with, in the structure of the outputs; a single one without its list."""
    import keras

    flat = keras.tree.flatten(outputs)
    losses = _losses(model, loss, outputs, len(flat))
    specs = [_target(output, one) for output, one in zip(flat, losses, strict=True)]
    return specs[0] if len(specs) == 1 else keras.tree.pack_sequence_as(outputs, specs)


def _losses(model: Any, loss: Any, outputs: Any, count: int) -> list[Any]:
    """The loss of each output, in the order of the outputs."""
    if isinstance(loss, dict):
        names = sorted(outputs) if isinstance(outputs, dict) else list(getattr(model, "output_names", None) or loss)
        return [loss.get(name) for name in names[:count]] + [None] * (count - len(names))
    listed = list(loss) if isinstance(loss, (list, tuple)) else [loss] * count
    return (listed + [None] * count)[:count]


def _target(output: Any, loss: Any) -> InputSpec:
    """What one loss compares one output with."""
    shape = tuple(n or DEFAULT_LENGTH for n in output.shape[1:])
    if _is_sparse(loss):
        return InputSpec(shape[:-1], "int32", high=shape[-1])
    return InputSpec(shape, "float32", high=2 if _is_binary(loss) else None)


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
