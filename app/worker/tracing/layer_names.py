"""Which layer an operation of the graph belongs to."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from typing import Any

from app.core.types.stepgraph import Layer


class LayerNames:
    """The leaf layers of a model, found again in the names that TensorFlow gives to operations.

    Keras opens a name scope per layer, and TensorFlow makes repeated scopes unique by ``_1``, ``_2`` …,
    so a path component is a layer's name with or without such an ending.
    """

    def __init__(self, model: Any) -> None:
        leaves = [layer for layer in model._flatten_layers(include_self=False) if not _children(layer)]
        elements = _of_leaves(_elements_in_graphs(model), model)
        counts = Counter(layer.name for layer in leaves)
        self.layers: tuple[Layer, ...] = tuple(
            _describe(layer, elements, (layer.path or layer.name) if counts[layer.name] > 1 else layer.name)
            for layer in leaves
        )
        self._paths = [frozenset((layer.path or "").split("/")) for layer in leaves]
        self._index: dict[str, list[int]] = {}
        for i, layer in enumerate(leaves):
            self._index.setdefault(layer.name, []).append(i)

    @property
    def path_parts(self) -> frozenset[str]:
        """Names of all layers and of those around them."""
        return frozenset().union(*self._paths)

    def index_of(self, operation: str) -> int | None:
        """Index of the innermost layer in an operation's path, or None."""
        parts = operation.split("/")[:-1]
        for part in reversed(parts):
            found = self._find(part)
            if found:  # of leaves with one name, such as the cells of two LSTM layers, the one inside the same layer
                return max(found, key=lambda i: self._likeness(i, parts)) if len(found) > 1 else found[0]
        return None

    def index_of_weight(self, path: str) -> int | None:
        """Index of the layer that owns a weight, by the weight's path."""
        return self.index_of(path)

    def _likeness(self, leaf: int, parts: list[str]) -> int:
        """How much of an operation's path is a leaf's; a name as it is counts for more than one with a number."""
        path = self._paths[leaf]
        return sum(2 if part in path else re.sub(r"_\d+$", "", part) in path for part in parts)

    def _find(self, part: str) -> list[int]:
        """Leaves of a name, or of that name without the number that TensorFlow gave it."""
        if part in self._index:
            return self._index[part]
        return self._index.get(re.sub(r"_\d+$", "", part), [])


def _children(layer: Any) -> bool:
    """Does the layer contain others that do the work."""
    return bool(getattr(layer, "_layers", None))


def _describe(layer: Any, elements: dict[int, int], name: str) -> Layer:
    """Name, kind, weights and output size of one layer."""
    return Layer(
        name=name,
        kind=type(layer).__name__,
        params=sum(math.prod(v.shape) for v in layer.variables),
        output_elements=elements.get(id(layer), 0) if elements else _first_call_elements(layer),
        trainable=bool(layer.trainable),
    )


def _elements_in_graphs(model: Any) -> dict[int, int]:
    """Output elements for one sample by layer, over all its uses in functional and sequential models.

    A layer's own list of calls is no help: a sequential model calls its layers anew each time it grows.
    """
    found: dict[int, int] = {}
    for part in [model, *model._flatten_layers(include_self=False)]:
        graph = getattr(part, "_functional", None) or part
        for node in itertools.chain.from_iterable(getattr(graph, "_nodes_by_depth", {}).values()):
            found[id(node.operation)] = found.get(id(node.operation), 0) + _elements(node)
    return found


def _of_leaves(elements: dict[int, int], model: Any) -> dict[int, int]:
    """The same with what a composite layer (an LSTM around its cell) puts out counted for its first leaf."""
    import keras

    for layer in model._flatten_layers(include_self=False):
        if _children(layer) and not isinstance(layer, keras.Model) and id(layer) in elements:
            first = next(leaf for leaf in layer._flatten_layers(include_self=False) if not _children(leaf))
            elements[id(first)] = elements.get(id(first), 0) + elements[id(layer)]
    return elements


def _first_call_elements(layer: Any) -> int:
    """Output elements of a layer of a subclassed model; 0 if it was never called symbolically."""
    nodes = getattr(layer, "_inbound_nodes", ())
    return _elements(nodes[0]) if nodes else 0


def _elements(node: Any) -> int:
    """Elements that one call puts out for one sample."""
    return sum(math.prod(n for n in tensor.shape[1:] if n is not None) for tensor in node.output_tensors)
