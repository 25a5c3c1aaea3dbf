"""What a model that declares no inputs was built with: its author called it once, or named its shapes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_FIRST = "_willittrain_first_input"


@contextlib.contextmanager
def first_calls_remembered() -> Iterator[None]:
    """Within this scope every model remembers what its first call was given, as symbols of any batch size."""
    import keras
    from keras.src.layers.layer import Layer

    build_if_needed = Layer._maybe_build

    def remember(layer: Any, call_spec: Any) -> Any:
        if isinstance(layer, keras.Model) and not layer.built:
            object.__setattr__(layer, _FIRST, keras.tree.map_structure(_symbol, call_spec.first_arg))
        return build_if_needed(layer, call_spec)

    Layer._maybe_build = remember
    try:
        yield
    finally:
        Layer._maybe_build = build_if_needed


def input_structure(model: Any) -> Any:
    """A model's inputs as symbols in the structure in which it takes them; None where nobody has said."""
    import keras

    declared = getattr(model, "_inputs_struct", None)
    if declared is not None:
        return declared
    if (first := getattr(model, _FIRST, None)) is not None:
        return first
    if getattr(model, "inputs", None):
        return model.inputs[0] if len(model.inputs) == 1 else list(model.inputs)
    shapes = list((model._build_shapes_dict or {}).values())
    return (
        keras.tree.map_shape_structure(lambda shape: _of_shape(model, shape), shapes[0]) if len(shapes) == 1 else None
    )


def _symbol(tensor: Any) -> Any:
    """A tensor's shape and type, whatever its batch."""
    import keras

    if not hasattr(tensor, "shape"):
        return tensor
    return keras.KerasTensor((None, *tensor.shape[1:]), keras.backend.standardize_dtype(tensor.dtype))


def _of_shape(model: Any, shape: tuple[int | None, ...]) -> Any:
    """An input of this shape: tokens where the model looks up rows of whole numbers, else real numbers."""
    import keras

    tokens = len(shape) == 2 and any(isinstance(layer, keras.layers.Embedding) for layer in model._flatten_layers())
    return keras.KerasTensor((None, *shape[1:]), "int32" if tokens else "float32")
