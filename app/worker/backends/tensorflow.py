"""Keras on TensorFlow: the backend by default, and the one whose memory the estimates predict.

A step is that of ``fit``'s own loop on the data's own pipeline (`StepRunner.step_of`).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from app.core.types.plan import Plan
from app.core.types.text import phrase
from app.worker.backends.base import Backend, Device, Needed, Runner, median_s, no_such_card
from app.worker.backends.keras_calls import compile_model
from app.worker.backends.memory_readings import AllocatorReading
from app.worker.models.built import input_of

COUNTED = phrase("TensorFlow's allocator (get_memory_info)")
_MIB = 1024**2


class TensorFlow:
    """A `app.worker.backends.base.Backend`."""

    name = "tensorflow"
    compiler = "xla"
    profiles = True

    def choose_device(self, plan: Plan) -> Device:
        """Show TensorFlow one device only, and let it use so many threads."""
        if plan.threads is not None:
            limit_threads(plan.threads)
        return choose_device(plan.device)

    def make_room(self, room_bytes: int) -> None:
        """Take it and give it back at once: an allocator that grows keeps it in one piece.

        Of a piece that was made for a larger tensor TensorFlow hands out all and counts all, unless half of it or 128
        MiB would be left (``kMaxInternalFragmentation``, tensorflow/core/common_runtime/bfc_allocator.cc).  ``fit``
        has one piece from the beginning; many small ones made a transformer's step look 20 % larger.
        """
        import tensorflow as tf

        with tf.device("/GPU:0"), contextlib.suppress(tf.errors.ResourceExhaustedError):
            tf.zeros((max(1, room_bytes >> 20), _MIB), tf.uint8)
        synchronise()

    def memory(self, device: Device) -> Allocator:
        """TensorFlow's own count."""
        return Allocator(device.name)

    def runner(self, built: Any, plan: Plan) -> StepRunner:
        """Keras's own train function."""
        return StepRunner(built, plan)

    def endless(self, batch: Any) -> Iterable[Any]:
        """A pipeline of ``tf.data``: its iterator is read inside the compiled function."""
        import keras
        import tensorflow as tf

        alone = tf.data.Options()
        alone.autotune.enabled = False  # there is nothing to tune, and the end of its thread may take a second
        with tf.device("CPU:0"):
            pipeline: Iterable[Any] = (
                tf.data.Dataset.from_tensors(keras.tree.lists_to_tuples(batch)).repeat().with_options(alone)
            )
        return pipeline

    def leave_card_to_training(self) -> None:
        """TensorFlow trains itself."""

    def batches(self, pipeline: Any) -> Iterable[Any]:
        """As they are."""
        ready: Iterable[Any] = pipeline
        return ready

    def needed(self, runner: Runner, batch: Any, peak_bytes: int | None) -> Needed:
        """The allocator's peak."""
        return Needed(peak_bytes, COUNTED if peak_bytes is not None else "")

    def synchronise(self) -> None:
        """Wait for every device."""
        synchronise()

    def copy_s(self, batch: Any, repeats: int = 5) -> float:
        """To ``GPU:0``."""
        import tensorflow as tf

        with tf.device("CPU:0"):
            arrays = [tf.constant(np.asarray(a)) for a in tf.nest.flatten(batch)]

        def copy() -> None:
            with tf.device("GPU:0"):
                copies = [tf.identity(a) for a in arrays]
            synchronise()
            del copies

        return median_s(copy, repeats)

    def multiplication(self, size: int) -> Callable[[], object]:
        """A product outside any graph."""
        import tensorflow as tf

        matrix = tf.random.stateless_uniform((size, size), seed=(0, 0))
        return lambda: tf.linalg.matmul(matrix, matrix)

    def describe(self) -> dict[str, str]:
        """TensorFlow's version and the threads it was given."""
        import tensorflow as tf

        threading = tf.config.threading
        return {
            "tensorflow": str(tf.__version__),
            "intra_op_threads": str(threading.get_intra_op_parallelism_threads() or "default"),
            "inter_op_threads": str(threading.get_inter_op_parallelism_threads() or "default"),
        }


