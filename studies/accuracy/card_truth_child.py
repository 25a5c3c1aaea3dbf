"""Train one row on the card that CUDA shows, in a process of its own, and print what TensorFlow's allocator says.

``python -m studies.accuracy.card_truth_child ROW_JSON [LIMIT_MIB [trains]]`` by a Python with TensorFlow's CUDA
wheels; the last line of stdout is the answer.  First step: the peak until the first step has ended.  Steady peak: of a
second epoch of `STEPS` steps after ``reset_memory_stats``.  The batches come from the host through a pipeline, as the
plan says.  With a limit TensorFlow's allocator has so much and no more; with ``trains`` the answer is whether all
these steps end within it.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from typing import Any

from app.core.types.workload import Workload
from studies.accuracy.card_rows import CardRow

STEPS = 3
NO_ROOM_FOR_CUDNN = (
    "Failed to call DoRnn",
    "CUDNN failed to allocate the scratch space",
    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate",
)
"""A layer whose workspace is refused ends so, not as out of memory (core/kernels/cudnn_rnn_ops.cc; xla/stream_executor/
cuda/cuda_dnn.cc, where a convolution has no kernel that needs none), or with all kernels that were tried and why."""

WHEELS = {"cudnn": "nvidia-cudnn-cu12", "cublas": "nvidia-cublas-cu12", "nvcc": "nvidia-cuda-nvcc-cu12"}


def main() -> None:
    """Measure the row given on the command line."""
    row = CardRow(**json.loads(sys.argv[1]))
    if len(sys.argv) > 2:
        limit(int(sys.argv[2]))
    print(json.dumps({"trains": trains(row)} if "trains" in sys.argv else measure(row)))


def limit(limit_mib: int) -> None:
    """Give TensorFlow's allocator so much of the card and no more."""
    import tensorflow as tf

    for card in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(card, [tf.config.LogicalDeviceConfiguration(memory_limit=limit_mib)])


def trains(row: CardRow) -> bool:
    """Whether the first step and an epoch end within the memory that there is.

    Raises:
        RuntimeError: TensorFlow sees no card.
    """
    import tensorflow as tf

    try:
        measure(row)
    except tf.errors.ResourceExhaustedError:
        return False
    except tf.errors.OpError as error:
        if not any(words in str(error) for words in NO_ROOM_FOR_CUDNN):
            raise
        return False
    return True


def measure(row: CardRow) -> dict[str, object]:
    """Both peaks and the versions that they belong to; bytes.

    Raises:
        RuntimeError: TensorFlow sees no card.
    """
    import keras
    import tensorflow as tf

    model, batches = prepared(row.workload())

    def peak_of_epoch(steps: int) -> int:
        tf.config.experimental.reset_memory_stats("GPU:0")
        model.fit(batches, epochs=1, steps_per_epoch=steps, verbose=0)
        peak: int = tf.config.experimental.get_memory_info("GPU:0")["peak"]
        return peak

    first_bytes, steady_bytes = peak_of_epoch(1), peak_of_epoch(STEPS)
    return {
        "steady_peak_bytes": steady_bytes,
        "first_step_peak_bytes": first_bytes,
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
        **{name: metadata.version(wheel) for name, wheel in WHEELS.items()},
    }


def prepared(workload: Workload) -> tuple[Any, Any]:
    """The compiled Keras model, and endless batches that come from the host.

    Raises:
        RuntimeError: TensorFlow sees no card.
    """
    import tensorflow as tf

    from app.worker.backends.keras_calls import make_optimizer
    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import build

    if not tf.config.list_physical_devices("GPU"):
        raise RuntimeError("TensorFlow sees no card")
    plan = workload.plan
    built = build(workload.model, input_shape=workload.input_shape, precision=plan.precision)
    with tf.device("CPU"):
        batch = synthetic_batch(built, plan.batch_size)
        batches = tf.data.Dataset.from_tensors(as_elements(batch)).repeat().prefetch(tf.data.AUTOTUNE)
    jit: Any = "auto" if plan.jit is None else plan.jit
    built.model.compile(optimizer=make_optimizer(plan), loss=built.loss, jit_compile=jit)
    return built.model, batches


def as_elements(batch: Any) -> Any:
    """A batch as a pipeline takes it: tuples of arrays, since a list would be made one array."""
    return tuple(map(as_elements, batch)) if isinstance(batch, list | tuple) else batch


if __name__ == "__main__":
    main()
