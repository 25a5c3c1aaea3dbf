"""Take a step on real data apart: the input alone, the files alone, the cache's memory, the computation alone."""

from __future__ import annotations

from collections.abc import Callable

from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.worker.backends.base import Runner
from app.worker.benchmark.feed import Feed
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.progress import RunProgress
from app.worker.benchmark.timing import repeat
from app.worker.data.batches import files_of
from app.worker.data.cached_size import cached_sample_bytes
from app.worker.data.file_reads import FileReads, read_files
from app.worker.rates.reference import REFERENCE_S

DATA_ONLY_SHARE = 0.4
FILES_SHARE = 0.15
"""Shares of what is left then: batches without training; and twice, files without decoding and samples cached."""


def take_apart(runner: Runner, feed: Feed, memory: Feed, found: Findings, progress: RunProgress) -> None:
    """Measure the parts of a step one after the other.

    Args:
        runner: Runs steps.
        feed: The real data, which is closed after it has been read.
        memory: One batch in memory.
        found: Filled.
        progress: Of the benchmark.
    """

    def left_s() -> float:
        return progress.left_s() - REFERENCE_S

    progress.phase("data-only")
    found.data_only = repeat(
        feed.wait,
        budget_s=left_s() * DATA_ONLY_SHARE,
        on_step=lambda number, taken: progress.report(None, phrase("reading data only")),
        fewest=1,
    )
    feed.close()
    if found.dataset is not None and found.real_data and found.plan.data == "pipeline":
        part_s = left_s() * FILES_SHARE
        found.reads = read_raw(found.dataset, part_s, lambda: progress.report(None, phrase("reading files only")))
        if feed.single is not None and found.data_only_step_s:
            speed = found.plan.batch_size / found.data_only_step_s
            found.cached_sample_bytes = cached_sample_bytes(
                feed.single, speed, part_s, lambda: progress.report(None, phrase("caching samples"))
            )
    progress.phase("compute-only")
    compute = repeat(
        lambda: memory.train(runner),
        budget_s=left_s(),
        on_step=lambda number, taken: progress.report(taken, phrase("computing only")),
        fewest=1,
    )
    found.compute_only_step_s = compute.mean_s()


def read_raw(dataset: Dataset, seconds: float, check: Callable[[], None]) -> FileReads | None:
    """Read the files that each epoch reads; None where there are none."""
    paths = files_of(dataset)
    return read_files(paths, seconds, check) if paths else None
