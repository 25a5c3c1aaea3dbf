"""A step of a loop of the author's own, as a call of ``fit``: the model, and the batch as the step takes it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from typing import Any

from app.worker.models.own.compiled import JIT_WISH
from app.worker.script.fit_call import FitCall
from app.worker.script.step_calls import StepCall

MOST_PARTS = 3
"""Of a batch: Keras's own step takes inputs, targets and sample weights."""


def fit_call_of(step: StepCall, file: str | None, line: int | None) -> FitCall | None:
    """A step as a call of ``fit`` on one batch; None where nobody can say what of it is the batch or the model.

    Args:
        step: What was called.
        file: Whose line called.
        line: Of that file.
    """
    if not step.updated:
        return FitCall(step.owner, {}, file, line, _batch_of_model(step))
    places = [index for index, value in enumerate(step.values) if _is_data(value)]
    model = _model_of(step.updated)
    if not 0 < len(places) <= MOST_PARTS or any(map(_is_data, step.named.values())) or model is None:
        return None
    parts = tuple(step.values[index] for index in places)
    object.__setattr__(model, "train_step", _train_step(step, places))
    object.__setattr__(model, JIT_WISH, bool(step.owner._jit_compile))
    return FitCall(model, {}, file, line, parts if len(parts) > 1 else parts[0])


def _train_step(step: StepCall, places: list[int]) -> Callable[[Any], Any]:
    """A ``tf.function`` as a model's step: what is given takes the places of the batch among its arguments."""
    from tensorflow.python.autograph.core import ag_ctx
    from tensorflow.python.autograph.impl import api

    body = step.owner.python_function
    if step.owner._autograph:  # conditions of tensors, whatever the function around it that traces does
        enabled = ag_ctx.ControlStatusCtx(status=ag_ctx.Status.ENABLED)
        body = api.convert(recursive=True, conversion_ctx=enabled)(body)

    def train_step(data: Any) -> Any:
        parts = data if len(places) > 1 else (data,)
        given = list(step.values)
        for place, part in zip(places, parts, strict=True):
            given[place] = part
        return body(*given, **step.named)

    return train_step


def _batch_of_model(step: StepCall) -> Any:
    """What ``train_on_batch`` trains on."""
    import inspect

    from keras.src.trainers.data_adapters import data_adapter_utils

    given = inspect.signature(type(step.owner).train_on_batch).bind(step.owner, *step.values, **step.named).arguments
    weights = given.get("sample_weight")
    if given.get("class_weight") is not None:
        weights = data_adapter_utils.class_weight_to_sample_weights(given["y"], given["class_weight"])
    return data_adapter_utils.pack_x_y_sample_weight(given["x"], given.get("y"), weights)


def _is_data(value: Any) -> bool:
    """Is it made of tensors or arrays, each with a batch?"""
    import keras

    leaves = keras.tree.flatten(value)
    return bool(leaves) and all(getattr(leaf, "ndim", 0) and hasattr(leaf, "dtype") for leaf in leaves)


def _model_of(updated: Iterable[Any]) -> Any | None:
    """The model that has these weights, one made of all the models that have them, or None."""
    import keras

    wanted = {id(variable) for variable in updated}
    models = [
        one for one in gc.get_objects() if issubclass(type(one), keras.Model)
    ]  # a dead proxy has no ``__class__``
    has = {id(one): wanted & {id(variable) for variable in one.trainable_variables} for one in models}
    whole = [one for one in models if has[id(one)] == wanted]
    if whole:
        return min(whole, key=lambda one: len(one.variables))
    parts: list[Any] = []
    for one in sorted(models, key=lambda one: -len(has[id(one)])):
        if not any(has[id(one)] <= has[id(other)] for other in parts):
            parts.append(one)
    known = set().union(*(has[id(one)] for one in parts))
    return _together(parts) if parts and known == wanted else None


def _together(parts: list[Any]) -> Any:
    """Several models that one step trains, as one."""
    import keras

    class Together(keras.Model):  # type: ignore[misc]
        """Has them as its layers."""

        def __init__(self) -> None:
            super().__init__()
            self.parts = parts
            self.built = True

    return Together()
