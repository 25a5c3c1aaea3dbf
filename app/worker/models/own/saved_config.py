"""The configuration inside a saved Keras model: read without weights, checked, adapted.

A ``.keras`` file is a zip with ``config.json``; an ``.h5`` file carries the same as an attribute; ``to_json`` writes
it alone.  Weights are never read: an estimate does not need their values and a benchmark makes its own.
Formats: keras/src/saving/saving_lib.py and keras/src/legacy/saving/legacy_h5_format.py (Keras 3.15).
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.plan_values import PRECISIONS
from app.core.types.text import phrase
from app.worker.models.input_sizes import Input, Shape

MAX_CONFIG_BYTES = 64 * 1024**2
"""The configuration of a network of a thousand layers takes one or two MB."""
MAX_RATIO = 1000
"""JSON shrinks twenty- to fiftyfold; a zip bomb far more."""


@dataclass(frozen=True)
class SavedModel:
    """A model's configuration, and the loss that it was compiled with, if any."""

    config: dict[str, Any]
    loss: Any = None
    legacy: bool = False
    digest: str = ""
    """SHA-256 of what was read: of a ``.keras`` file the configuration, of others the file."""


def read_saved(path: Path, *, hashed: bool = False) -> SavedModel:
    """Read a model file's configuration by its kind.

    Args:
        path: The file.
        hashed: Say the digest of the very bytes that are read; a whole HDF5 file is read for it.

    Raises:
        BadModel: The file is damaged, too large, or holds weights only.
    """
    suffix = path.suffix.lower()
    try:
        if suffix == ".keras":
            return _from_config(_read_zip(path), path)
        if suffix in (".h5", ".hdf5"):
            return _read_h5(path, path.read_bytes() if hashed else None)
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise BadModel(
                phrase("the model file is too large"),
                expected=phrase("at most {max_config} bytes of JSON", max_config=MAX_CONFIG_BYTES),
                received=str(path),
            )
        return _from_config(path.read_bytes(), path)
    except OSError as error:
        raise BadModel(
            phrase("the model file cannot be read"), received=f"{path}: {error.strerror or error}"
        ) from error


def with_precision(config: dict[str, Any], precision: str) -> str | None:
    """Give all layers another dtype policy, in place.

    Layers that differ from the rest on purpose (a float32 output in a mixed network) keep theirs.

    Returns:
        The policy that was replaced, None if there was nothing to do.
    """
    found = [policy for layer in _layers(config) if (policy := _policy(layer)) is not None]
    reduced = [policy for policy in found if policy != "float32"]
    old = reduced[0] if reduced else "float32"
    if not found or old == precision:
        return None
    for layer in _layers(config):
        if _policy(layer) == old:
            layer["config"]["dtype"] = precision
    return old


def with_input_shape(config: dict[str, Any], shape: tuple[int, ...]) -> tuple[int | None, ...] | None:
    """Change the shape of the first input, in place; what was built for the old one is forgotten.

    Returns:
        The old shape without the batch; None if the file does not name one.
    """
    inputs = [layer for layer in _layers(config) if layer.get("class_name") == "InputLayer"]
    keys = ("batch_shape", "batch_input_shape")
    shapes = [(layer, key) for layer in inputs for key in keys if isinstance(layer["config"].get(key), list)]
    if not shapes:
        return None
    first, key = shapes[0]
    old = list(first["config"][key])
    for layer, key in shapes:
        if list(layer["config"][key]) == old:
            layer["config"][key] = [None, *shape]
    _forget_built(config)
    return tuple(old[1:])


def declared_inputs(config: dict[str, Any]) -> list[Input]:
    """Each input of the model itself."""
    return [one for layer in _own_layers(config) for _, one in _declared(layer)]


