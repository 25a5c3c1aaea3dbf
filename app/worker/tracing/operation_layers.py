"""Which layer an operation belongs to, where the names of a whole step are known.

TensorFlow makes repeated name scopes unique by ``_1``, ``_2`` …, and Keras enters a layer's scope once before the
step that is traced, so that the operations of a layer ``conv2d`` may be called ``conv2d_1/…`` beside a layer whose
name is ``conv2d_1``, whose operations are then called ``conv2d_1_2/…``.  `app.worker.tracing.layer_names` takes a
name as it is; here all the names of a step settle it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from app.worker.tracing.layer_names import LayerNames

_NUMBER = re.compile(r"_\d+$")
_GRADIENT = "gradient_tape"


def settled_scopes(layers: Iterable[str], operations: Iterable[str]) -> Mapping[tuple[str, str], str]:
    """Scopes that could mean two layers and mean the one without the number.

    That is so if, in the same scope around them, the layer of the very name is entered under another name that can
    mean no other layer, and the layer without the number under none.

    Args:
        layers: Names of the layers, of those around them too.
        operations: Names of all operations of a step.

    Returns:
        The name of the layer for such a scope, by the scope around it and its own name.
    """
    known = set(layers)
    inside: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for name in operations:
        for around, scope in _scopes(name):
            inside[around].setdefault(scope, {scope, _NUMBER.sub("", scope)} & known)
    settled = {}
    for around, meant in inside.items():
        sure = {next(iter(names)) for names in meant.values() if len(names) == 1}
        for scope, names in meant.items():
            plain = _NUMBER.sub("", scope)
            if len(names) > 1 and scope in sure and plain not in sure:
                settled[around, scope] = plain
    return settled


class OperationLayers:
    """Finds the layer of each operation of one step.

    Args:
        names: The model's layers.
        operations: Names of all operations of the step.
    """

    def __init__(self, names: LayerNames, operations: Iterable[str]) -> None:
        self._names = names
        self._scopes = settled_scopes(names.path_parts, operations)
        self._found: dict[str, int | None] = {}

    def index_of(self, operation: str) -> int | None:
        """Index of the innermost layer in an operation's path, or None."""
        if operation not in self._found:
            own = operation.rpartition("/")[2]
            scopes = [self._scopes.get(pair, pair[1]) for pair in _scopes(operation)]
            self._found[operation] = self._names.index_of("/".join([*scopes, own]))
        return self._found[operation]


def _scopes(operation: str) -> Iterator[tuple[str, str]]:
    """Each scope of an operation's path with what is around it; forward and backward are the same."""
    around = ""
    for scope in operation.split("/")[:-1]:
        if scope != _GRADIENT:
            yield around, scope
            around += scope + "/"
