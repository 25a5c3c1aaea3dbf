"""Take a step on real data apart: the input alone, the files alone, the cache's memory, the computation alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.worker.backends.memory_readings import Allocator
from app.worker.benchmark.feed import Feed
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.reference import REFERENCE_S
from app.worker.benchmark.runner import Runner
from app.worker.benchmark.telling import Telling
from app.worker.benchmark.timing import repeat
from app.worker.data.file_reads import FileReads, read_files

DATA_ONLY_SHARE = 0.4
FILES_SHARE = 0.15
"""Shares of what is left then: batches without training; and twice, files without decoding and samples cached."""
MOST_CACHED_BYTES = 256 * 1024**2
FEWEST_CACHED = 16
"""So few samples tell nothing of what each takes."""


def take_apart(runner: Runner, feed: Feed, memory: Feed, found: Findings, telling: Telling) -> None:
    """Measure the parts of a step one after the other.

    Args:
        runner: Runs steps.
        feed: The real data, which is closed after it has been read.
        memory: One batch in memory.
        found: Filled.
        telling: Of the benchmark.
    """

    def left_s() -> float:
        return telling.left_s() - REFERENCE_S

    telling.phase("data-only")
    found.data_only = repeat(
        feed.wait,
        budget_s=left_s() * DATA_ONLY_SHARE,
        on_step=lambda number, taken: telling.tell(None, phrase("reading data only")),
        fewest=1,
    )
    feed.close()
    if found.dataset is not None and found.real_data and found.plan.data == "pipeline":
        part_s = left_s() * FILES_SHARE
        found.reads = read_raw(found.dataset, part_s, lambda: telling.tell(None, phrase("reading files only")))
        if feed.single is not None and found.data_only_step_s:
            speed = found.plan.batch_size / found.data_only_step_s
            found.cached_sample_bytes = cached_sample_bytes(
                feed.single, speed, part_s, lambda: telling.tell(None, phrase("caching samples"))
            )
    telling.phase("compute-only")
    compute = repeat(
        lambda: memory.train(runner),
        budget_s=left_s(),
        on_step=lambda number, taken: telling.tell(taken, phrase("computing only")),
        fewest=1,
    )
    found.compute_only_step_s = compute.mean_s()


def read_raw(dataset: Dataset, seconds: float, check: Callable[[], None]) -> FileReads | None:
    """Read the files that each epoch reads; None where there are none."""
    from app.worker.data.batches import files_of

    paths = files_of(dataset)
    return read_files(paths, seconds, check) if paths else None


def cached_sample_bytes(samples: Any, samples_per_s: float, seconds: float, check: Callable[[], None]) -> float | None:
    """Memory that a sample takes in ``tf.data``'s cache: some are cached, and nothing else of the pipeline is kept.

    The host's allocator counts the tensors.  The process's size would count its notes about small ones too, some
    hundred bytes each, which a training with TensorFlow's usual allocator does not keep.

    Args:
        samples: A ``tf.data.Dataset`` of single samples in the form in which a cache keeps them.
        samples_per_s: How fast they come.
        seconds: Time to use; twice as much at most.
        check: Called often; may raise to stop.

    Returns:
        Bytes, or None where there are too few samples, the time was up or the allocator keeps no count.
    """
    import tensorflow as tf

    allocator = Allocator("CPU:0")
    most = int(min(samples_per_s * seconds / 2, MOST_CACHED_BYTES / _bytes_of(samples.element_spec)))
    before = allocator.read()
    if before is None:
        return None
    until, count = time.perf_counter() + 2 * seconds, 0
    with tf.device("CPU:0"):
        cached = samples.take(max(FEWEST_CACHED, most)).cache()
        for _ in cached:
            count += 1
            check()
            if time.perf_counter() > until:
                return None
    after = allocator.read()
    if count < FEWEST_CACHED or after is None:
        return None
    return max(0.0, (after.current_bytes - before.current_bytes) / count)


def _bytes_of(specification: Any) -> float:
    """Bytes of the tensors of one sample; at least 1."""
    import tensorflow as tf

    specs = tf.nest.flatten(specification)
    return max(1.0, float(sum(spec.dtype.size * (spec.shape.num_elements() or 1) for spec in specs)))
