"""A model without some of its layers, to ask what would be with one LSTM layer less.

The rest is made anew from its configuration, because what followed a layer that is gone may now read a
tensor of another width.  Weights are new; neither a trace nor a benchmark looks at their values.
"""

from __future__ import annotations

import fnmatch
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase, verbatim
from app.worker.models.built import one_line


def without_layers(model: Any, patterns: tuple[str, ...]) -> Any:
    """The model without the layers that match a pattern; each must have one input and one output.

    Args:
        model: A functional or sequential Keras model.
        patterns: Patterns such as ``lstm_*`` over the names of the model's own layers.

    Raises:
        BadModel: No layer matches, the model is of another kind, or what is left does not fit together.
    """
    import keras
    from keras.src.models.functional import Functional

    if not isinstance(model, (keras.Sequential, Functional)):
        raise BadModel(
            phrase("layers of this model cannot be left out"),
            expected=phrase("a functional or sequential model"),
            received=type(model).__name__,
        )
    gone = {layer.name for layer in model.layers for pattern in patterns if fnmatch.fnmatch(layer.name, pattern)}
    if not gone:
        some = ", ".join(layer.name for layer in model.layers[:5])
        raise BadModel(
            phrase("no layer to leave out has this name"),
            expected=phrase("a pattern over names such as {some}", some=some),
            received=", ".join(patterns),
            hint=phrase("for example --leave-out lstm_1"),
        )
    try:
        if isinstance(model, keras.Sequential):
            return _shorter_sequence(model, gone)
        return keras.models.clone_model(model, clone_function=_remake, call_function=_skipping(gone))
    except (ValueError, TypeError, AttributeError) as error:
        raise BadModel(
            phrase("the model does not fit together without these layers"),
            received=", ".join(sorted(gone)),
            hint=verbatim(one_line(error)),
        ) from error


def _shorter_sequence(model: Any, gone: set[str]) -> Any:
    """A sequential model without some layers."""
    import keras

    kept = [_remake(layer) for layer in model.layers if layer.name not in gone]
    given = model.inputs[0]
    return keras.Sequential([keras.Input(batch_shape=given.shape, dtype=given.dtype), *kept], name=model.name)


def _remake(layer: Any) -> Any:
    """A layer of the same configuration that is not built yet."""
    return type(layer).from_config(layer.get_config())


def _skipping(gone: set[str]) -> Any:
    """Calls layers, and passes on what goes into those that are gone."""

    def call(layer: Any, *arguments: Any, **keywords: Any) -> Any:
        return arguments[0] if layer.name in gone else layer(*arguments, **keywords)

    return call
