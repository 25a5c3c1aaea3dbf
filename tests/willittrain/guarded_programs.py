"""Trainings as somebody would write them, in a process of their own under a limit: one that leaks, one that does not.

Prints one line of JSON.  The leak keeps an array a batch; without the guard it meets the wall, which shows that there
is one.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import keras
import numpy as np
import psutil

from willittrain.keras import Guard

LEAK_BYTES = 64 * 1024**2
ROOM_BYTES = 1024 * 1024**2
"""Above what is mapped once the framework is warm."""


class Leak(keras.callbacks.Callback):
    """Keeps something of every batch, as a list of results on their way to a plot does."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[np.ndarray] = []

    def on_train_batch_end(self, batch, logs=None):
        self.kept.append(np.ones(LEAK_BYTES, np.uint8))


def fit(*callbacks, epochs=3):
    """Train a small network on twenty batches an epoch."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x, y = np.ones((640, 32), "float32"), np.ones((640, 1), "float32")
    return len(model.fit(x, y, batch_size=32, epochs=epochs, callbacks=list(callbacks), verbose=0).history["loss"])


def main(folder: Path) -> None:
    fit(epochs=1)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + ROOM_BYTES, hard))
    told = {"clean_epochs": fit(Guard(folder / "clean.json"))}
    leak, guard = Leak(), Guard(folder / "leak.json", headroom_bytes=200 * 1024**2)
    told["leak_epochs"] = fit(leak, guard)
    told["left_when_stopped"] = len(leak.kept)
    leak.kept.clear()
    unguarded = Leak()
    try:
        fit(unguarded)
        told["unguarded"] = "went on"
    except MemoryError:
        told["unguarded"] = "out of memory"
    told["unguarded_kept"] = len(unguarded.kept)
    unguarded.kept.clear()
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
