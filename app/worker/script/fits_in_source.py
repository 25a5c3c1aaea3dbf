"""Which lines of a source train by Keras's ``fit``, as far as its text says; nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from app.core.types.source_text import Unreadable, parsed

_SAYS_IT_TRAINS = frozenset({"epochs", "validation_data", "validation_split", "callbacks", "steps_per_epoch"})
"""Arguments that Keras's ``fit`` has and that of a scaler or a tokenizer has not."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class FitLine:
    """A call of ``fit`` in a source.

    Attributes:
        first: Line of its first word.
        last: Of its last.
        in_loop: It stands in a loop, or in a function that a loop calls.
    """

    first: int
    last: int
    in_loop: bool


def fits_in(source: str) -> tuple[FitLine, ...]:
    """Calls of ``fit`` in the order of their lines; nothing of what is no Python."""
    try:
        tree = parsed(source)
    except Unreadable:
        return ()
    called = {_name(node) for node, in_loop in _walk(tree) if in_loop and isinstance(node, ast.Call)}
    found = []
    for node, in_loop in _walk(tree, frozenset(called)):
        if isinstance(node, ast.Call) and is_training(node):
            found.append(FitLine(node.lineno, node.end_lineno or node.lineno, in_loop))
    return tuple(sorted(found, key=lambda one: one.first))


def is_training(call: ast.Call) -> bool:
    """Is it a call of ``fit`` with arguments that only a training has?"""
    named = {keyword.arg for keyword in call.keywords}
    return isinstance(call.func, ast.Attribute) and call.func.attr == "fit" and bool(named & _SAYS_IT_TRAINS)


def _walk(tree: ast.AST, looped: frozenset[str] = frozenset()) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, each with whether it runs in a loop; ``looped`` are functions that loops call.

    Not by recursion: a sum of two thousand numbers is Python, too.
    """
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_loop = waiting.pop()
        yield node, in_loop
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            in_loop = getattr(node, "name", "") in looped
        waiting += [(child, in_loop or isinstance(node, _LOOPS)) for child in ast.iter_child_nodes(node)]


def _name(call: ast.AST) -> str:
    """The name by which a function is called."""
    function = getattr(call, "func", None)
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
