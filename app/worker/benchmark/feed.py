"""Where a benchmark's batches come from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from app.core.types.faults import fault
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.backends.base import Backend, Runner
from app.worker.benchmark.timing import StepTime
from app.worker.channel import JobFailed
from app.worker.data.batches import synthetic_batch
from app.worker.data.sources import Source, as_arrays, source_of_array, source_of_dataset, too_small, unreadable_errors
from app.worker.failures import first_line

MADE_UP = phrase("the data was made up (right shape and type): time to read and decode is not included")
NO_ARRAY = phrase("nobody knows how many samples the data has: one batch was used instead of one array of all data")
_ITERATOR = "IteratorGetNext"
"""The operation that an error names if it came from the data and not from the model."""


class Feed:
    """Batches without end: one in memory over and over, or those of a dataset, pass after pass.

    Args:
        batches: As the framework's step takes them; each iterator is one pass.
        batch_size: Samples in a batch.
        source: Where they are read from; None for one batch in memory.
        first: The first batch as NumPy arrays, where it is known.

    Attributes:
        real: The batches are read, and not one batch in memory.
        passes: Whole passes over the data so far.
    """

    def __init__(
        self, batches: Iterable[Any], batch_size: int, source: Source | None = None, *, first: Any = None
    ) -> None:
        self._batches = batches
        self._batch_size = batch_size
        self._source = source or Source(None)
        self._first = first
        self._iterator: Iterator[Any] | None = None
        self.real = source is not None
        self.passes = 0

    @property
    def caching(self) -> bool:
        """Does the pipeline keep what it has read?"""
        return self._source.caching

    @property
    def single(self) -> Any:
        """The samples before they are batched, in the form in which a cache keeps them; None for other data."""
        return self._source.single

    def batch_in_memory(self) -> Any:
        """One batch as NumPy arrays; of real data its first."""
        if self._first is None:
            found: list[Any] = []
            self._timed(lambda batches: found.append(next(batches)))
            self._first = as_arrays(found[0])
            self.close()
        return self._first

    def samples(self) -> int | None:
        """Samples of one pass, if the pipeline can tell; a last batch counts as full."""
        return self._source.batches * self._batch_size if self._source.batches > 0 else None

    def train(self, runner: Runner) -> StepTime:
        """One step on the next batch, as ``fit`` takes it.

        Raises:
            JobFailed: The data does not fill one batch, or cannot be read.
        """
        return self._timed(runner.step_of)

    def first(self, runner: Runner) -> float:
        """The first step of all, which traces and compiles; returns its time, seconds."""
        return self._timed(runner.first_of).total_s

    def wait(self) -> StepTime:
        """Fetch the next batch and do nothing with it.

        Raises:
            JobFailed: As `train`.
        """
        return self._timed(next)

    def close(self) -> None:
        """Let go of the pipeline's buffers; the next batch starts a new pass."""
        self._iterator = None
        self.passes = 0

    def _timed(self, action: Callable[[Iterator[Any]], object]) -> StepTime:
        """Do something that takes one batch; a pass that is over is followed by the next."""
        unreadable = unreadable_errors() if self.real else ()
        started = time.perf_counter()
        begins = False
        while True:
            if self._iterator is None:
                self._iterator, begins = iter(self._batches), True
            try:
                action(self._iterator)
                return StepTime(time.perf_counter() - started, begins_pass=begins)
            except StopIteration:
                if begins:
                    raise (too_small(None, self._batch_size) if self._first is None else _ended()) from None
                self._iterator = None
                self.passes += 1
            except unreadable as error:
                if _ITERATOR not in str(error):
                    raise
                raise JobFailed(
                    "bad_dataset", first_line(error), hint=phrase("look for damaged or missing files")
                ) from error


def one_batch(batch: Any, batch_size: int, backend: Backend) -> Feed:
    """One batch of NumPy arrays that lies in memory, over and over."""
    return Feed(backend.endless(batch), batch_size, first=batch)


def chosen_feed(
    built: Any, plan: Plan, dataset: Dataset | None, notes: list[str], backend: Backend, cache_dir: str | None
) -> Feed:
    """Where a plan's batches come from; made-up ones are told in the notes."""
    if plan.data == "array" and dataset is not None and (dataset.real or dataset.samples is not None):
        notes += [] if dataset.real else [MADE_UP]
        return _read(source_of_array(built, dataset, plan), plan, backend)
    if plan.data == "array":
        notes.append(NO_ARRAY)
    if dataset is not None and dataset.real:
        backend.leave_card_to_training()
        return _read(source_of_dataset(built, dataset, plan, cache_dir), plan, backend)
    notes.append(MADE_UP)
    return one_batch(synthetic_batch(built, plan.batch_size), plan.batch_size, backend)


def _read(source: Source, plan: Plan, backend: Backend) -> Feed:
    """The batches of a pipeline."""
    return Feed(backend.batches(source.pipeline), plan.batch_size, source)


def _ended() -> JobFailed:
    """A pipeline that had batches gives none when it is begun anew."""
    return JobFailed(
        "data_ended",
        phrase("the data came to its end and gave no batch when it was begun anew"),
        expected=phrase("a new pass over the data"),
        hint=fault("data_ended").hint,
    )