def with_input_shapes(config: dict[str, Any], new: Mapping[Input, Shape]) -> None:
    """Change inputs of the model and of models inside it, in place; free sides stay.

    Args:
        config: Of the model.
        new: Shapes of its own inputs.  A model inside it calls its inputs otherwise: they follow those of their form,
            and a side that several of these have differently is left open.
    """
    for layer in _layers(config):
        for key, one in _declared(layer):
            alike = [wanted for other, wanted in new.items() if other[:2] == one[:2]]
            wanted = new.get(one) or _in_common(alike) or one.shape
            sides = [None if was is None else now for was, now in zip(one.shape, wanted, strict=True)]
            layer["config"][key] = [layer["config"][key][0], *sides]
    _forget_built(config)


def _in_common(shapes: Sequence[Shape]) -> Shape:
    """The sides of all of them; None where they differ, nothing of no shape."""
    return tuple(sides[0] if len(set(sides)) == 1 else None for sides in zip(*shapes, strict=True))


def _declared(layer: dict[str, Any]) -> Iterator[tuple[str, Input]]:
    """Where an input layer says its shape, and the input."""
    if layer.get("class_name") != "InputLayer" or not isinstance(layer.get("config"), dict):
        return
    for key in ("batch_shape", "batch_input_shape"):
        if isinstance(layer["config"].get(key), (list, tuple)):
            dtype, name = layer["config"].get("dtype") or "float32", layer["config"].get("name") or ""
            yield key, Input(tuple(layer["config"][key][1:]), str(dtype), str(name))


def _forget_built(config: dict[str, Any]) -> None:
    """Drop the shapes that layers were built for."""
    for node in _nodes(config):
        node.pop("build_config", None)
        if isinstance(node.get("config"), dict):
            node["config"].pop("build_input_shape", None)


def output_units(config: dict[str, Any]) -> int | None:
    """Units of the dense layer that the model ends in; None if it ends in something else."""
    last = _output_layer(config)
    if last is None or last.get("class_name") != "Dense":
        return None
    units = last["config"].get("units")
    return units if isinstance(units, int) else None


def with_classes(config: dict[str, Any], classes: int) -> int | None:
    """Give the last dense layer another number of units, in place.

    Returns:
        The old number; None if the model does not end in one dense layer.
    """
    old, last = output_units(config), _output_layer(config)
    if old is None or last is None:
        return None
    last["config"]["units"] = classes
    last.pop("build_config", None)
    return old


def _read_zip(path: Path) -> bytes:
    """The member ``config.json`` of a ``.keras`` file."""
    try:
        with zipfile.ZipFile(path) as archive:
            member = archive.getinfo("config.json")
            if member.file_size > min(MAX_CONFIG_BYTES, MAX_RATIO * max(1, member.compress_size)):
                raise BadModel(
                    phrase("the configuration inside the model file is too large"),
                    expected=phrase(
                        "at most {max_config} bytes, packed at most {max_ratio}-fold",
                        max_config=MAX_CONFIG_BYTES,
                        max_ratio=MAX_RATIO,
                    ),
                    received=phrase(
                        "{file_size} bytes in {compress_size}",
                        file_size=member.file_size,
                        compress_size=member.compress_size,
                    ),
                )
            with archive.open(member) as file:
                return file.read(MAX_CONFIG_BYTES + 1)
    except KeyError as error:
        raise BadModel(
            phrase("the file has no config.json inside"), expected=phrase("a .keras file"), received=str(path)
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        ValueError,
        OverflowError,
        struct.error,
    ) as error:  # zipfile checks little of a file's directory before it reads it
        raise BadModel(
            phrase("the file is damaged"), expected=phrase("a .keras file (a zip)"), received=f"{path}: {error}"
        ) from error


def _read_h5(path: Path, content: bytes | None) -> SavedModel:
    """Configuration and loss of an HDF5 file, or of what was read of it."""
    import h5py  # type: ignore[import-untyped]

    try:
        with h5py.File(path if content is None else io.BytesIO(content), "r") as file:
            config, training = file.attrs.get("model_config"), file.attrs.get("training_config")
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError) as error:
        raise BadModel(
            phrase("the file is damaged"), expected=phrase("a Keras .h5 file"), received=f"{path}: {error}"
        ) from error
    if config is None:
        raise BadModel(
            phrase("the file holds weights only"),
            expected=phrase("a whole model"),
            received=str(path),
            hint=phrase("save it with model.save(), not with save_weights()"),
        )
    training = _parse(training, path) if training is not None else {}
    digest = hashlib.sha256(content or b"").hexdigest()
    return SavedModel(_parse_model(config, path), loss=training.get("loss"), legacy=True, digest=digest)


