"""Batches for frameworks that do not take TensorFlow's tensors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from app.core.types.workload import Dataset, Plan
from app.worker.benchmark.feed import Feed


class NumpyFeed(Feed):
    """Batches as NumPy arrays, as Keras hands them to JAX and PyTorch.

    The pipeline of real data is TensorFlow's own: where it is installed beside the other framework, it reads and
    decodes on the processor (keras/src/trainers/data_adapters/tf_dataset_adapter.py does the same for ``fit``).
    """

    def __init__(
        self, pipeline: Any, batch_size: int, *, real: bool = True, caching: bool = False, batches: int = 0
    ) -> None:
        ready = _AsArrays(pipeline) if real else pipeline
        super().__init__(ready, batch_size, real=real, caching=caching, batches=batches)

    @classmethod
    def of_one_batch(cls, batch: Any, batch_size: int) -> Feed:
        """One batch that lies in memory, over and over; TensorFlow is not needed."""
        feed = cls(_Endless(batch), batch_size, real=False)
        feed._first = batch
        return feed

    @classmethod
    def of_dataset(cls, built: Any, dataset: Dataset, plan: Plan, cache_dir: str | None = None) -> Feed:
        """The user's data; TensorFlow, before it makes anything, is told to leave the card to who trains."""
        import tensorflow as tf

        tf.config.set_visible_devices([], "GPU")
        return super().of_dataset(built, dataset, plan, cache_dir)

    def _unreadable(self) -> tuple[type[BaseException], ...]:
        """A batch in memory can be read."""
        return super()._unreadable() if self.real else ()


class _AsArrays:
    """A ``tf.data.Dataset`` whose batches come as arrays."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline

    def __iter__(self) -> Iterator[Any]:
        """One pass."""
        return iter(self._pipeline.as_numpy_iterator())


class _Endless:
    """One batch without end."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch

    def __iter__(self) -> Iterator[Any]:
        """The batch, again and again."""
        return itertools.repeat(self._batch)
