"""The configuration of a saved Keras model: looked through and adapted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.core.types.plan_values import PRECISIONS
from app.worker.models.input_sizes import Input, Shape


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
    for node in nodes(config):
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


def nodes(config: Any) -> Iterator[dict[str, Any]]:
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
    for node in nodes(config):
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
