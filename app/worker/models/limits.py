"""Sizes that no network has; refused before anything is built."""

from __future__ import annotations

import math

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.core.types.units import format_number
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
            phrase("impossible input shape"),
            expected=phrase(
                "1 to {max_rank} sides from 1 to {max_side}, at most {max_elements} values for one sample",
                max_rank=MAX_RANK,
                max_side=format_number(MAX_SIDE, ","),
                max_elements=format_number(MAX_ELEMENTS, ","),
            ),
            received=words(shape),
        )
    return shape


def check_classes(classes: int) -> int:
    """Return the number of classes if a network can have it.

    Raises:
        BadModel: It cannot.
    """
    if not 1 <= classes <= MAX_CLASSES:
        raise BadModel(
            phrase("impossible number of classes"),
            expected=phrase("1 to {max_classes}", max_classes=format_number(MAX_CLASSES, ",")),
            received=str(classes),
        )
    return classes
