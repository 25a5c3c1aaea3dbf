"""What a catalog network is by default, so that its input can be adapted to data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Task = Literal["image", "text", "language", "super_resolution", "segmentation", "table"]

Builder = Callable[[str, tuple[int, ...], int], Any]
"""``build(name, input_shape, classes)`` returns an uncompiled Keras model.  Shapes leave out the batch."""


@dataclass(frozen=True)
class Recipe:
    """How to build one network.

    ``input_shape`` and ``classes`` are those of the publication.  ``vocabulary`` is the number of tokens
    of a network that reads text.  ``free_channels`` and ``follows_size`` say whether the first layer may
    be built for other channels and for the data's own image size.
    """

    build: Builder
    task: Task
    input_shape: tuple[int, ...]
    classes: int
    vocabulary: int | None = None
    free_channels: bool = True
    follows_size: bool = True
    from_logits: bool = False
    source: str = ""


def classifier_activation(classes: int) -> str | None:
    """Softmax over classes; a single output is a number to predict and stays as it is."""
    return "softmax" if classes > 1 else None
