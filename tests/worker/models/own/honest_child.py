"""Runs in a child: saves every layer that Keras has, and every kind of KerasHub's if it is there, and reads it again.

The last line of stdout is a JSON object: by name None, or what went wrong.
"""

from __future__ import annotations

import contextlib
import inspect
import json
from typing import Any

import keras  # noqa: TID253 - this is a child
from keras.src.legacy.saving import serialization as legacy  # noqa: TID253
from keras.src.saving import serialization_lib  # noqa: TID253

from app.worker.models.own.allowed import CODE, RESOLVERS, AllowList, only_keras

NOT_SAVED = {"InputSpec", *CODE}
OWN = {"rate": 0.5, "stddev": 0.5, "scale": 0.5, "factor": 1, "height_factor": 0.5, "width_factor": 0.5}


def example(parameter: str) -> Any:
    """Something that the parameter of a layer takes."""
    layers = keras.layers
    made = {
        "activation": "relu",
        "axes": 1,
        "cell": layers.LSTMCell(2),
        "cells": [layers.GRUCell(2)],
        "dims": [1],
        "equation": "ab,bc->ac",
        "layer": layers.LSTM(2),
        "layers": [layers.Rescaling(0.5)],
        "output_shape": 2,
        "shape": [3],
        "target_shape": [2],
        "vocabulary": ["a", "b"],
    }
    return made.get(parameter, OWN.get(parameter, 2))


def make(kind: type) -> Any:
    """One of a class, by what its constructor insists on."""
    optional = {"CategoryEncoding": {"num_tokens": 3}, "Discretization": {"num_bins": 3}, "InputLayer": {"shape": [3]}}
    needed = [
        name
        for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    return kind(**{name: example(name) for name in needed}, **optional.get(kind.__name__, {}))


def again(kind: type) -> str | None:
    """What goes wrong when one of a class is saved and read as a stranger's."""
    try:
        made = make(kind)
    except ImportError:
        return None
    try:
        saved = json.loads(json.dumps(serialization_lib.serialize_keras_object(made)))
        with only_keras():
            found = serialization_lib.deserialize_keras_object(saved)
            if hasattr(keras.layers, kind.__name__) and kind.__name__ not in ("Pipeline", "StackedRNNCells"):
                bare = json.loads(json.dumps({"class_name": kind.__name__, "config": made.get_config()}))
                legacy.deserialize_keras_object(bare, module_objects=vars(keras.layers))
    except Exception as error:  # noqa: BLE001 - told
        return f"{type(error).__name__}: {error}"
    return None if type(found) is kind else str(type(found))


def main() -> None:
    """Go through all classes."""
    allowed = AllowList()
    found: dict[str, str | None] = {
        f"keras.layers.{name}": again(kind)
        for name, kind in vars(keras.layers).items()
        if isinstance(kind, type) and name not in NOT_SAVED
    }
    rooms = [keras.initializers, keras.regularizers, keras.constraints, keras.losses, keras.metrics, keras.activations]
    rooms += [keras.optimizers.schedules]
    with contextlib.suppress(ImportError):
        import keras_hub

        for room in (keras_hub.layers, keras_hub.models, keras_hub.tokenizers):
            kinds = {name: kind for name, kind in vars(room).items() if isinstance(kind, type)}
            found |= {f"keras_hub.{name}": None if allowed.permits(kind) else "refused" for name, kind in kinds.items()}
        sizes = {"vocabulary_size": 50, "num_layers": 1, "num_heads": 2, "hidden_dim": 4, "intermediate_dim": 8}
        saved = serialization_lib.serialize_keras_object(keras_hub.models.BertBackbone(**sizes))
        with only_keras():
            bert = serialization_lib.deserialize_keras_object(json.loads(json.dumps(saved)))
        found["a saved network of KerasHub"] = None if bert.count_params() else "nothing"
    for room in rooms:
        for name, value in vars(room).items():
            if callable(value) and not name.startswith("_") and name not in RESOLVERS:
                found[f"{room.__name__}.{name}"] = None if allowed.permits(value) else "refused"
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
