"""One real step of a Keras model, as ``fit`` or ``predict`` runs it, with the device synchronised."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.core.types.workload import Plan
from app.worker.backends.backend import median_s, no_such_card


@dataclass(frozen=True)
class Device:
    """The device that the framework uses in this process."""

    name: str
    """``CPU:0``, ``GPU:0`` and so on; TensorFlow sees one only and calls it ``GPU:0``."""
    description: str

    @property
    def on_gpu(self) -> bool:
        """Is it a GPU?"""
        return self.name.startswith("GPU")


def choose_device(wanted: str) -> Device:
    """Show TensorFlow one device only, and let a GPU's memory grow as needed.

    Without growth TensorFlow takes nearly all memory of the card at once, from other programs too, and
    what it holds says nothing.

    Args:
        wanted: ``auto``, ``cpu`` or ``gpu:N``.

    Raises:
        JobFailed: The GPU asked for is not there.
    """
    import tensorflow as tf

    cards = tf.config.list_physical_devices("GPU")
    if wanted == "cpu" or (wanted == "auto" and not cards):
        tf.config.set_visible_devices([], "GPU")
        return Device("CPU:0", "CPU")
    number = int(wanted.partition(":")[2] or 0)
    if number >= len(cards):
        raise no_such_card("TensorFlow", wanted, len(cards))
    tf.config.set_visible_devices(cards[number], "GPU")
    tf.config.experimental.set_memory_growth(cards[number], True)
    details = tf.config.experimental.get_device_details(cards[number])
    return Device("GPU:0", str(details.get("device_name", "GPU")))


class StepRunner:
    """Runs steps of a compiled model on batches given to it.

    Args:
        built: What `app.worker.models.build` made.
        plan: How to train; freezing and rematerialisation have been applied to the model.
    """

    def __init__(self, built: Any, plan: Plan) -> None:
        self.model = built.model
        self._train = plan.mode == "train"
        self._loss: Any = None
        self._on_card = _has_card()
        compile_model(built, plan)

    @property
    def jit(self) -> bool:
        """Is XLA used?"""
        return bool(self.model.jit_compile)

    def first(self, batch: Any) -> float:
        """The first step, which traces and compiles, on a batch at hand; returns its time, seconds."""
        return self.first_of(iter([_with_no_weights(batch)]))

    def step(self, batch: Any) -> float:
        """One step on a batch at hand; returns its time, device included, seconds."""
        return self.step_of(iter([_with_no_weights(batch)]))

    def first_of(self, batches: Any) -> float:
        """The first step, which traces and compiles, on the next batch of an iterator; returns its time."""
        if self._train:
            self.model.make_train_function()
        else:
            self.model.make_predict_function()
        return self.step_of(batches)

    def step_of(self, batches: Any) -> float:
        """One step on the next batch of an iterator; returns its time, the wait for the batch included.

        This is the body of the loop of ``fit``: the iterator of ``tf.data`` is read inside the compiled function,
        and the metrics are read after each step, for which the device must have ended it (keras/src/backend/
        tensorflow/trainer.py, ``fit``; keras/src/callbacks/callback_list.py, ``on_train_batch_end``).  A figure
        taken so holds for a training by ``fit``; ``python -m studies.benchmarks.overhead`` compares the two.

        Raises:
            StopIteration: There is no further batch.
        """
        import tensorflow as tf

        started = time.perf_counter()
        try:
            if self._train:
                logs = {name: np.asarray(value) for name, value in self.model.train_function(batches).items()}
                self._loss = logs["loss"]
            else:
                self.model.predict_function([(next(batches)[0],)])
        except tf.errors.OutOfRangeError:
            raise StopIteration from None
        if self._on_card:
            synchronise()
        return time.perf_counter() - started

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`; None for inference."""
        return float(np.asarray(self._loss).ravel()[0]) if self._train else None

    def forget_loss(self) -> None:
        """Let the mean loss begin anew."""
        if self._train:
            self.model.reset_metrics()


def compile_model(built: Any, plan: Plan) -> None:
    """Compile the model as the plan says."""
    jit = "auto" if plan.jit is None else plan.jit
    if plan.mode == "train":
        built.model.compile(optimizer=make_optimizer(plan), loss=built.loss, jit_compile=jit)
    else:
        built.model.compile(jit_compile=jit)


def _with_no_weights(batch: Any) -> Any:
    """A batch as ``train_on_batch`` makes it: inputs, targets and no sample weights."""
    return batch[0], batch[1], None


def _has_card() -> bool:
    """Does TensorFlow use a GPU?  On a CPU a step has ended when its function returns, and asking costs 20 us."""
    import tensorflow as tf

    return bool(tf.config.list_logical_devices("GPU"))


def synchronise() -> None:
    """Wait until the device has done what it was given."""
    import tensorflow as tf

    tf.test.experimental.sync_devices()


def copy_s(batch: Any, repeats: int = 5) -> float:
    """Median time of a host-to-device copy of one batch."""
    import tensorflow as tf

    with tf.device("CPU:0"):
        arrays = [tf.constant(np.asarray(a)) for a in tf.nest.flatten(batch)]

    def copy() -> None:
        with tf.device("GPU:0"):
            copies = [tf.identity(a) for a in arrays]
        synchronise()
        del copies

    return median_s(copy, repeats)


def make_optimizer(plan: Plan) -> Any:
    """The plan's optimizer: Keras's default settings but for what the plan says.

    By class and not by name, because ``keras.optimizers.get`` of Keras 3.15 does not know "lamb".
    """
    import keras

    classes = {name.lower(): getattr(keras.optimizers, name) for name in dir(keras.optimizers) if name[0].isupper()}
    wished = {
        "use_ema": plan.ema or None,
        "clipnorm": plan.clipnorm,
        "global_clipnorm": plan.global_clipnorm,
        "clipvalue": plan.clipvalue,
        "weight_decay": plan.weight_decay,
        "gradient_accumulation_steps": plan.accumulate if plan.accumulate > 1 else None,
    }
    return classes[plan.optimizer](**{name: value for name, value in wished.items() if value is not None})
