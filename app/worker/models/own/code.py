"""Build a model by the user's own function.  The user's code runs here, in the child, and only if it is trusted.

What the user's code raises is passed on as it is: the child's edge names file and line (`app.worker.failures`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.core.types.workload import Dataset, ModelRef
from app.worker.models.built import BuiltModel, Wishes, one_line
from app.worker.models.input_sizes import changes, check_same_weights, declared, told
from app.worker.models.own.arguments import keywords_for
from app.worker.models.own.compiled import captured_of
from app.worker.models.own.data_batch import first_batch
from app.worker.models.own.first_call import first_calls_remembered, input_structure
from app.worker.models.own.own_step import has_own_step
from app.worker.models.own.saved_config import with_input_shapes
from app.worker.models.own.specs import describe
from app.worker.models.own.user_code import find_function


def build(model: ModelRef, wishes: Wishes) -> BuiltModel:
    """Call the user's function or class, or take the model that stands in their file, and describe it.

    The function returns a Keras model, or ``(model, loss)``, or ``(model, loss, batch)`` with a batch as ``fit`` would
    hand it to the training step, mostly ``(x, y)``; otherwise the user's own data shows one where it must.  Its
    parameters get what `keywords_for` knows.  A model that comes out with other sizes than a plan asks for is rebuilt
    from its configuration.

    Raises:
        BadModel: The file is not trusted or the function does not return that.
    """
    if not model.trusted:
        raise BadModel(
            phrase("building this model runs code"),
            expected=phrase("your consent for this file"),
            received=model.name,
            hint=phrase("allow it only if you trust its author (--trust)"),
        )
    if model.path is None or model.function is None:
        raise BadModel(phrase("which function?"), expected="file.py:function", received=model.name)
    path = Path(model.path)
    assumptions: list[str] = []
    with first_calls_remembered():
        function = find_function(path, model.function, model.consent)
        returned = _made(function, model, wishes, assumptions)
    network, loss, example = _unpack(returned, model.name)
    if example is None and _only_data_tells(network, wishes.dataset):
        assert wishes.dataset is not None
        example = first_batch(wishes.dataset)
    if example is None:
        network = _resized(network, wishes, assumptions)
    described = describe(
        network,
        loss=loss,
        wishes=wishes,
        assumptions=assumptions,
        source=f"{path.name}:{model.function}",
        example=example,
    )
    return replace(described, captured=captured_of(network), compiled=network.compiled and described.model is network)


def _made(found: Any, model: ModelRef, wishes: Wishes, assumptions: list[str]) -> Any:
    """What a function or a class of the user's makes; a model that stands in the file is it already."""
    import keras

    if isinstance(found, keras.Model):
        return found
    return found(**keywords_for(found, model.arguments, wishes, assumptions))


def _resized(network: Any, wishes: Wishes, assumptions: list[str]) -> Any:
    """The model at another sequence length or image size, with the same weights, rebuilt from its configuration."""
    import keras
    from keras.src.saving.serialization_lib import SafeModeScope

    known = declared(list(getattr(network, "inputs", None) or ()))
    changed = changes(known, wishes) if known else {}
    if not changed:
        return network
    own_classes = {type(layer).__name__: type(layer) for layer in network._flatten_layers()}
    try:
        config = {"config": network.get_config()}
        with_input_shapes(config, changed)
        with SafeModeScope(False), keras.saving.custom_object_scope(own_classes):
            made = type(network).from_config(config["config"])
    except (ValueError, TypeError, KeyError, AttributeError, NotImplementedError, ArithmeticError) as error:
        raise BadModel(
            phrase("the model cannot be rebuilt at another size"),
            received=one_line(error),
            hint=phrase("let the function take input_shape, sequence_length or image_size"),
        ) from error
    check_same_weights(network, made)
    if network.compiled and network.get_compile_config():
        made.compile_from_config(network.get_compile_config())
    assumptions += told([one.shape for one in changed], list(changed.values()))
    return made


def _only_data_tells(network: Any, dataset: Dataset | None) -> bool:
    """Is there data of the user's own, and nothing else that says what the model's step takes?"""
    own = dataset is not None and dataset.kind == "code"
    return own and (has_own_step(network) or input_structure(network) is None)


def _unpack(returned: Any, name: str) -> tuple[Any, Any, Any]:
    """Model, loss and example batch."""
    import keras

    parts = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    model, loss, example = (*parts, None, None)[:3]
    trains = isinstance(model, keras.Model) and (model.compiled or has_own_step(model))
    if not isinstance(model, keras.Model) or len(parts) > 3 or (loss is None and len(parts) > 1 and not trains):
        kinds = ", ".join(type(part).__name__ for part in parts)
        raise BadModel(
            phrase("{name} does not return a model", name=name),
            received=kinds,
            expected=phrase("a keras.Model, or (model, loss), or (model, loss, (x, y))"),
        )
    if isinstance(example, list):
        example = tuple(example)
    if example is not None and not has_own_step(model) and not (isinstance(example, tuple) and len(example) == 2):
        raise BadModel(
            phrase("{name} returns no usable batch", name=name), expected="(x, y)", received=type(example).__name__
        )
    if loss is None and getattr(model, "compiled", False):
        loss = model.loss
    return model, loss, example
