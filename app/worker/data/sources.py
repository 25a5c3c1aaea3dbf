"""What a training reads: a ``tf.data`` pipeline of full batches, whoever computes the steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.channel import JobFailed
from app.worker.data.batches import compact_samples, dataset_pipeline, full_batches, whole_arrays
from app.worker.data.code import pipeline as own_pipeline
from app.worker.models.own.own_step import has_own_step


@dataclass(frozen=True)
class Source:
    """Batches ``(x, y)`` of the user's data.

    Attributes:
        pipeline: A ``tf.data.Dataset`` of full batches, one pass over the data.  A last batch that is not full is
            left out: TensorFlow would trace the step again for it.
        batches: Its length; less than 1 for unknown.
        caching: The pipeline keeps what it has read.
        single: The samples before they are batched, in the form in which a cache keeps them; None for other data.
    """

    pipeline: Any
    batches: int = 0
    caching: bool = False
    single: Any = None


def source_of_dataset(built: Any, dataset: Dataset, plan: Plan, cache_dir: str | None = None) -> Source:
    """The user's data through a pipeline; ``cache_dir`` is where a cache on disk goes.

    Raises:
        JobFailed: The data does not fill one batch.
    """
    _refuse_small(dataset, plan.batch_size)
    if dataset.kind == "code":
        own, batches = own_pipeline(built, dataset, plan.batch_size)
        return Source(full_batches(own, plan.batch_size, alike=not has_own_step(built.model)), batches)
    pipeline = dataset_pipeline(built, dataset, plan, cache_dir=cache_dir)
    return Source(pipeline, caching=plan.cache != "none", single=compact_samples(built, dataset))


def source_of_array(built: Any, dataset: Dataset, plan: Plan) -> Source:
    """All of the data as one array, sliced and shuffled by the dataset that ``fit`` makes of arrays.

    Raises:
        JobFailed: The data does not fill one batch.
    """
    from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

    _refuse_small(dataset, plan.batch_size)
    whole = whole_arrays(built, dataset, plan.batch_size)
    parts = whole if isinstance(whole, tuple) else (whole,)
    pipeline = ArrayDataAdapter(*parts, batch_size=plan.batch_size, shuffle=True).get_tf_dataset()
    return Source(full_batches(pipeline, plan.batch_size))


def as_arrays(batch: Any) -> Any:
    """A batch as NumPy arrays."""
    import tensorflow as tf

    return tf.nest.map_structure(np.asarray, batch)


def unreadable_errors() -> tuple[type[BaseException], ...]:
    """What a pipeline raises if its files cannot be read."""
    import tensorflow as tf

    return tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.DataLossError


def too_small(samples: int | None, batch_size: int) -> JobFailed:
    """The data cannot fill a batch."""
    return JobFailed(
        "bad_dataset",
        phrase("the dataset does not fill one batch"),
        expected=phrase("at least {batch_size} samples", batch_size=batch_size),
        received=phrase("{samples} samples", samples=samples) if samples is not None else "fewer",
        hint=phrase("choose a smaller batch"),
    )


def _refuse_small(dataset: Dataset, batch_size: int) -> None:
    """Refuse data that is known not to fill a batch."""
    if dataset.samples is not None and dataset.samples < batch_size:
        raise too_small(dataset.samples, batch_size)
