"""Where a benchmark's batches come from."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app.core.types.faults import fault
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.benchmark.runner import Runner
from app.worker.benchmark.timing import StepTime
from app.worker.channel import JobFailed
from app.worker.failures import first_line

MADE_UP = phrase("the data was made up (right shape and type): time to read and decode is not included")
NO_ARRAY = phrase("nobody knows how many samples the data has: one batch was used instead of one array of all data")
_ITERATOR = "IteratorGetNext"
"""The operation that an error names if it came from the data and not from the model."""


class Feed:
    """Batches without end: one in memory over and over, or those of a dataset, epoch after epoch.

    A last batch that is not full is passed over: TensorFlow would trace the step again for it.

    Args:
        pipeline: A ``tf.data.Dataset`` of full batches ``(x, y)``, one pass over the data.
        batches: Its length; less than 1 for unknown, or for no end.
        batch_size: Samples in a batch.
        real: The batches are read from the user's data.
        caching: The pipeline keeps what it has read.

    Attributes:
        passes: Whole passes over the data so far.
        single: The samples before they are batched, in the form in which a cache keeps them; None for other data.
    """

    def __init__(
        self, pipeline: Any, batch_size: int, *, real: bool = True, caching: bool = False, batches: int = 0
    ) -> None:
        self._batches = batches
        self._pipeline = pipeline
        self._batch_size = batch_size
        self._iterator: Any = None
        self._first: Any = None
        self.real = real
        self.caching = caching
        self.passes = 0
        self.single: Any = None

    @classmethod
    def of_one_batch(cls, batch: Any, batch_size: int) -> Feed:
        """One batch that lies in memory, as NumPy arrays."""
        import tensorflow as tf

        alone = tf.data.Options()
        alone.autotune.enabled = False  # there is nothing to tune, and the end of its thread may take a second
        with tf.device("CPU:0"):
            pipeline = tf.data.Dataset.from_tensors(_tuples(batch)).repeat().with_options(alone)
        feed = cls(pipeline, batch_size, real=False)
        feed._first = batch
        return feed

    @classmethod
    def of_dataset(cls, built: Any, dataset: Dataset, plan: Plan, cache_dir: str | None = None) -> Feed:
        """The user's data through a ``tf.data`` pipeline; ``cache_dir`` is where a cache on disk goes.

        Raises:
            JobFailed: The data does not fill one batch.
        """
        from app.worker.data.batches import compact_samples, dataset_pipeline, full_batches
        from app.worker.data.code import pipeline as own_pipeline

        _refuse_small(dataset, plan.batch_size)
        if dataset.kind == "code":
            own, batches = own_pipeline(built, dataset, plan.batch_size)
            return cls(full_batches(own, plan.batch_size), plan.batch_size, batches=batches)
        pipeline = dataset_pipeline(built, dataset, plan, cache_dir=cache_dir)
        feed = cls(pipeline, plan.batch_size, caching=plan.cache != "none")
        feed.single = compact_samples(built, dataset)
        return feed

    @classmethod
    def of_array(cls, built: Any, dataset: Dataset, plan: Plan) -> Feed:
        """All of the data as one array, sliced and shuffled by the dataset that ``fit`` makes of arrays.

        Raises:
            JobFailed: The data does not fill one batch.
        """
        from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

        from app.worker.data.batches import full_batches, whole_arrays

        _refuse_small(dataset, plan.batch_size)
        x, y = whole_arrays(built, dataset, plan.batch_size)
        pipeline = ArrayDataAdapter(x, y, batch_size=plan.batch_size, shuffle=True).get_tf_dataset()
        return cls(full_batches(pipeline, plan.batch_size), plan.batch_size)

    def batch_in_memory(self) -> Any:
        """One batch as NumPy arrays; of real data its first."""
        if self._first is None:
            import tensorflow as tf

            self._first = tf.nest.map_structure(np.asarray, self._next_batch())
            self.close()
        return self._first

    def samples(self) -> int | None:
        """Samples of one pass, if the pipeline can tell; a last batch counts as full."""
        return self._batches * self._batch_size if self._batches > 0 and self.real else None

    def train(self, runner: Runner) -> StepTime:
        """One step on the next batch, as ``fit`` takes it.

        Raises:
            JobFailed: The data does not fill one batch, or cannot be read.
        """
        return self._timed(lambda: runner.step_of(self._iterator))

    def first(self, runner: Runner) -> float:
        """The first step of all, which traces and compiles; returns its time, seconds."""
        return self._timed(lambda: runner.first_of(self._iterator)).total_s

    def wait(self) -> StepTime:
        """Fetch the next batch and do nothing with it.

        Raises:
            JobFailed: As `train`.
        """
        return self._timed(lambda: next(self._iterator))

    def close(self) -> None:
        """Let go of the pipeline's buffers; the next batch starts a new pass."""
        self._iterator = None
        self.passes = 0

    def _next_batch(self) -> Any:
        """The next batch as tensors."""
        found: list[Any] = []
        self._timed(lambda: found.append(next(self._iterator)))
        return found[0]

    def _unreadable(self) -> tuple[type[BaseException], ...]:
        """What the pipeline raises if its files cannot be read."""
        import tensorflow as tf

        return tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.DataLossError

    def _timed(self, action: Any) -> StepTime:
        """Do something that takes one batch; a pass that is over is followed by the next."""
        unreadable = self._unreadable()
        started = time.perf_counter()
        begins = False
        while True:
            if self._iterator is None:
                self._iterator, begins = iter(self._pipeline), True
            try:
                action()
                return StepTime(time.perf_counter() - started, begins_pass=begins)
            except StopIteration:
                if begins:
                    raise (_too_small(None, self._batch_size) if self._first is None else _ended()) from None
                self._iterator = None
                self.passes += 1
            except unreadable as error:
                if not (self.real and _ITERATOR in str(error)):
                    raise
                raise JobFailed(
                    "bad_dataset", first_line(error), hint=phrase("look for damaged or missing files")
                ) from error