class Allocator:
    """TensorFlow's allocator of one device.

    On a GPU it always answers; on the CPU only if the process was started with
    ``TF_CPU_ALLOCATOR_USE_BFC=true`` (tensorflow/core/common_runtime/process_state.cc).

    Args:
        device: Such as ``CPU:0``.
    """

    def __init__(self, device: str) -> None:
        self.device = device

    def read(self) -> AllocatorReading | None:
        """Bytes in use, or None if the allocator keeps no count."""
        try:
            info = _experimental().get_memory_info(self.device)
        except ValueError:
            return None
        return AllocatorReading(int(info["current"]), int(info["peak"]))

    def reset_peak(self) -> None:
        """Let the peak begin anew at what is in use now."""
        if self.read() is not None:
            _experimental().reset_memory_stats(self.device)

    def limit_bytes(self) -> int | None:
        """The limit that was set for the allocator from outside, if one was."""
        text = os.environ.get("TF_CPU_BFC_MEM_LIMIT_IN_MB", "")
        return int(text) * _MIB if self.device.startswith("CPU") and text.isdigit() else None


class StepRunner:
    """Runs steps of a compiled model on batches given to it, as ``fit``, ``evaluate`` or ``predict`` does.

    The device is synchronised after each.

    Args:
        built: What `app.worker.models.build` made.
        plan: How to train; freezing and rematerialisation have been applied to the model.
    """

    def __init__(self, built: Any, plan: Plan) -> None:
        self.model = built.model
        self._mode = plan.mode
        self._loss: Any = None
        self.callbacks: Any = None
        self._steps = 0
        self._on_card = _has_card()
        compile_model(built, plan)

    @property
    def jit(self) -> bool:
        """Is XLA used?"""
        return bool(self.model.jit_compile)

    def first(self, batch: Any) -> float:
        """The first step, which traces and compiles, on a batch at hand; returns its time, seconds."""
        return self.first_of(iter([batch]))

    def step(self, batch: Any) -> float:
        """One step on a batch at hand; returns its time, device included, seconds."""
        return self.step_of(iter([batch]))

    def first_of(self, batches: Any) -> float:
        """The first step, which traces and compiles, on the next batch of an iterator; returns its time."""
        {
            "train": self.model.make_train_function,
            "evaluate": self.model.make_test_function,
            "inference": self.model.make_predict_function,
        }[self._mode]()
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
        if self.callbacks is not None:
            self.callbacks.on_train_batch_begin(self._steps)
        try:
            if self._mode != "inference":
                step = self.model.train_function if self._mode == "train" else self.model.test_function
                logs = {name: np.asarray(value) for name, value in step(batches).items()}
                self._loss = logs.get("loss")  # a step of the author's own calls its losses as it likes
                if self.callbacks is not None:
                    self.callbacks.on_train_batch_end(self._steps, logs)
                self._steps += 1
            else:
                self.model.predict_function([(input_of(next(batches)),)])
        except tf.errors.OutOfRangeError:
            raise StopIteration from None
        if self._on_card:
            synchronise()
        return time.perf_counter() - started

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`; None for inference, and where a step tells none."""
        return None if self._loss is None else float(np.asarray(self._loss).ravel()[0])

    def forget_loss(self) -> None:
        """Let the mean loss begin anew."""
        if self._mode != "inference":
            self.model.reset_metrics()


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


def limit_threads(threads: int) -> None:
    """Let TensorFlow use so many threads within an operation and between operations; before its first one.

    XLA's code runs on the threads of the first kind (compiler/jit/xla_device.cc takes the device's worker threads).
    """
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)


def synchronise() -> None:
    """Wait until the device has done what it was given."""
    import tensorflow as tf

    tf.test.experimental.sync_devices()


def _has_card() -> bool:
    """Does TensorFlow use a GPU?  On a CPU a step has ended when its function returns, and asking costs 20 us."""
    import tensorflow as tf

    return bool(tf.config.list_logical_devices("GPU"))


def _experimental() -> Any:
    """TensorFlow's functions that read its allocators."""
    import tensorflow as tf

    return tf.config.experimental


BACKEND: Backend = TensorFlow()
