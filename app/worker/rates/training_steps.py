"""Steps of ``fit`` without XLA whose operations take next to nothing: what a training takes of the host besides them.

Between two steps: a model with one weight.  For each operation that is started on a card: a network with branches, as
those of users have them.  In a chain of operations one is ready at a time, and the thread that ends it starts the next;
where several are ready they are handed from thread to thread, which takes the host more than twice as long
(docs/evidence.md, "A real card").
"""

from __future__ import annotations

from typing import Any

from app.worker.backends.base import median_s

STEPS = 40
WIDTH, BLOCKS, BATCH = 8, 16, 4
LAUNCHES = 1589
"""Operations that a step of `branched` starts, as `app.core.timing.card_steptime` counts them."""


def train_overhead_s() -> float:
    """A step of ``fit`` of a model with one weight."""
    import keras

    return _step_s(keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, use_bias=False)]), "sgd", 1)


def launch_s(overhead_s: float) -> float:
    """What starting an operation takes, seconds, where the card is done with it before the next one is started.

    Args:
        overhead_s: Of a step that computes nothing.
    """
    return max(0.0, _step_s(branched(), "adam", BATCH) - overhead_s) / LAUNCHES


def branched() -> Any:
    """A Keras model of residual blocks, each number of which takes a kernel nearly no time."""
    import keras

    layers = keras.layers
    x = given = keras.Input((WIDTH,))
    for _ in range(BLOCKS):
        inner = layers.Dense(WIDTH, activation="relu")(layers.LayerNormalization()(x))
        x = layers.add([x, layers.Dense(WIDTH)(inner)])
    return keras.Model(given, layers.Dense(1)(x))


def _step_s(model: Any, optimizer: str, batch: int) -> float:
    """The median step, seconds, with all that Keras reads of it."""
    import numpy as np
    import tensorflow as tf

    model.compile(optimizer=optimizer, loss="mse", jit_compile=False)
    model.make_train_function()
    numbers = np.zeros((batch, model.input_shape[-1]), "float32"), np.zeros((batch, 1), "float32")
    batches = iter(tf.data.Dataset.from_tensors(numbers).repeat())

    def step() -> None:
        for value in model.train_function(batches).values():
            np.asarray(value)

    step()
    return median_s(step, STEPS)
