"""Models that leave something behind at the end of each epoch: what a forgotten list in a callback does."""

from __future__ import annotations

from typing import Any

SMALL_FLOATS = 250_000
LARGE_FLOATS = 1_500_000


def keeps_tensors() -> Any:
    """A megabyte an epoch."""
    return _leaking(SMALL_FLOATS)


def keeps_large_tensors() -> Any:
    """Six megabytes an epoch."""
    return _leaking(LARGE_FLOATS)


def _leaking(floats: int) -> Any:
    """A small model that keeps so many floats of the device each time an epoch begins."""
    import keras
    import tensorflow as tf

    kept = []

    class Leaking(keras.Model):  # type: ignore[misc, name-defined, unused-ignore]
        """Keeps a tensor where it is asked for its metrics anew: at the beginning of an epoch and of a validation."""

        def evaluate(self, *values: Any, **named: Any) -> Any:
            """As Keras does, and forget to let go."""
            kept.append(tf.zeros([floats]))
            return super().evaluate(*values, **named)

    inputs = keras.Input((32,))
    model = Leaking(inputs, keras.layers.Dense(1)(keras.layers.Dense(64, activation="relu")(inputs)))
    model.compile("adam", "mse")
    return model
