"""The short notation in which optimizers' updates are written down.

One line is an operation, ``output = Kind inputs``.  ``g`` is the gradient, ``w`` the weight, ``m`` ``v`` and so on
are slots, everything else a temporary; operands that are plain numbers are left out.  Results have the
weight's size unless one of `Size` is named behind a slash.  ``AssignAdd`` and ``AssignSub`` change a variable
in place, ``Assign`` replaces its buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Size = Literal["weight", "rows", "columns", "square", "flags", "scalar"]
"""As large as the weight; as the weight without its last dimension, or without the last but one; the
product of a matrix with itself over its longer side; one byte for each element; one number."""


@dataclass(frozen=True)
class Slot:
    """One variable that an optimizer keeps beside a weight."""

    name: str
    size: Size = "weight"


@dataclass(frozen=True)
class UpdateOperation:
    """One operation of an update; names refer to gradient, weight, slots and temporaries."""

    kind: str
    inputs: tuple[str, ...]
    output: str | None
    size: Size = "weight"


@dataclass(frozen=True)
class OptimizerRecipe:
    """Slots and the update of one weight."""

    slots: tuple[Slot, ...]
    update: tuple[UpdateOperation, ...]
    source: str = ""


def operations(text: str) -> tuple[UpdateOperation, ...]:
    """Read operations from their short notation."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        left, _, right = line.rpartition("=")
        kind, *inputs = right.split()
        output, _, size = left.strip().partition("/")
        found.append(UpdateOperation(kind, tuple(inputs), output or None, _size(size)))
    return tuple(found)


def _size(word: str) -> Size:
    """The size that a word names; the weight's if there is none."""
    return next(size for size in get_args(Size) if size == (word or "weight"))


def described(slots: str, text: str, *, source: str) -> OptimizerRecipe:
    """Read a recipe from its short notation."""
    pairs = [slot.partition("/") for slot in slots.split()]
    kept = tuple(Slot(name, _size(size)) for name, _, size in pairs)
    return OptimizerRecipe(kept, operations(text), f"keras/src/optimizers/{source}.py")
