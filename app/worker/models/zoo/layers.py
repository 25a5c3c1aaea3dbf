"""Layers that Keras lacks.  The classes are made inside functions, because Keras is imported there."""

from __future__ import annotations

from functools import cache
from typing import Any


def add_positions(x: Any, *, class_token: bool = False) -> Any:
    """Add a trained embedding of the position to a sequence; optionally put a trained token before it."""
    return _positions_class()(class_token)(x)


@cache
def _positions_class() -> Any:
    """The layer behind `add_positions`."""
    import keras

    class Positions(keras.layers.Layer):  # type: ignore[misc]
        """Trained position embedding, with a class token if wanted (Dosovitskiy et al. 2021, eq. 1)."""

        def __init__(self, class_token: bool, **keywords: Any) -> None:
            super().__init__(**keywords)
            self.class_token = class_token

        def build(self, input_shape: Any) -> None:
            _, length, width = input_shape
            if self.class_token:
                self.token = self.add_weight(shape=(1, 1, width), initializer="zeros", name="class_token")
            shape = (1, length + self.class_token, width)
            self.positions = self.add_weight(shape=shape, initializer="random_normal", name="positions")

        def call(self, x: Any) -> Any:
            if self.class_token:
                batch, _, width = keras.ops.shape(x)
                token = keras.ops.broadcast_to(self.token, (batch, 1, width))
                x = keras.ops.concatenate([keras.ops.cast(token, x.dtype), x], axis=1)
            return x + keras.ops.cast(self.positions, x.dtype)

    return Positions
