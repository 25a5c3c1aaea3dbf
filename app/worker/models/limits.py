"""Sizes that no network has; refused before anything is built."""

from __future__ import annotations

import math

from app.core.types.errors import BadModel
from app.worker.models.built import words

MAX_RANK = 6
MAX_SIDE = 2**20
MAX_ELEMENTS = 2**31 - 1
"""Kernels index one sample with 32 bits."""
MAX_CLASSES = 2**24


def check_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape if a network can have it as its input.

    Raises:
        BadModel: A side is zero, negative or absurdly long, or the whole is too large.
    """
    possible = 1 <= len(shape) <= MAX_RANK and all(1 <= n <= MAX_SIDE for n in shape)
    if not possible or math.prod(shape) > MAX_ELEMENTS:
        raise BadModel(
            "impossible input shape",
            expected=f"1 to {MAX_RANK} sides from 1 to {MAX_SIDE:,}, at most {MAX_ELEMENTS:,} values for one sample",
            received=words(shape),
        )
    return shape


def check_classes(classes: int) -> int:
    """Return the number of classes if a network can have it.

    Raises:
        BadModel: It cannot.
    """
    if not 1 <= classes <= MAX_CLASSES:
        raise BadModel("impossible number of classes", expected=f"1 to {MAX_CLASSES:,}", received=str(classes))
    return classes
