"""Train one workload on the card that CUDA shows, in a process of its own, and time its steps when told to.

``python -m studies.accuracy.card_times_child ROW_JSON`` by a Python with TensorFlow's CUDA wheels.  After the first
steps, in which kernels are compiled and tried, it prints ``ready`` and waits for a line; then it times, so that nothing
else need be at work meanwhile.  The last line of stdout is the answer.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

from studies.accuracy.card_times import TimedRow
from studies.accuracy.card_truth_child import prepared

EPOCHS, LEAD, LEAST_STEPS, EPOCH_S = 3, 5, 15, 0.6
"""Epochs of so many seconds; the first steps of each do not count, while a pipeline fills and a queue to the card."""


def main() -> None:
    """Answer for the row given on the command line."""
    import tensorflow as tf

    for card in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(card, True)
    model, batches = prepared(TimedRow(**json.loads(sys.argv[1])).workload())
    model.fit(batches, epochs=1, steps_per_epoch=LEAD, verbose=0)
    print("ready", flush=True)
    if not sys.stdin.readline():
        sys.exit("nobody asked for the time any more")
    print(json.dumps(timed(model, batches)))


def timed(model: Any, batches: Any) -> dict[str, float | int]:
    """Seconds of a step: the median epoch, and the least and the greatest."""
    steps = LEAST_STEPS
    roughly_s = epoch(model, batches, steps)
    steps = max(steps, round(EPOCH_S / roughly_s)) + LEAD
    found = [epoch(model, batches, steps) for _ in range(EPOCHS)]
    return {"step_s": statistics.median(found), "least_s": min(found), "most_s": max(found), "steps": steps}


def epoch(model: Any, batches: Any, steps: int) -> float:
    """Seconds of a step of one epoch, those of the lead left out."""
    import keras

    class Ends(keras.callbacks.Callback):  # type: ignore[misc]
        """When each step ended."""

        def __init__(self) -> None:
            super().__init__()
            self.at: list[float] = []

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            self.at.append(time.perf_counter())

    ends = Ends()
    model.fit(batches, epochs=1, steps_per_epoch=steps, verbose=0, callbacks=[ends])
    return (ends.at[-1] - ends.at[LEAD - 1]) / (steps - LEAD)


if __name__ == "__main__":
    main()
