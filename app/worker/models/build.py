"""Build the model of a workload: from the catalog, from a saved file, or by the user's own function.

Nothing here looks at the value of a weight, so that `app.worker.models.weightless` can build without memory.  Keras and
TensorFlow are imported inside functions: whoever only needs the types pays nothing.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.core.types.errors import BadModel, InvalidWorkload
from app.core.types.plan_values import SequenceLength
from app.core.types.text import phrase
from app.core.types.workload import Dataset, ModelRef, Plan
from app.worker.models.built import BuiltModel, InputSpec, Wishes
from app.worker.models.input_sizes import resized_shape
from app.worker.models.left_out import without_layers
from app.worker.models.limits import check_shape
from app.worker.models.lora import add_lora
from app.worker.models.own.compiled import hold_precision
from app.worker.models.quantised import quantise
from app.worker.models.remat import rematerialise

__all__ = ["BuiltModel", "InputSpec", "apply_plan", "build", "build_for", "dataset_among"]


def build(
    model: ModelRef,
    *,
    input_shape: tuple[int, ...] | None = None,
    classes: int | None = None,
    dataset: Dataset | None = None,
    precision: str = "float32",
    sequence_length: SequenceLength | None = None,
    image_size: tuple[int, int] | None = None,
) -> BuiltModel:
    """Build a model and adapt it to the data.

    Args:
        model: Which model.
        input_shape: Input without the batch; overrides what model and dataset suggest.
        classes: Number of classes; likewise.
        dataset: Data that the model shall learn from.
        precision: Keras dtype policy.  It becomes the policy of this process.
        sequence_length: Tokens or time steps; overrides what ``input_shape`` says of them.
        image_size: Height and width; likewise.

    Raises:
        BadModel: The model cannot be built: unknown, unreadable, not trusted, of an impossible shape.
        BadDataset: The data cannot be what this model learns from.
    """
    import keras

    from app.worker.models import catalog
    from app.worker.models.own import code, files

    keras.config.set_dtype_policy(precision)
    builders = {"catalog": catalog.build, "file": files.build, "code": code.build}
    wishes = Wishes(input_shape, classes, dataset, precision, sequence_length, image_size)
    if input_shape is not None:
        wishes = replace(wishes, input_shape=resized_shape(check_shape(input_shape), wishes))
    return builders[model.kind](model, wishes)


def build_for(arguments: Mapping[str, Any], plan: Plan) -> BuiltModel:
    """The model that a job's arguments describe, changed as its plan says.

    Args:
        arguments: ``model``, ``dataset``, ``input_shape`` and ``classes`` as JSON values.
        plan: The plan among them.

    Raises:
        BadModel: As `build` and `apply_plan`.
        BadDataset: As `build`.
        InvalidWorkload: The dataset is not described.
    """
    model = ModelRef(**arguments["model"])
    if model.kind == "code" and "precision" in arguments:
        hold_precision(plan.precision)
    built = build(
        model,
        input_shape=_shape(arguments.get("input_shape")),
        classes=arguments.get("classes"),
        dataset=dataset_among(arguments),
        precision=plan.precision,
        sequence_length=plan.sequence_length,
        image_size=plan.image_size,
    )
    if plan.leave_out:
        built = replace(built, model=without_layers(built.model, plan.leave_out))
    done = apply_plan(built.model, freeze=plan.freeze, remat=plan.remat, lora_rank=plan.lora_rank, int8=plan.int8)
    return replace(built, assumptions=(*built.assumptions, *done))


def dataset_among(arguments: Mapping[str, Any]) -> Dataset | None:
    """The dataset among a job's arguments.

    Raises:
        InvalidWorkload: It is not described.
    """
    described = arguments.get("dataset")
    if not described:
        return None
    if not isinstance(described, dict):
        raise InvalidWorkload(phrase("the dataset is not described"), received=repr(described))
    return Dataset(**{**described, "sample_shape": _shape(described.get("sample_shape"))})


def apply_plan(
    model: Any, *, freeze: tuple[str, ...] = (), remat: bool = False, lora_rank: int | None = None, int8: bool = False
) -> tuple[str, ...]:
    """Freeze layers, mark layers for rematerialisation, quantise and add LoRA weights, in place.

    Args:
        model: A built Keras model.
        freeze: Patterns such as ``conv*`` over layer names and paths.  Such layers get no LoRA weights either.
        remat: Compute what happens inside each layer again in the backward pass instead of keeping it.
        lora_rank: Rank of LoRA weights; None for none.
        int8: Hold weights as 8-bit integers.

    Returns:
        What was done, where the plan does not already say it.

    Raises:
        BadModel: A pattern matches no layer, or the model cannot be changed like this.
    """
    done = [quantise(model)] if int8 else []
    if remat:
        rematerialise(model)
    frozen = _freeze(model, freeze)
    if lora_rank is not None:
        done.append(add_lora(model, lora_rank, frozen))
    return tuple(done)


def _freeze(model: Any, freeze: tuple[str, ...]) -> list[Any]:
    """Freeze the layers that patterns match, and return them."""
    layers = list(model._flatten_layers(include_self=False))
    frozen = []
    for pattern in freeze:
        matched = [layer for layer in layers if _matches(layer, pattern)]
        if not matched:
            some = ", ".join(layer.name for layer in layers[:5])
            raise BadModel(
                phrase("no layer to freeze has this name"),
                expected=phrase("a pattern over names such as {some}", some=some),
                received=repr(pattern),
                hint=phrase("for example --freeze 'conv*'"),
            )
        for layer in matched:
            layer.trainable = False
        frozen += matched
    return frozen


def _shape(values: Any) -> tuple[Any, ...] | None:
    """A shape from JSON."""
    return None if values is None else tuple(values)


def _matches(layer: Any, pattern: str) -> bool:
    """Does a layer's name or path fit a pattern?"""
    return fnmatch.fnmatch(layer.name, pattern) or fnmatch.fnmatch(layer.path or "", pattern)
