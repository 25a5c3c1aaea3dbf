"""Keras on TensorFlow: the backend by default, and the one whose memory the estimates predict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.core.types.text import phrase
from app.core.types.workload import Plan
from app.worker.backends.backend import Backend, Needed, Runner
from app.worker.backends.memory_readings import Allocator
from app.worker.benchmark import step
from app.worker.benchmark.feed import Feed
from app.worker.benchmark.step import Device, StepRunner


class TensorFlow:
    """A `app.worker.backends.backend.Backend`."""

    compiler = "xla"
    feeds: type[Feed] = Feed

    def choose_device(self, wanted: str) -> Device:
        """Show TensorFlow one device only."""
        return step.choose_device(wanted)

    def memory(self, device: Device) -> Allocator:
        """TensorFlow's own count."""
        return Allocator(device.name)

    def runner(self, built: Any, plan: Plan) -> StepRunner:
        """Keras's own train function."""
        return StepRunner(built, plan)

    def needed(self, runner: Runner, batch: Any, peak_bytes: int | None) -> Needed:
        """The allocator's peak."""
        return Needed(peak_bytes, phrase("TensorFlow's allocator (get_memory_info)") if peak_bytes is not None else "")

    def synchronise(self) -> None:
        """Wait for every device."""
        step.synchronise()

    def copy_s(self, batch: Any) -> float:
        """To ``GPU:0``."""
        return step.copy_s(batch)

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


BACKEND: Backend = TensorFlow()
