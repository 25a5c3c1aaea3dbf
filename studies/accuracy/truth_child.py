"""Run three training steps in a fresh process and print what TensorFlow's allocator says about them.

``python -m studies.accuracy.truth_child ROW_JSON`` with ``TF_CPU_ALLOCATOR_USE_BFC=true``; the last line of
stdout is the answer.  Peak and current bytes are those of ``tf.config.experimental.get_memory_info``.
With gradient accumulation a step is a whole round of batches: before the first update the optimizer's slots still
share one buffer of zeros, and three plain steps would show a memory that no training stays at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from studies.accuracy.memory_rows import Row

ROUNDS = 3


def main() -> None:
    """Measure the row given on the command line."""
    print(json.dumps(measure(Row(**json.loads(sys.argv[1])))))


def measure(row: Row) -> dict[str, object]:
    """Peak of the first step and of the two after it."""
    import keras
    import tensorflow as tf

    from app.worker.backends.keras_calls import make_optimizer
    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import apply_plan, build

    workload = row.workload()
    plan = workload.plan
    built = build(workload.model, input_shape=workload.input_shape, precision=plan.precision)
    apply_plan(built.model, freeze=plan.freeze, remat=plan.remat)
    x, y = synthetic_batch(built, plan.batch_size)
    built.model.compile(optimizer=make_optimizer(plan), loss=built.loss, jit_compile=plan.jit)

    def peak_so_far() -> int:
        peak: int = tf.config.experimental.get_memory_info("CPU:0")["peak"]
        tf.config.experimental.reset_memory_stats("CPU:0")
        return peak

    first, *later = round_peaks(lambda: built.model.train_on_batch(x, y), plan.accumulate, peak_so_far)
    return {
        "peak_bytes": max(later),
        "first_step_bytes": first,
        "current_bytes": tf.config.experimental.get_memory_info("CPU:0")["current"],
        "params": built.model.count_params(),
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
    }


def round_peaks(train: Callable[[], object], accumulate: int, peak_so_far: Callable[[], int]) -> list[int]:
    """The peak of each round: all batches up to and with an update.

    Args:
        train: Trains on one batch.
        accumulate: Batches in a round; Keras updates in the last of them (keras/src/optimizers/base_optimizer.py,
            ``is_update_step``).
        peak_so_far: Tells the peak since it was last asked.
    """
    peaks = []
    for _ in range(ROUNDS):
        for _ in range(accumulate):
            train()
        peaks.append(peak_so_far())
    return peaks


if __name__ == "__main__":
    main()