def chosen_feed(
    built: Any, plan: Plan, dataset: Dataset | None, notes: list[str], feeds: type[Feed], cache_dir: str | None
) -> Feed:
    """Where a plan's batches come from; made-up ones are told in the notes."""
    if plan.data == "array" and dataset is not None and (dataset.real or dataset.samples is not None):
        notes += [] if dataset.real else [MADE_UP]
        return feeds.of_array(built, dataset, plan)
    if plan.data == "array":
        notes.append(NO_ARRAY)
    if dataset is not None and dataset.real:
        return feeds.of_dataset(built, dataset, plan, cache_dir)
    notes.append(MADE_UP)
    return made_up(built, plan.batch_size, feeds)


def made_up(built: Any, batch_size: int, feeds: type[Feed] = Feed) -> Feed:
    """One made-up batch of the right shape and type, as the framework takes it."""
    from app.worker.data.batches import synthetic_batch

    return feeds.of_one_batch(synthetic_batch(built, batch_size), batch_size)


def _tuples(structure: Any) -> Any:
    """Several arrays as a tuple: ``tf.data`` would stack a list."""
    return tuple(_tuples(part) for part in structure) if isinstance(structure, (list, tuple)) else structure


def _refuse_small(dataset: Dataset, batch_size: int) -> None:
    """Refuse data that is known not to fill a batch."""
    if dataset.samples is not None and dataset.samples < batch_size:
        raise _too_small(dataset.samples, batch_size)


def _ended() -> JobFailed:
    """A pipeline that had batches gives none when it is begun anew."""
    return JobFailed(
        "data_ended",
        phrase("the data came to its end and gave no batch when it was begun anew"),
        expected=phrase("a new pass over the data"),
        hint=fault("data_ended").hint,
    )


def _too_small(samples: int | None, batch_size: int) -> JobFailed:
    """The data cannot fill a batch."""
    return JobFailed(
        "bad_dataset",
        phrase("the dataset does not fill one batch"),
        expected=phrase("at least {batch_size} samples", batch_size=batch_size),
        received=phrase("{samples} samples", samples=samples) if samples is not None else "fewer",
        hint=phrase("choose a smaller batch"),
    )
