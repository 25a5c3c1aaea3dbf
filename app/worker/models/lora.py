"""LoRA: two thin trained matrices beside each frozen kernel (Hu et al. 2021, arXiv:2106.09685).

The usual recipe, as keras-hub's ``Backbone.enable_lora`` and a new head have it: each layer that knows how gets LoRA
weights, the layer that makes the output is trained as a whole, everything else is frozen.  Frozen batch
normalisation uses its stored statistics.  Keras leaves the bias beside a LoRA kernel trainable, and so do we.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import Text, phrase


def add_lora(model: Any, rank: int, left_out: Collection[Any] = ()) -> Text:
    """Give a built model LoRA weights and freeze the rest, in place.

    Args:
        model: A built Keras model.
        rank: Columns of the first matrix and rows of the second.
        left_out: Frozen layers that shall get none, with all that is in them.

    Returns:
        What was done, in words.

    Raises:
        BadModel: No layer takes LoRA weights.
    """
    untouched = {id(inner) for layer in left_out for inner in layer._flatten_layers()}
    heads = [layer for layer in _heads(model) if id(layer) not in untouched]
    adapted = 0
    for layer in model._flatten_layers():
        if any(layer is head for head in heads):
            continue
        if id(layer) not in untouched and _takes_lora(layer):
            if not layer.lora_enabled:
                layer.enable_lora(rank)
            adapted += 1
        else:
            _freeze_own_weights(layer)
    if not adapted:
        raise BadModel(
            phrase("no layer of this model takes LoRA weights"),
            expected=phrase("dense, convolution or embedding layers before the output"),
            hint=phrase("leave out --lora-rank"),
        )
    trained = ", ".join(
        [phrase("their biases"), *(phrase("the output layer {head}", head=head.name) for head in heads)]
    )
    count = phrase("{adapted} layer{value}", adapted=adapted, value="s" * (adapted > 1))
    return phrase(
        "LoRA of rank {rank} in {count}; trained with it: {trained}; everything else is frozen",
        rank=rank,
        count=count,
        trained=trained,
    )


def _takes_lora(layer: Any) -> bool:
    """Can Keras put LoRA weights beside this layer's kernel: not where a constraint would undo them."""
    constrained = getattr(layer, "kernel_constraint", None) or getattr(layer, "embeddings_constraint", None)
    return layer.built and hasattr(layer, "enable_lora") and not constrained


def _freeze_own_weights(layer: Any) -> None:
    """Freeze a layer, but not what it contains."""
    if not layer._trainable_variables:
        return
    if not list(layer._layers):
        layer.trainable = False
        return
    for variable in layer._trainable_variables:
        variable.trainable = False


def _heads(model: Any) -> list[Any]:
    """Layers of weights that make the outputs; a reversed embedding is none."""
    outputs = getattr(model, "outputs", None)
    if outputs:
        found = [_maker(tensor) for tensor in outputs]
    else:
        owners = [layer for layer in model._flatten_layers(include_self=False) if layer._trainable_variables]
        found = owners[-1:]
    unique = {id(layer): layer for layer in found if layer is not None and _is_head(layer)}
    return list(unique.values())


def _maker(tensor: Any) -> Any:
    """The layer whose weights make a symbolic output; activations and the like after it do not count."""
    while True:
        history = getattr(tensor, "_keras_history", None)
        if history is None:
            return None
        operation = history.operation
        if getattr(operation, "outputs", None) and hasattr(operation, "layers"):  # a model inside the model
            tensor = operation.outputs[history.tensor_index]
            continue
        for layer in _with_wrapped(operation):
            if layer._trainable_variables:
                return layer
        before = operation._inbound_nodes[history.node_index].input_tensors
        if len(before) != 1:
            return None
        tensor = before[0]


def _with_wrapped(operation: Any) -> Iterator[Any]:
    """An operation if it is a layer, and the layer that it wraps (``TimeDistributed``)."""
    import keras

    if isinstance(operation, keras.Layer):
        yield operation
        wrapped = getattr(operation, "layer", None)
        if isinstance(wrapped, keras.Layer):
            yield wrapped


def _is_head(layer: Any) -> bool:
    """Is it a product or a convolution whose weights can be trained."""
    import keras
    from keras.src.layers.convolutional.base_conv import BaseConv

    product = isinstance(layer, (keras.layers.Dense, keras.layers.EinsumDense, BaseConv))
    return product and layer.quantization_mode is None
