"""Networks and pipelines of which it is known what they wait for: the user's side of `bottlenecks`.

Plain Keras files that know nothing of the program; ``BOTTLENECK_PAUSE_S`` is how long a slow sample takes.
"""

from __future__ import annotations

import os
import time

import keras  # noqa: TID253 - a user's file, which runs in a process of its own
import numpy as np
import tensorflow as tf  # noqa: TID253

PAUSE_S = float(os.environ.get("BOTTLENECK_PAUSE_S", "0.01"))
SAMPLES = 4096


def _classifier(shape, *body):
    return keras.Sequential([keras.Input(shape), *body, keras.layers.Dense(10, activation="softmax")])


def big_matmul():
    """Products of large matrices."""
    return _classifier((4096,), *(keras.layers.Dense(4096, activation="relu") for _ in range(2)))


def big_convolution():
    """Convolutions of many channels on small images."""
    body = [keras.layers.Conv2D(256, 3, padding="same", activation="relu") for _ in range(4)]
    return _classifier((16, 16, 64), *body, keras.layers.GlobalAveragePooling2D())


def wide_attention():
    """Projections of a transformer's block."""
    tokens = keras.Input((128, 512))
    x = keras.layers.MultiHeadAttention(8, 64)(tokens, tokens)
    x = keras.layers.Dense(2048, activation="relu")(x)
    x = keras.layers.Dense(512)(x)
    x = keras.layers.GlobalAveragePooling1D()(x)
    return keras.Model(tokens, keras.layers.Dense(10, activation="softmax")(x))


def element_wise():
    """Many cheap operations on large tensors."""
    body = [keras.layers.LeakyReLU() if i % 2 else keras.layers.ELU() for i in range(10)]
    return _classifier((128, 128, 16), *body, keras.layers.GlobalAveragePooling2D())


def normalised():
    """Normalisation and pooling of large images, next to no products."""
    body = []
    for _ in range(6):
        body += [keras.layers.BatchNormalization(), keras.layers.ReLU()]
    return _classifier((128, 128, 16), *body, keras.layers.MaxPooling2D(), keras.layers.GlobalAveragePooling2D())


def wide_table():
    """An optimizer that moves far more than the step computes."""
    return _classifier((32_768,), keras.layers.Dense(512, activation="relu"))


def summed():
    """Sums of large tensors, each read twice and written once for one addition."""
    given = x = keras.Input((128, 128, 16))
    for _ in range(8):
        x = keras.layers.Add()([x, given])
    pooled = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(given, keras.layers.Dense(10, activation="softmax")(pooled))


def tiny():
    """A hundred layers of eight units."""
    return _classifier((8,), *(keras.layers.Dense(8, activation="relu") for _ in range(100)))


def tiny_normalised():
    """Small layers with everything around them."""
    body = []
    for _ in range(30):
        body += [keras.layers.Dense(16), keras.layers.LayerNormalization(), keras.layers.Activation("gelu")]
    return _classifier((16,), *body)


def tiny_branches():
    """Many small branches side by side."""
    given = keras.Input((8,))
    branches = [keras.layers.Dense(8, activation="tanh")(given) for _ in range(60)]
    return keras.Model(given, keras.layers.Dense(10, activation="softmax")(keras.layers.Concatenate()(branches)))


def tiny_steps():
    """A recurrent network of four units over many steps."""
    return _classifier((200, 4), keras.layers.LSTM(4))


def small():
    """A network that takes next to no time, for pipelines that take much."""
    return _classifier((8,))


def small_images():
    """Likewise for images."""
    return _classifier((32, 32, 3), keras.layers.Conv2D(4, 3, strides=4), keras.layers.GlobalAveragePooling2D())


class _Slow(keras.utils.PyDataset):
    """Samples that take their time, one after the other."""

    def __init__(self, batch_size, pause):
        super().__init__(workers=1)
        self._batch, self._pause = batch_size, pause

    def __len__(self):
        return SAMPLES // self._batch

    def __getitem__(self, index):
        self._pause(PAUSE_S * self._batch)
        return np.zeros((self._batch, 8), np.float32), np.zeros(self._batch, np.int32)


def slow_generator(batch_size):
    """A generator on one thread that computes in Python."""
    return _Slow(batch_size, _busy)


def waiting_generator(batch_size):
    """A generator that waits for somebody else, such as a server of features."""
    return _Slow(batch_size, time.sleep)


def augmenting(batch_size):
    """A pipeline that turns and blurs every image on the host."""
    rows = tf.data.Dataset.range(SAMPLES)

    def make(index):
        image = tf.random.stateless_uniform((256, 256, 3), (index, 1))
        for _ in range(6):
            image = tf.image.adjust_hue(tf.image.random_flip_left_right(image), 0.1)
        return tf.image.resize(image, (32, 32)), tf.cast(index % 10, tf.int32)

    return rows.map(make, num_parallel_calls=tf.data.AUTOTUNE).batch(batch_size).prefetch(2)


def tokenising(batch_size):
    """Text cut into words in Python."""

    def words():
        for number in range(SAMPLES):
            text = " ".join(str(number * i) for i in range(2000))
            yield np.array([len(word) for word in text.split()][:8], np.float32), number % 10

    signature = (tf.TensorSpec((8,), tf.float32), tf.TensorSpec((), tf.int32))
    return tf.data.Dataset.from_generator(words, output_signature=signature).batch(batch_size).prefetch(2)


def _busy(seconds):
    """Compute for so long."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        sum(range(1000))
