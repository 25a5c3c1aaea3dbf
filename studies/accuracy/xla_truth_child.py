"""One compile-only truth, in a process of its own: builds and compiles the step, runs nothing.

The answer, one line of JSON, is what the allocator is asked for in three steps, replayed.
"""

from __future__ import annotations

import json
import sys

from app.worker.backends.tensorflow import choose_device
from app.worker.models.build import build
from app.worker.refining import compiled
from studies.accuracy.xla_rows import XlaRow


class _Silent:
    """A channel that nobody listens to."""

    def phase(self, *_: object) -> None:
        """Nothing."""

    def progress(self, *_: object) -> None:
        """Nothing."""

    def check(self) -> None:
        """Nothing."""


def main() -> None:
    """Compile the row that the command line describes."""
    import keras
    import tensorflow as tf

    row = XlaRow(**json.loads(sys.argv[1]))
    workload = row.workload()
    device = choose_device("cpu")

    def built() -> object:
        return build(
            workload.model, input_shape=workload.input_shape, classes=None, dataset=None, precision=row.precision
        )

    recording = compiled.record(built, row.plan(), _Silent(), device, hollow=True)  # type: ignore[arg-type]
    peaks = recording.step_peaks(row.batch)
    answer = {
        "first_step_bytes": peaks[0],
        "peak_bytes": max(peaks[1:]),
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
