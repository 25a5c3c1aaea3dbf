"""Five workloads as a user has them: for each a function that makes the model and one that makes the data.

This is the user's side of `long_epoch` and `overhead`: a plain Keras file that knows nothing of the program.  Run as
a script it trains with ``model.fit`` in a process of its own and prints what that took::

    python studies/benchmarks/workloads.py cnn 64 --steps 200

``WORKLOAD_SAMPLES`` says how many samples there are and ``WORKLOAD_FOLDER`` where image files lie.
"""

from __future__ import annotations

import argparse
import json
import os
import time

import keras  # noqa: TID253 - this is a user's file, which runs in a process of its own
import numpy as np
import tensorflow as tf  # noqa: TID253

SAMPLES = int(os.environ.get("WORKLOAD_SAMPLES", "2048"))
LOSS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def cnn():
    """A small convolutional network on grey images."""
    layers = keras.layers
    network = keras.Sequential(
        [
            keras.Input((28, 28, 1)),
            layers.Conv2D(32, 3, activation="relu"),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(128, activation="relu"),
            layers.Dense(10),
        ]
    )
    return network, LOSS


def cnn_data():
    """Arrays in memory."""
    return _random((SAMPLES, 28, 28, 1)), _labels()


def resnet50():
    """ResNet50 at 64 x 64 pixels."""
    network = keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=10, classifier_activation=None)
    return network, LOSS


def resnet50_data(batch_size):
    """Bytes in memory, made numbers in the pipeline."""
    few = _random((min(SAMPLES, 2048), 64, 64, 3), np.uint8)
    labels = _labels()[: len(few)]
    rows = tf.data.Dataset.from_tensor_slices((few, labels)).repeat().take(SAMPLES).shuffle(512).batch(batch_size)
    return rows.map(lambda x, y: (tf.cast(x, tf.float32) / 255, y), num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def lstm():
    """A recurrent network on sequences of tokens."""
    layers = keras.layers
    network = keras.Sequential(
        [keras.Input((80,), dtype="int32"), layers.Embedding(5000, 64), layers.LSTM(64), layers.Dense(10)]
    )
    return network, LOSS


class Sequences(keras.utils.PyDataset):
    """Tokens, batch by batch."""

    def __init__(self, batch_size):
        super().__init__()
        self._x = np.random.default_rng(0).integers(0, 5000, (min(SAMPLES, 20_000), 80), dtype=np.int32)
        self._y = _labels()
        self._batch = batch_size

    def __len__(self):
        return SAMPLES // self._batch

    def __getitem__(self, index):
        rows = np.arange(index * self._batch, (index + 1) * self._batch) % len(self._x)
        return self._x[rows], self._y[rows]


def lstm_data(batch_size):
    """A dataset of Keras's own kind."""
    return Sequences(batch_size)


def jpeg():
    """A convolutional network on photographs."""
    layers = keras.layers
    network = keras.Sequential(
        [
            keras.Input((96, 96, 3)),
            layers.Conv2D(16, 3, strides=2, activation="relu"),
            layers.Conv2D(32, 3, strides=2, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(10),
        ]
    )
    return network, LOSS


def jpeg_data(batch_size):
    """JPEG files in class folders, decoded while training."""
    files = keras.utils.image_dataset_from_directory(
        os.environ["WORKLOAD_FOLDER"], image_size=(96, 96), batch_size=batch_size, verbose=False
    )
    return files.prefetch(tf.data.AUTOTUNE)


def tabular():
    """A network on rows of numbers."""
    layers = keras.layers
    network = keras.Sequential(
        [
            keras.Input((30,)),
            layers.Dense(256, activation="relu"),
            layers.Dense(256, activation="relu"),
            layers.Dense(10),
        ]
    )
    return network, LOSS


def tabular_data():
    """Arrays in memory."""
    return _random((SAMPLES, 30)), _labels()


def _random(shape, dtype=np.float32):
    """Noise; a sample that repeats costs the same."""
    few = np.random.default_rng(0).integers(0, 255, (min(shape[0], 4096), *shape[1:])).astype(dtype)
    return few[np.arange(shape[0]) % len(few)]


def _labels():
    """Ten classes."""
    return np.arange(SAMPLES) % 10


class Stopwatch(keras.callbacks.Callback):
    """When the epoch began and ended, and each of its steps ended."""

    def __init__(self):
        super().__init__()
        self.begun = self.ended = 0.0
        self.steps = []

    def on_epoch_begin(self, epoch, logs=None):
        """Note the time."""
        self.steps = []
        self.begun = time.perf_counter()

    def on_train_batch_end(self, batch, logs=None):
        """Note the time."""
        self.steps.append(time.perf_counter())

    def on_epoch_end(self, epoch, logs=None):
        """Note the time."""
        self.ended = time.perf_counter()

    def windows(self, seconds):
        """Time of a step in each successive piece of the epoch that takes so long; the epoch's start is in none."""
        found, first = [], 0
        for index, moment in enumerate(self.steps):
            if moment - self.steps[first] >= seconds:
                found.append((moment - self.steps[first]) / (index - first))
                first = index
        return found


def main():
    """Train one epoch, or so many steps, after a few steps that trace; print seconds and samples per second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("cnn", "resnet50", "lstm", "jpeg", "tabular"))
    parser.add_argument("batch", type=int, help="samples in a batch")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--window", type=float, default=12.0, help="seconds of a piece that is told of")
    options = parser.parse_args()
    batch = options.batch
    network, loss = globals()[options.name]()
    make = globals()[f"{options.name}_data"]
    takes_batch = options.name not in ("cnn", "tabular")
    data = make(batch) if takes_batch else make()
    given = {"x": data} if takes_batch else {"x": data[0], "y": data[1], "batch_size": batch}
    network.compile(optimizer="adam", loss=loss)
    network.fit(**given, steps_per_epoch=3, verbose=0)
    watch = Stopwatch()
    network.fit(**given, steps_per_epoch=options.steps, callbacks=[watch], verbose=2)
    skipped = len(watch.steps) // 10
    counted = watch.steps[skipped:]
    speed = (len(counted) - 1) * batch / (counted[-1] - counted[0])
    found = {"epoch_s": watch.ended - watch.begun, "steps": len(watch.steps), "samples_per_s": speed}
    print(json.dumps({**found, "windows_s": watch.windows(options.window)}))


if __name__ == "__main__":
    main()
