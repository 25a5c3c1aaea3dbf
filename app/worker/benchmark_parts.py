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


def cached_sample_bytes(built: Any, dataset: Dataset, seconds: float, check: Callable[[], None]) -> float | None:
    """Memory that a sample takes in ``tf.data``'s cache: some are cached and the host's allocator is asked.

    Args:
        built: Decides about sizes and types.
        dataset: Data on this machine.
        seconds: Time to use at most.
        check: Called often; may raise to stop.

    Returns:
        Bytes, or None where the data has no cache of ours or the allocator keeps no count.
    """
    import tensorflow as tf

    from app.worker import data

    allocator = Allocator("CPU:0")
    if dataset.kind == "code" or allocator.read() is None:
        return None
    samples = data.compact_samples(built, dataset)
    most = max(FEWEST_CACHED, int(MOST_CACHED_BYTES / _bytes_of(samples.element_spec)))
    with tf.device("CPU:0"):
        iterator = iter(samples.take(min(most, dataset.samples or most)).cache())
        return _growth(iterator, allocator, seconds, check)


def _growth(iterator: Any, allocator: Allocator, seconds: float, check: Callable[[], None]) -> float | None:
    """How the allocator's memory grows with each sample: the slope between a quarter of them and all."""
    until = time.perf_counter() + seconds
    marks: list[tuple[int, int]] = []
    count = 0
    for _ in iterator:
        count += 1
        if count & (count - 1) == 0 or count % 256 == 0:
            check()
            reading = allocator.read()
            marks.append((count, reading.current_bytes if reading else 0))
            if time.perf_counter() > until:
                break
    if count < FEWEST_CACHED:
        return None
    first, last = marks[len(marks) // 4], marks[-1]
    return max(0.0, (last[1] - first[1]) / (last[0] - first[0])) if last[0] > first[0] else None


def _bytes_of(specification: Any) -> float:
    """Bytes of the tensors of one sample; at least 1."""
    import tensorflow as tf

    specs = tf.nest.flatten(specification)
    return max(1.0, float(sum(spec.dtype.size * (spec.shape.num_elements() or 1) for spec in specs)))
