"""Which layer an operation of a *running* step belongs to.

TensorFlow makes repeated name scopes unique by ``_1``, ``_2`` …, and a step that runs has entered every layer's
scope before, so that the operations of layer ``conv2d`` may be called ``conv2d_1/…`` beside a layer that is named
``conv2d_1``.  `app.worker.layer_names` takes a name as it is; here the names of a whole step settle it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from app.worker.layer_names import LayerNames

_NUMBER = re.compile(r"_\d+$")


def settled_scopes(layers: Iterable[str], operations: Iterable[str]) -> Mapping[str, str]:
    """Scopes that could mean two layers and mean the one without the number.

    That is so if the layer of the very name is entered under another scope that can mean no other layer, and the
    layer without the number under none.

    Args:
        layers: Names of the layers.
        operations: Names of all operations of a step.

    Returns:
        The name of the layer for such scopes.
    """
    known = set(layers)
    scopes = {part for name in operations for part in name.split("/")[:-1]}
    meant = {scope: {scope, _NUMBER.sub("", scope)} & known for scope in scopes}
    sure = {next(iter(names)) for names in meant.values() if len(names) == 1}
    settled = {}
    for scope, names in meant.items():
        plain = _NUMBER.sub("", scope)
        if len(names) > 1 and scope in sure and plain not in sure:
            settled[scope] = plain
    return settled


class OperationLayers:
    """Finds the layer of each operation of one step.

    Args:
        model: The Keras model.
        operations: Names of all operations of the step.
    """

    def __init__(self, model: Any, operations: Iterable[str]) -> None:
        self._names = LayerNames(model)
        self._scopes = settled_scopes((layer.name for layer in self._names.layers), operations)
        self._found: dict[str, int | None] = {}
        self.layers = tuple((layer.name, layer.kind) for layer in self._names.layers)

    def index_of(self, operation: str) -> int | None:
        """Index of the innermost layer in an operation's path, or None."""
        if operation not in self._found:
            path = "/".join(self._scopes.get(part, part) for part in operation.split("/"))
            self._found[operation] = self._names.index_of(path)
        return self._found[operation]

    def index_of_weight(self, path: str) -> int | None:
        """Index of the layer that owns a weight, by the weight's path."""
        return self._names.index_of_weight(path)
