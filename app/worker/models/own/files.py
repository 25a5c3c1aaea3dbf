"""Build a model from a saved file's configuration; weights stay in the file."""

from __future__ import annotations

import contextlib
import copy
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import Text, phrase
from app.core.types.workload import ModelRef
from app.worker.models.built import BuiltModel, Wishes, one_line, words
from app.worker.models.input_sizes import changes, check_same_weights, told
from app.worker.models.limits import check_classes, check_shape
from app.worker.models.own.allowed import only_keras
from app.worker.models.own.saved_config import (
    declared_inputs,
    output_units,
    with_classes,
    with_input_shape,
    with_input_shapes,
    with_precision,
)
from app.worker.models.own.saved_file import SavedModel, read_saved
from app.worker.models.own.specs import describe
from app.worker.models.weightless import weightless
from app.worker.no_network import without_network


def build(model: ModelRef, wishes: Wishes) -> BuiltModel:
    """Build the model of a ``.keras``, ``.h5`` or JSON file.

    Without the user's consent this process has no network from now on, and Keras builds only what is its own.

    Raises:
        BadModel: The file is damaged, needs trust, or cannot be adapted to what is asked.
    """
    if model.path is None:
        raise BadModel(phrase("which file?"), expected=phrase("the path of a model file"))
    if not model.trusted:
        without_network()
    saved = read_saved(Path(model.path), hashed=model.trusted)
    if model.trusted and saved.digest not in model.consent:
        raise BadModel(
            phrase("the file is not the one that you let run"),
            received=model.path,
            hint=phrase("open it again, to look at it and to let it run"),
        )
    assumptions: list[str] = []
    with contextlib.nullcontext() if model.trusted else only_keras():
        _adapt(saved.config, wishes, assumptions)
        network = _resized(saved, model, wishes, assumptions)
        loss = _loss(saved, model, assumptions)
        source = phrase("file {path}; weights are not read", path=Path(model.path).name)
        return describe(network, loss=loss, wishes=wishes, assumptions=assumptions, source=source)


def _adapt(config: dict[str, Any], wishes: Wishes, assumptions: list[str]) -> None:
    """Change configuration where the user or the data ask for it."""
    shape = wishes.input_shape
    if shape is not None:
        old = with_input_shape(config, check_shape(shape))
        if old is not None and old != shape:
            assumptions.append(phrase("input {words} instead of {words2}", words=words(shape), words2=words(old)))
    wanted = wishes.classes
    if wanted is None and (output_units(config) or 1) > 1:
        wanted = wishes.data_classes  # a single output stays: two classes need no more
    if wanted is not None:
        was = with_classes(config, check_classes(wanted))
        if was is None and wishes.classes is not None:
            raise BadModel(
                phrase("the number of classes cannot be changed"),
                expected=phrase("a model that ends in one dense layer"),
                hint=phrase("leave out --classes"),
            )
        if was is not None and was != wanted:
            assumptions.append(phrase("{wanted} classes instead of {was}", wanted=wanted, was=was))
    replaced = with_precision(config, wishes.precision)
    if replaced is not None:
        assumptions.append(
            phrase(
                "precision {precision} instead of the file's {replaced}", precision=wishes.precision, replaced=replaced
            )
        )


def _resized(saved: SavedModel, model: ModelRef, wishes: Wishes, assumptions: list[str]) -> Any:
    """The model, at another sequence length or image size if that is wished for, with the weights that it has."""
    known = declared_inputs(saved.config)
    changed = changes(known, wishes) if known else {}
    if not changed:
        return _deserialise(saved, model)
    config = copy.deepcopy(saved.config)
    with_input_shapes(config, changed)
    with weightless():  # to compare shapes only
        original = _deserialise(saved, model)
    made = _deserialise(replace(saved, config=config), model)
    check_same_weights(original, made)
    assumptions += told([one.shape for one in changed], list(changed.values()))
    return made


def _deserialise(saved: SavedModel, model: ModelRef) -> Any:
    """Make the Keras model."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old files name arguments that Keras 3 has no use for
            network = _from_legacy(saved, model.trusted) if saved.legacy else _from_config(saved, model.trusted)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        IndexError,
        ImportError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise BadModel(
            phrase("{model} cannot be built by this Keras", model=model.name),
            received=one_line(error),
            hint=_hint(str(error)),
        ) from error
    if not hasattr(network, "compile_from_config"):
        raise BadModel(
            phrase("the file is no Keras model"), expected=phrase("a model"), received=type(network).__name__
        )
    return network


def _from_config(saved: SavedModel, trusted: bool) -> Any:
    """Keras 3."""
    from keras.src.saving import serialization_lib

    with serialization_lib.SafeModeScope(not trusted):
        return serialization_lib.deserialize_keras_object(saved.config)


def _from_legacy(saved: SavedModel, trusted: bool) -> Any:
    """HDF5 files and JSON of Keras 2 (no public function builds them without weights)."""
    from keras.src.legacy.saving import saving_options, saving_utils
    from keras.src.saving import serialization_lib

    options = saving_options.keras_option_scope(use_legacy_config=True)
    with options, serialization_lib.SafeModeScope(not trusted):
        return saving_utils.model_from_config(saved.config)


def _loss(saved: SavedModel, model: ModelRef, assumptions: list[str]) -> Any:
    """The loss that the model was compiled with, if it can be had."""
    import keras

    if saved.loss is None:
        return None
    try:
        found = keras.saving.deserialize_keras_object(saved.loss, safe_mode=not model.trusted)
        loss = keras.losses.get(found) if isinstance(found, str) else found
    except (BadModel, ValueError, TypeError, KeyError) as error:
        assumptions.append(phrase("the file's own loss is not known here ({one_line})", one_line=one_line(error)[:80]))
        return None
    assumptions.append(phrase("loss of the saved file"))
    return loss


def _hint(text: str) -> Text:
    """What helps against the usual reasons."""
    if "custom" in text or "register" in text or "Could not locate" in text or "Unknown layer" in text:
        return phrase("the model has layers of its own: use file.py:function, where they are defined")
    return phrase("check that it loads with keras.models.load_model")