def _parse(text: Any, path: Path) -> dict[str, Any]:
    """JSON text as an object."""
    if not isinstance(text, str | bytes) or len(text) > MAX_CONFIG_BYTES:
        raise BadModel(
            phrase("the model file is damaged"),
            expected=phrase("a text of at most {max_config} bytes", max_config=MAX_CONFIG_BYTES),
            received=f"{path}: {type(text).__name__}",
        )
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        received = f"{path}: {error}"
        raise BadModel(
            phrase("the model file is damaged"), expected=phrase("a Keras model in JSON"), received=received
        ) from error
    if not isinstance(parsed, dict):
        raise BadModel(
            phrase("the file is no Keras model"), expected=phrase("a JSON object"), received=type(parsed).__name__
        )
    return parsed


def _parse_model(text: Any, path: Path) -> dict[str, Any]:
    """JSON text as the configuration of a model."""
    config = _parse(text, path)
    if "class_name" not in config or not isinstance(config.get("config"), dict | list):
        raise BadModel(
            phrase("the file is no Keras model"),
            expected=phrase("the keys class_name and config"),
            received=", ".join(sorted(config)[:6]) or phrase("an empty object"),
        )
    return config


def _from_config(text: bytes, path: Path) -> SavedModel:
    """Take the loss out of the compile configuration, and that out of the rest."""
    config = _parse_model(text, path)
    compiled = config.get("compile_config")
    loss = compiled.get("loss") if isinstance(compiled, dict) else None
    for node in _nodes(config):  # what a model inside was compiled with is of no use, and may need what is not here
        node.pop("compile_config", None)
    digest = hashlib.sha256(text).hexdigest()
    return SavedModel(config, loss=loss, legacy="registered_name" not in config, digest=digest)


def _nodes(config: Any) -> Iterator[dict[str, Any]]:
    """All objects inside a configuration, without recursion: files may nest deeply."""
    waiting = [config]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(reversed(list(node.values())))
        elif isinstance(node, list):
            waiting.extend(reversed(node))


def _layers(config: Any) -> Iterator[dict[str, Any]]:
    """All objects that look like layers."""
    for node in _nodes(config):
        if isinstance(node.get("class_name"), str) and isinstance(node.get("config"), dict):
            yield node


def _own_layers(config: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of the model itself; what Keras 1 wrote of a row of layers is these alone."""
    inner = config["config"]
    listed = inner if isinstance(inner, list) else inner.get("layers")
    return [layer for layer in listed if isinstance(layer, dict)] if isinstance(listed, list) else []


def _policy(layer: dict[str, Any]) -> str | None:
    """Name of a layer's dtype policy, if it is one that a plan can ask for."""
    dtype = layer["config"].get("dtype")
    if isinstance(dtype, dict) and isinstance(dtype.get("config"), dict):
        dtype = dtype["config"].get("name")
    if layer["class_name"] == "InputLayer" or layer["class_name"].startswith("__") or dtype not in PRECISIONS:
        return None
    return str(dtype)


def _output_layer(config: dict[str, Any]) -> dict[str, Any] | None:
    """The layer that gives the model's only output."""
    layers = [layer for layer in _own_layers(config) if isinstance(layer.get("config"), dict)]
    outputs = config["config"].get("output_layers") if isinstance(config["config"], dict) else None
    if outputs is None:
        return layers[-1] if layers else None
    while isinstance(outputs, list) and len(outputs) == 1:
        outputs = outputs[0]
    name = outputs[0] if isinstance(outputs, list) and outputs and isinstance(outputs[0], str) else None
    return next((layer for layer in layers if layer["config"].get("name") == name), None)
