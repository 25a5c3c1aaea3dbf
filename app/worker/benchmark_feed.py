"""Where a benchmark's batches come from, and how long each was waited for."""

from __future__ import annotations

import time
from typing import Any

from app.core.workload import Dataset, Plan
from app.worker.channel import JobFailed
from app.worker.failures import first_line


class Feed:
    """Batches without end: one in memory over and over, or those of a dataset, epoch after epoch.

    A last batch that is not full is passed over: TensorFlow would trace the step again for it.

    Attributes:
        real: The batches are read from the user's data.
        caching: The input pipeline keeps what it has read.
        passes: Whole passes over the data so far.
    """

    def __init__(self, pipeline: Any, batch: Any, batch_size: int, *, caching: bool = False) -> None:
        self._pipeline = pipeline
        self._batch = batch
        self._batch_size = batch_size
        self._iterator: Any = None
        self.real = pipeline is not None
        self.caching = caching
        self.passes = 0

    @classmethod
    def of_one_batch(cls, built: Any, batch_size: int) -> Feed:
        """One made-up batch of the right shape and type."""
        from app.worker import data

        return cls(None, data.synthetic_batch(built, batch_size), batch_size)

    @classmethod
    def of_dataset(cls, built: Any, dataset: Dataset, plan: Plan, cache_dir: str | None = None) -> Feed:
        """The user's data through a ``tf.data`` pipeline; ``cache_dir`` is where a cache on disk goes.

        Raises:
            JobFailed: The data does not fill one batch.
        """
        from app.worker import data

        if dataset.samples is not None and dataset.samples < plan.batch_size:
            raise _too_small(dataset.samples, plan.batch_size)
        pipeline = data.dataset_pipeline(built, dataset, plan.batch_size, plan.cache, cache_dir=cache_dir)
        return cls(pipeline, None, plan.batch_size, caching=plan.cache != "none")

    @classmethod
    def of_array(cls, built: Any, dataset: Dataset, plan: Plan) -> Feed:
        """All of the data as one array, sliced and shuffled by the dataset that ``fit`` makes of arrays.

        Raises:
            JobFailed: The data does not fill one batch.
        """
        from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

        from app.worker import data

        if dataset.samples is not None and dataset.samples < plan.batch_size:
            raise _too_small(dataset.samples, plan.batch_size)
        x, y = data.whole_arrays(built, dataset, plan.batch_size)
        pipeline = ArrayDataAdapter(x, y, batch_size=plan.batch_size, shuffle=True).get_tf_dataset()
        return cls(pipeline, None, plan.batch_size)

    def batch_in_memory(self) -> Any:
        """One batch as NumPy arrays; of real data its first."""
        if self._batch is not None:
            return self._batch
        import tensorflow as tf

        batch, _ = self.next()
        self.close()
        self.passes = 0
        return tf.nest.map_structure(lambda t: t.numpy(), batch)

    def next(self) -> tuple[Any, float]:
        """The next full batch (inputs, targets) and the time it took to come.

        Raises:
            JobFailed: The data does not fill one batch, or cannot be read.
        """
        if self._batch is not None:
            return self._batch, 0.0
        import tensorflow as tf

        unreadable = (tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.DataLossError)
        started = time.perf_counter()
        empty_passes = 0
        while True:
            if self._iterator is None:
                self._iterator = iter(self._pipeline)
            try:
                batch = next(self._iterator)
            except StopIteration:
                self._iterator = None
                self.passes += 1
                empty_passes += 1
                if empty_passes > 1:
                    raise _too_small(None, self._batch_size) from None
                continue
            except unreadable as error:
                raise JobFailed("bad_dataset", first_line(error), hint="look for damaged or missing files") from error
            if _size(batch) == self._batch_size:
                return batch, time.perf_counter() - started

    def close(self) -> None:
        """Let go of the pipeline's buffers; the next batch starts a new pass."""
        self._iterator = None


def _size(batch: Any) -> int:
    """Samples in a batch."""
    import tensorflow as tf

    return int(tf.nest.flatten(batch)[0].shape[0])


def _too_small(samples: int | None, batch_size: int) -> JobFailed:
    """The data cannot fill a batch."""
    return JobFailed(
        "bad_dataset",
        "the dataset does not fill one batch",
        expected=f"at least {batch_size} samples",
        received=f"{samples} samples" if samples is not None else "fewer",
        hint="choose a smaller batch",
    )
