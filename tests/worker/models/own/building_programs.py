"""Functions as people write them, whose code looks at the values of weights while it builds."""

from __future__ import annotations

import os
import tempfile

import keras  # noqa: TID253 - loaded in a child, as a user's file is
import numpy as np
import tensorflow as tf  # noqa: TID253
from keras import layers, ops  # noqa: TID253


class Called(keras.Model):
    def __init__(self, units=256):
        super().__init__()
        self.hidden = [layers.Dense(units, activation="relu") for _ in range(2)]
        self.head = layers.Dense(10, activation="softmax")

    def call(self, x, training=False):
        for layer in self.hidden:
            x = layer(x)
        return self.head(x)


def network():
    row = keras.Input((32,))
    return keras.Model(row, layers.Dense(10, activation="softmax")(layers.Dense(256, activation="relu")(row)))


def called_once():
    net = Called()
    net(tf.zeros((1, 32)))
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


def called_on_arrays_in_a_function():
    net = Called()

    @tf.function
    def warm(x):
        return net(x)

    assert not np.isnan(warm(np.ones((2, 32), "float32")).numpy()).any()
    return net


def huge_called_once():
    net = Called(27_000)
    net(tf.zeros((1, 32)))
    return net


def positions_of_a_range():
    tokens = keras.Input((64,), dtype="int32")
    x = layers.Embedding(1000, 32)(tokens) + layers.Embedding(64, 32)(tf.range(64))
    return keras.Model(tokens, layers.Dense(4, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


class Tied(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = layers.Embedding(1000, 32)

    def call(self, tokens):
        return ops.matmul(self.embedding(tokens), ops.transpose(self.embedding.embeddings))


def tied_in_a_subclass():
    net = Tied()
    net(np.zeros((1, 16), "int32"))
    net.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return net


def tied_in_a_function():
    embedding = layers.Embedding(1000, 32)
    tokens = keras.Input((16,), dtype="int32")
    x = layers.Dense(32)(embedding(tokens))
    return keras.Model(tokens, ops.matmul(x, ops.transpose(embedding.embeddings)))


def cloned():
    net = network()
    target = keras.models.clone_model(net)
    target.set_weights(net.get_weights())
    assert all(np.array_equal(a, b) for a, b in zip(net.get_weights(), target.get_weights(), strict=True))
    return net


def predicted():
    net = network()
    assert net.predict(np.ones((3, 32), "float32"), verbose=0).shape == (3, 10)
    return net


def fitted():
    net = network()
    net.compile("adam", "sparse_categorical_crossentropy")
    net.fit(np.ones((3, 32), "float32"), np.zeros(3), verbose=0)
    return net


def adapted():
    normalise = layers.Normalization()
    normalise.adapt(np.random.default_rng(0).normal(size=(100, 32)))
    row = keras.Input((32,))
    return keras.Model(row, layers.Dense(10)(normalise(row)))


def built_by_shape():
    net = Called()
    net.build((None, 32))
    net.summary()
    return net


def counted():
    net = network()
    assert sum(float(ops.sum(ops.square(w))) for w in net.trainable_weights) > 0
    return net


def larger_than_any_memory():
    row = x = keras.Input((16,))
    for units in (2**18, 2**18, 10):
        x = layers.Dense(units)(x)
    return keras.Model(row, x)


def huge_in_other_types():
    for dtype in ("bfloat16", "float16"):
        table = layers.Embedding(30_000, 40_000, dtype=dtype)
        assert float(ops.sum(ops.abs(table(np.arange(4))))) == 0.0
    return network()


def loaded():
    net = network()
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "kept.weights.h5")
        net.save_weights(path)
        network().load_weights(path)
    return net
