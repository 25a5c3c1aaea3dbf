"""Parts of the input alone: the files without decoding, and the memory that decoded samples take when cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.core.workload import Dataset
from app.worker.file_reads import FileReads, read_files
from app.worker.memory_readings import Allocator

MOST_CACHED_BYTES = 256 * 1024**2
FEWEST_CACHED = 16
"""So few samples tell nothing of what each takes."""


def read_raw(dataset: Dataset, seconds: float, check: Callable[[], None]) -> FileReads | None:
    """Read the files that each epoch reads; None where there are none."""
    from app.worker import data

    paths = data.files_of(dataset)
    return read_files(paths, seconds, check) if paths else None


def cached_sample_bytes(samples: Any, seconds: float, check: Callable[[], None]) -> float | None:
    """Memory that a sample takes in ``tf.data``'s cache: some are cached and the host's allocator is asked.

    Args:
        samples: A ``tf.data.Dataset`` of single samples in the form in which a cache keeps them.
        seconds: Time to use at most.
        check: Called often; may raise to stop.

    Returns:
        Bytes, or None where there are too few samples or the allocator keeps no count.
    """
    import tensorflow as tf

    allocator = Allocator("CPU:0")
    if allocator.read() is None:
        return None
    most = max(FEWEST_CACHED, int(MOST_CACHED_BYTES / _bytes_of(samples.element_spec)))
    with tf.device("CPU:0"):
        return _growth(iter(samples.take(most).cache()), allocator, seconds, check)


def _growth(iterator: Any, allocator: Allocator, seconds: float, check: Callable[[], None]) -> float | None:
    """How the allocator's memory grows with each sample: the slope between an eighth of them and all."""
    until = time.perf_counter() + seconds
    marks: list[int] = []
    for _ in iterator:
        check()
        reading = allocator.read()
        marks.append(reading.current_bytes if reading else 0)
        if time.perf_counter() > until:
            break
    first = len(marks) // 8
    return max(0.0, (marks[-1] - marks[first]) / (len(marks) - 1 - first)) if len(marks) >= FEWEST_CACHED else None


def _bytes_of(specification: Any) -> float:
    """Bytes of the tensors of one sample; at least 1."""
    import tensorflow as tf

    specs = tf.nest.flatten(specification)
    return max(1.0, float(sum(spec.dtype.size * (spec.shape.num_elements() or 1) for spec in specs)))
