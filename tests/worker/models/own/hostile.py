"""Model files that would do harm if Keras were let to build what they name; each a configuration by what it tries."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

Config = dict[str, Any]
IMPORTED = "stranger_module"
"""A module beside, which leaves a mark when it is imported."""
ZEROS = {"class_name": "__numpy__", "config": {"value": [[0.0] * 1000], "dtype": "float32"}}


def function(module: str | None, name: str, registered: str | None = "") -> Config:
    """A function as a file names it."""
    registered = name if registered == "" else registered
    return {"module": module, "class_name": "function", "config": name, "registered_name": registered}


def layer(name: str, module: str | None = "keras.layers", /, registered: str | None = None, **config: Any) -> Config:
    """A layer as a file names it."""
    return {"module": module, "class_name": name, "config": config, "registered_name": registered}


def stack(*layers: Config) -> Config:
    """A sequential model."""
    first = layer("InputLayer", batch_shape=[None, 4], dtype="float32", name="in")
    return layer("Sequential", "keras", name="net", layers=[first, *layers], trainable=True)


def called(what: Config, *values: Any, **named: Any) -> Config:
    """A functional model that has something called with values of its own while it is put together."""
    first = {
        **layer("InputLayer", batch_shape=[None, 4], dtype="float32", name="in"),
        "name": "in",
        "inbound_nodes": [],
    }
    harm = {**what, "name": "harm", "inbound_nodes": [{"args": list(values), "kwargs": named}]}
    ends = {"input_layers": [["in", 0, 0]], "output_layers": [["in", 0, 0]]}
    return layer(
        "Functional", "keras.src.models.functional", registered="Functional", name="net", layers=[first, harm], **ends
    )


def deep(inside: Config) -> Config:
    """A model that holds something at the bottom of hundreds of wrappers."""
    for _ in range(300):
        inside = layer("TimeDistributed", layer=inside)
    return stack(inside)


def legacy(*layers: Config) -> Config:
    """As Keras 2 wrote it: names only."""
    return {"class_name": "Sequential", "config": {"name": "net", "layers": [_bare(one) for one in layers]}}


def _bare(node: Config) -> Config:
    return {"class_name": node["class_name"], "config": node["config"]}


def attempts(mark: Path, server: str) -> dict[str, Config]:
    """Every attempt, by what it tries.

    Args:
        mark: Exists if one of them got its way.
        server: Address of a server that notes who calls.
    """
    touch = f"touch {mark}"
    dense = {"units": 2, "name": "d"}
    thousand, named = {"units": 1000, "name": "d"}, ("decode_predictions",)
    decode = function("keras.applications.resnet50", *named)
    png = function("keras.utils", "save_img")
    return {
        # Keras 3.8: any function of any module
        "a system call as a layer": called(function("os", "system"), touch),
        "the same under its real module": called(function("posix", "system"), touch),
        "a process": called(layer("Popen", "subprocess"), touch, shell=True),
        "an evaluation by builtins": called(function("builtins", "eval"), f"open({str(mark)!r}, 'w')"),
        "operator's caller": called(function("operator", "methodcaller", None), "system", touch),
        "a module that marks its import": called(function(IMPORTED, "anything")),
        "such a module named by a class": stack(layer("Anything", IMPORTED, **dense)),
        "such a module inside of KerasHub's name": stack(layer("Anything", "keras_hub." + IMPORTED, **dense)),
        "a type specification of a stranger": {
            "class_name": "Sequential",
            "module": "keras",
            "registered_name": None,
            "config": {
                "layers": [
                    {
                        "class_name": "__typespec__",
                        "spec_name": "X",
                        "module": IMPORTED,
                        "registered_name": None,
                        "config": [],
                    }
                ]
            },
        },
        # Keras 3.10: Lambda and Keras's own helpers under other spellings
        "a lambda": stack(layer("Lambda", function={"class_name": "__lambda__", "config": {"value": "4wEA"}})),
        "layers.Lambda": stack(layer("layers.Lambda", "keras", function=png, arguments={"path": str(mark)})),
        "src Lambda": stack(layer("Lambda", "keras.src.layers.core.lambda_layer", function=png)),
        "Lambda by its registered name": stack(layer("Anything", None, registered="Lambda", function=png)),
        "Lambda inside TimeDistributed": stack(layer("TimeDistributed", layer=layer("Lambda", function=png))),
        "Lambda inside Bidirectional": stack(layer("Bidirectional", layer=layer("Lambda", function=png))),
        "Lambda inside a wrapper by alias": stack(
            layer("Wrapper", layer=layer("Lambda", "keras._tf_keras.keras.layers", function=png))
        ),
        "Lambda without a module": stack(layer("Lambda", None, function=png)),
        "Lambda of Keras 2": legacy(layer("Lambda", function=["4wEA", None, None], output_shape=None)),
        "a module of Keras's as a layer of Keras 2": legacy({"class_name": "__builtins__", "config": {}}),
        "a function of Keras's as a layer of Keras 2": legacy({"class_name": "deserialize", "config": {"config": {}}}),
        "a file written": called(png, str(mark) + ".png", ZEROS),
        "get_file by its source": called(function("keras.src.utils.file_utils", "get_file"), "x", server + "/get_file"),
        "get_file by its name": called(function("keras.utils", "get_file"), "x", server + "/get_file"),
        "unsafe loading switched on": called(function("keras.config", "enable_unsafe_deserialization")),
        "another model loaded": called(function("keras.saving", "load_model"), str(mark)),
        # Keras 3.15: functions of the public interface that fetch
        "decoded predictions": called(decode, ZEROS),
        "decoded predictions as an activation": stack(layer("Dense", **thousand, activation=decode)),
        "decoded predictions of another network": stack(
            layer("Dense", **thousand), layer("Activation", activation=function("keras.applications.vgg16", *named))
        ),
        "decoded predictions in a wrapper": stack(
            layer("SpectralNormalization", layer=layer("Dense", **thousand, activation=decode))
        ),
        "decoded predictions of a model of Keras 2": legacy(layer("Dense", **thousand, activation=decode)),
        "predictions decoded by KerasHub": called(
            function("keras_hub.utils", "decode_imagenet_predictions", "keras_hub>decode_imagenet_predictions"), ZEROS
        ),
        "a data set": called(function("keras.datasets.mnist", "load_data"), "fetched.npz"),
        "a network with weights": called(function("keras.applications", "ResNet50"), weights="imagenet"),
        "a vocabulary from the net": stack(layer("StringLookup", vocabulary=server + "/vocabulary")),
        "a vocabulary from the disk": stack(layer("TextVectorization", vocabulary="/etc/passwd")),
        "a saved model": stack(layer("TFSMLayer", filepath=str(mark.parent))),
        "a torch module": stack(
            layer("TorchModuleWrapper", module={"class_name": "__bytes__", "config": {"value": "x"}})
        ),
        "a jax function": stack(layer("JaxLayer", call_fn=function("os", "system"), params={})),
        "an initializer that is none": stack(layer("Dense", **dense, kernel_initializer=function("os", "getcwd"))),
        "a lambda so deep that it is not found": deep(layer("Lambda", function=png)),
        "a callback": stack(layer("CSVLogger", "keras.callbacks", filename=str(mark))),
    }


def write(path: Path, config: Config) -> Path:
    """A ``.keras`` file, a ``.h5`` file or JSON, by the path's suffix."""
    text = json.dumps(config)
    if path.suffix == ".keras":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("config.json", text)
    elif path.suffix == ".h5":
        import h5py  # type: ignore[import-untyped]

        with h5py.File(path, "w") as file:
            file.attrs["model_config"] = text
    else:
        path.write_text(text, "utf-8")
    return path
