"""Weights as 8-bit integers: what ``model.quantize("int8")`` makes of a built model.

Keras does it for dense layers, Einsum layers (inside attention) and embeddings, not for convolutions and recurrent
layers; activations before a product are rounded to 8 bits while the model runs.
Source: keras/src/models/model.py, ``quantize``; keras/src/layers/core/dense.py, ``_int8_call``.
"""

from __future__ import annotations

import warnings
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes
from app.worker.models.built import one_line


def quantise(model: Any) -> Text:
    """Quantise a built model in place.

    Returns:
        What was done, in words.

    Raises:
        BadModel: It has no layer that Keras quantises.
    """
    from keras.src.utils.summary_utils import weight_memory_size

    float_bytes = weight_memory_size(model.variables)
    if not _quantised(model):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Keras names each layer that stays as it is
                model.quantize("int8")
        except ValueError as error:
            raise BadModel(phrase("Keras cannot quantise this model"), received=one_line(error)) from error
    done = _quantised(model)
    if not done:
        raise BadModel(
            phrase("this model has no layer that Keras quantises"),
            expected=phrase("dense, attention or embedding layers"),
            received=phrase("other layers only"),
            hint=phrase("leave out --int8"),
        )
    owners = [la for la in model._flatten_layers() if la._trainable_variables or la._non_trainable_variables]
    return phrase(
        "int8 weights in {count} of {count2} layers that have weights; quantising the model "
        "first holds its {float} of unquantised weights, not counted here",
        count=len(done),
        count2=len(owners),
        float=format_bytes(float_bytes),
    )


def _quantised(model: Any) -> list[Any]:
    """Layers that hold 8-bit weights."""
    layers = model._flatten_layers(include_self=False)
    return [layer for layer in layers if layer.quantization_mode == "int8"]
