"""Build the model of a workload: from the catalog, from a saved file, or by the user's own function.

Nothing here looks at the value of a weight, so that `app.worker.weightless` can build without memory.  Keras and
TensorFlow are imported inside functions: whoever only needs the types pays nothing.
"""

from __future__ import annotations

import fnmatch
from typing import Any

from app.core.errors import BadModel
from app.core.workload import Dataset, ModelRef
from app.worker.built import BuiltModel, InputSpec, Wishes
from app.worker.remat import rematerialise

__all__ = ["BuiltModel", "InputSpec", "apply_plan", "build"]


def build(
    model: ModelRef,
    *,
    input_shape: tuple[int, ...] | None = None,
    classes: int | None = None,
    dataset: Dataset | None = None,
    precision: str = "float32",
) -> BuiltModel:
    """Build a model and adapt it to the data.

    Args:
        model: Which model.
        input_shape: Input without the batch; overrides what model and dataset suggest.
        classes: Number of classes; likewise.
        dataset: Data that the model shall learn from.
        precision: Keras dtype policy.  It becomes the policy of this process.

    Raises:
        BadModel: The model cannot be built: unknown, unreadable, not trusted, of an impossible shape.
        BadDataset: The data cannot be what this model learns from.
    """
    import keras

    from app.worker import model_catalog, model_code, model_files

    keras.config.set_dtype_policy(precision)
    builders = {"catalog": model_catalog.build, "file": model_files.build, "code": model_code.build}
    return builders[model.kind](model, Wishes(input_shape, classes, dataset, precision))


def apply_plan(model: Any, *, freeze: tuple[str, ...] = (), remat: bool = False) -> None:
    """Freeze layers and mark layers for rematerialisation, in place.

    Args:
        model: A built Keras model.
        freeze: Patterns such as ``conv*`` over layer names and paths.
        remat: Compute what happens inside each layer again in the backward pass instead of keeping it.

    Raises:
        BadModel: A pattern matches no layer.
    """
    layers = list(model._flatten_layers(include_self=False))
    for pattern in freeze:
        matched = [layer for layer in layers if _matches(layer, pattern)]
        if not matched:
            some = ", ".join(layer.name for layer in layers[:5])
            raise BadModel("no layer to freeze has this name", expected=f"a pattern over names such as {some}",
                           received=repr(pattern), hint="for example --freeze 'conv*'")  # fmt: skip
        for layer in matched:
            layer.trainable = False
    if remat:
        rematerialise(model)


def _matches(layer: Any, pattern: str) -> bool:
    """Does a layer's name or path fit a pattern?"""
    return fnmatch.fnmatch(layer.name, pattern) or fnmatch.fnmatch(layer.path or "", pattern)
