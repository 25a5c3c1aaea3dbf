"""Reads the peak of a bare program's first training, a few steps of it, and ends the program there.

As everywhere in these tables a peak is that of ``get_memory_info`` over the steps behind the first.  What the program
held before its training counts, for it holds it still.  A loop of the author's own is read between its steps.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import time
from typing import Any

from made_up_network import of_the_product, when_imported

STEPS = 5


def wait_for_fit(path: str) -> None:
    """Once Keras is imported, read what the first training takes, and write it to this file as JSON."""
    reader = PeakReader(path)
    steps = of_the_product("step_calls").StepCalls(reader.before_step)
    when_imported(
        {
            "keras.src.backend.tensorflow.trainer": functools.partial(_read_trainer, reader, steps),
            "keras.src.optimizers.base_optimizer": functools.partial(_read_optimizer, steps),
            "tensorflow.python.eager.polymorphic_function.polymorphic_function": steps.by_function,
        }
    )
    atexit.register(reader.end)


class PeakReader:
    """Notes the peaks of steps.

    Args:
        path: The file that takes them.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._begun_s = time.perf_counter()
        self._reached_s: float | None = None
        self._peaks: list[int] = []
        self.in_fit = False

    def before_step(self, _step: Any) -> None:
        """A loop of the author's own is about to do a step; within ``fit`` it is Keras's own."""
        if not self.in_fit:
            self.begin() if self._reached_s is None else self.after_step()

    def begin(self) -> None:
        """A training begins."""
        if self._reached_s is None:
            self._reached_s = time.perf_counter() - self._begun_s
        self.so_far()

    def after_step(self) -> None:
        """One more step is done, or several in one call."""
        self._peaks.append(self.so_far())
        if len(self._peaks) >= STEPS:
            self.end()

    def so_far(self) -> int:
        """The peak since this was last asked."""
        import tensorflow as tf

        peak: int = tf.config.experimental.get_memory_info("CPU:0")["peak"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        return peak

    def end(self) -> None:
        """Write, and end the program; it may have ended by itself without a second step."""
        if len(self._peaks) < 2:
            return
        import keras
        import tensorflow as tf

        told = {
            "peak_bytes": max(self._peaks[1:]),
            "reached_s": self._reached_s,
            "tensorflow": tf.__version__,
            "keras": keras.__version__,
        }
        with open(self._path, "w", encoding="utf-8") as file:
            json.dump(told, file)
        os._exit(0)


def _read_trainer(reader: PeakReader, steps: Any, trainer: Any) -> None:
    """Add a callback to every call of ``fit``, and hear of steps without it."""
    kind = trainer.TensorFlowTrainer
    own = kind.fit

    @functools.wraps(own)
    def fit(model: Any, *values: Any, **named: Any) -> Any:
        import inspect

        bound = inspect.signature(own).bind(model, *values, **named)
        given = bound.arguments.get("callbacks") or []
        callbacks = list(given) if isinstance(given, list | tuple) else [given]
        bound.arguments["callbacks"] = [*callbacks, _callback(reader)]
        reader.in_fit = True
        return own(*bound.args, **bound.kwargs)

    kind.fit = fit
    kind.train_on_batch = steps.on_batch(kind.train_on_batch)


def _read_optimizer(steps: Any, optimizers: Any) -> None:
    """Hear of what a loop updates."""
    kind = optimizers.BaseOptimizer
    kind.apply = steps.by_optimizer(kind.apply)


def _callback(reader: PeakReader) -> Any:
    """What tells a reader of the steps of ``fit``; an evaluation between epochs does not count."""
    import keras

    return keras.callbacks.LambdaCallback(
        on_train_begin=lambda logs: reader.begin(),
        on_epoch_begin=lambda epoch, logs: reader.so_far(),
        on_train_batch_end=lambda batch, logs: reader.after_step(),
        on_train_end=lambda logs: reader.end(),
    )
