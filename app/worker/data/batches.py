"""Batches for a model: made up, or read from the user's data through a real ``tf.data`` pipeline."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.data.fit import finish
from app.worker.data.plan import ahead, calls_at_once, kept
from app.worker.models.built import BuiltModel, InputSpec

MAX_SHUFFLED = 1024
"""Samples in the shuffle buffer.  The first batch waits until it is full, so it is left out where it can be."""

_SHUFFLED_AT_SOURCE = ("images", "npz", "keras")
"""Data whose order is drawn anew in each pass before anything is read."""


def synthetic_batch(built: BuiltModel, batch_size: int) -> Any:
    """One batch of made-up values of the right shapes, types and ranges, as the step takes it; the same every time.

    The user's own example batch is repeated or cut to the size, where there is one.
    """
    if built.example is not None:
        return built.arranged(*([_rows(a, batch_size) for a in arrays] for arrays in built.example))
    generator = np.random.default_rng(0)
    x = [_values(spec, batch_size, generator) for spec in built.input_specs]
    y = [_values(spec, batch_size, generator) for spec in built.target_specs]
    return built.arranged(x, y)


def dataset_pipeline(built: BuiltModel, dataset: Dataset, plan: Plan, *, cache_dir: str | None = None) -> Any:
    """The user's data as a ``tf.data.Dataset`` of full batches ``(x, y)``; one pass over the data.

    Unless the plan says otherwise, reading and decoding run in parallel (AUTOTUNE) and ahead of the step.  What is
    cached is compact: images as bytes of the model's size, not floats.

    Args:
        built: Decides about sizes, types and labels.
        dataset: Data on this machine.
        plan: Samples in a batch (the last one is left out if it is not full), cache, workers and prefetch.
        cache_dir: Where a cache on disk puts its file; a new temporary folder if None.  The caller removes it.

    Raises:
        BadDataset: The data is not here or does not suit the model.
    """
    samples = compact_samples(built, dataset, plan)
    if plan.cache == "disk" and cache_dir is None:
        cache_dir = tempfile.mkdtemp(prefix="willittrain-cache-")
    samples = kept(samples, plan, cache_dir)
    if plan.cache != "none" or dataset.kind not in _SHUFFLED_AT_SOURCE:
        samples = samples.shuffle(max(1, min(dataset.samples or MAX_SHUFFLED, MAX_SHUFFLED)))
    calls = calls_at_once(plan)
    batches = samples.batch(plan.batch_size, drop_remainder=True, num_parallel_calls=calls)
    ready = batches.map(lambda x, y: finish(built, x, y), num_parallel_calls=calls)
    return ahead(ready, plan)


def compact_samples(built: BuiltModel, dataset: Dataset, plan: Plan | None = None) -> Any:
    """Single samples ``(x, y)`` in the form in which a cache keeps them; without a plan, freshly read.

    Raises:
        BadDataset: As `dataset_pipeline`.
    """
    return _source(dataset)(built, dataset, plan or Plan())


def full_batches(pipeline: Any, batch_size: int, *, alike: bool = True) -> Any:
    """The full batches of a pipeline, with their size told, so that the step is traced once.

    Args:
        pipeline: A ``tf.data.Dataset``.
        batch_size: Samples in the first part of a full batch.
        alike: All parts have as many; otherwise nothing is told.
    """
    import tensorflow as tf

    def is_full(*batch: Any) -> Any:
        return tf.equal(tf.shape(tf.nest.flatten(batch)[0])[0], batch_size)

    def told(*batch: Any) -> Any:
        whole = batch if isinstance(pipeline.element_spec, tuple) else batch[0]
        return tf.nest.map_structure(lambda t: tf.ensure_shape(t, (batch_size, *t.shape[1:])), whole)

    full = pipeline.filter(is_full)
    return full.map(told) if alike else full


def files_of(dataset: Dataset) -> list[str]:
    """The files that a pass over the data reads; none where it is read once, before training."""
    from app.worker.data import images, records

    if dataset.kind == "images":
        return images.list_images(dataset.path or "")[0]
    if dataset.kind == "tfrecord":
        return records.list_records(dataset.path or "")
    return [dataset.path] if dataset.kind == "csv" and dataset.path else []


def whole_arrays(built: BuiltModel, dataset: Dataset, batch_size: int) -> Any:
    """All of a dataset as arrays, prepared as the step takes them; made up where the data is not here.

    Raises:
        BadDataset: The data cannot be read, or nobody knows how much of it there is.
    """
    import tensorflow as tf

    if not dataset.real:
        if dataset.samples is None:
            raise BadDataset(
                phrase("nobody knows how many samples this data has"),
                received=dataset.name,
                hint=phrase("choose data on this machine, or let it come through a pipeline"),
            )
        few = synthetic_batch(built, min(dataset.samples, MAX_SHUFFLED))
        return tf.nest.map_structure(lambda a: _rows(a, dataset.samples), few)
    batches = [
        [tensor.numpy() for tensor in tf.nest.flatten(batch)]
        for batch in dataset_pipeline(built, dataset, Plan(batch_size=batch_size))
    ]
    if not batches:
        raise BadDataset(
            phrase("the dataset does not fill one batch"),
            expected=phrase("at least {batch_size} samples", batch_size=batch_size),
            received=dataset.name,
            hint=phrase("choose a smaller batch"),
        )
    arrays = [np.concatenate(parts) for parts in zip(*batches, strict=True)]
    inputs = len(built.input_specs)
    return built.arranged(arrays[:inputs], arrays[inputs:])


def _source(dataset: Dataset) -> Callable[[BuiltModel, Dataset, Plan], Any]:
    """Who reads this kind of data."""
    from app.worker.data import arrays, images, records, tables

    readers: dict[str, Callable[[BuiltModel, Dataset, Plan], Any]] = {
        "images": images.samples,
        "npz": arrays.samples,
        "keras": arrays.samples,
        "csv": tables.samples,
        "tfrecord": records.samples,
    }
    if dataset.kind not in readers or dataset.path is None or not Path(dataset.path).exists():
        raise BadDataset(
            phrase("the data is not on this machine"),
            expected=phrase("a folder or file"),
            received=dataset.name,
            hint=phrase("without it a benchmark uses made-up batches"),
        )
    return readers[dataset.kind]


def _values(spec: InputSpec, batch_size: int, generator: np.random.Generator) -> Any:
    """Made-up values of one input or target."""
    shape = (batch_size, *spec.shape)
    if spec.dtype == "string":
        return np.full(shape, "words", object)
    if spec.fill is not None:
        return np.full(shape, spec.fill, spec.dtype)
    if spec.high is not None:
        return generator.integers(0, spec.high, shape, dtype=np.int64).astype(spec.dtype)
    if "int" in spec.dtype:
        return np.zeros(shape, spec.dtype)
    return generator.random(shape, dtype=np.float32).astype(spec.dtype, copy=False)


def _rows(array: Any, batch_size: int) -> Any:
    """The array's rows over and over, up to the size."""
    values = np.asarray(array)
    return values[np.arange(batch_size) % len(values)]
