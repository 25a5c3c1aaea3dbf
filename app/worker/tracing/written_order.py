"""In which order operations that may have their inputs in any order were given them by who wrote them.

Grappler sorts the inputs of sums and products by name, to find what is computed twice (``CanonicalizeNode`` in
core/grappler/utils/canonicalizer.cc).  A step that XLA compiles never comes to Grappler, and XLA's orders of kernels
hang on the order of operands: so both are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

WRITTEN = "_willittrain_written"
"""Attribute of an operation: which of its inputs comes where, by place."""


def tell_written_order(optimised: Any, definition: Any) -> None:
    """Mark all operations of an optimised graph whose inputs were sorted.

    Args:
        optimised: The ``GraphDef`` that Grappler made; marked in place.
        definition: The one that it was given.
    """
    from tensorflow.python.framework import op_def_registry

    given = {node.name: node for node in definition.node}
    for node in optimised.node:
        kind = op_def_registry.get(node.op)
        if kind is None or not kind.is_commutative or node.name not in given:
            continue
        places = written_places(_inputs(node), _inputs(given[node.name]))
        if places != sorted(places):
            node.attr[WRITTEN].list.i.extend(places)


def written_places(sorted_: Sequence[str], written: Sequence[str]) -> list[int]:
    """For each input as it was written its place among the sorted ones.

    What Grappler has put in an input's place is taken for the one that is missing.

    >>> written_places(["a", "b"], ["b", "a"])
    [1, 0]
    >>> written_places(["a", "b/cast"], ["b", "a"])
    [1, 0]
    """
    if len(sorted_) != len(written):
        return list(range(len(sorted_)))
    left = list(range(len(sorted_)))
    places: list[int | None] = []
    for name in written:
        place = next((i for i in left if sorted_[i] == name), None)
        places.append(place)
        if place is not None:
            left.remove(place)
    return [left.pop(0) if place is None else place for place in places]


def _inputs(node: Any) -> list[str]:
    """The names of a node's inputs, without those that it only waits for."""
    return [name.removesuffix(":0") for name in node.input if not name.startswith("^")]
