"""Rematerialisation: compute inside a layer again in the backward pass instead of keeping what was there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any


def rematerialise(model: Any) -> None:
    """Do what ``keras.RematScope(mode="full")`` does for layers that are made inside it, for a built model.

    A layer is taken as a whole (an attention layer, say) if its call changes no variable; batch statistics
    and random states would be changed twice.
    """
    import keras
    from keras.src.backend.common.remat import get_current_remat_mode

    with keras.RematScope(mode="full"):
        mode = get_current_remat_mode()
    for layer in _units(model):
        layer._remat_mode = mode
        # WORKAROUND https://github.com/tensorflow/tensorflow/blob/v2.21.0/tensorflow/python/ops/custom_gradient.py
        # TensorFlow refuses keywords such as ``training`` in a traced function, and Keras hands them on.
        layer.rematerialized_call = partial(_recomputed, layer)


def _units(layer: Any) -> Iterator[Any]:
    """The largest layers that can be recomputed."""
    import keras

    for inner in layer._flatten_layers(include_self=False, recursive=False):
        pure = len(inner.variables) == len(inner.trainable_variables)
        if inner.variables and pure and not isinstance(inner, (keras.Model, keras.layers.RNN)):
            yield inner
        else:
            yield from _units(inner)


def _recomputed(layer: Any, call: Callable[..., Any], *args: Any, **keywords: Any) -> Callable[..., Any]:
    """The layer's call with recomputation; tensors become positional, everything else is bound."""

    def run(*args: Any, **keywords: Any) -> Any:
        import keras

        tensors = {name: value for name, value in keywords.items() if keras.ops.is_tensor(value)}
        rest = {name: value for name, value in keywords.items() if name not in tensors}

        def inner(*values: Any) -> Any:
            given = dict(zip(tensors, values[len(args) :], strict=True))
            with _autocast(layer):  # the second time nobody else casts the weights
                return call(*values[: len(args)], **given, **rest)

        return keras.remat(inner)(*args, *tensors.values())

    return run


def _autocast(layer: Any) -> AbstractContextManager[Any]:
    """The scope in which `keras.Layer.__call__` runs ``call`` under a mixed policy."""
    from keras.src.backend import AutocastScope

    if not layer.autocast or layer.compute_dtype == layer.variable_dtype:
        return nullcontext()
    scope: AbstractContextManager[Any] = AutocastScope(layer.compute_dtype)
    return scope
