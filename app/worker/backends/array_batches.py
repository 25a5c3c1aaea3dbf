"""Batches for JAX and PyTorch, which do not take TensorFlow's tensors.

The pipeline of real data is TensorFlow's own: where it is installed beside the other framework, it reads and decodes
on the processor (keras/src/trainers/data_adapters/tf_dataset_adapter.py does the same for ``fit``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


class TakesArrays:
    """The part of a `app.worker.backends.base.Backend` that hands NumPy arrays to a step, as Keras does."""

    def endless(self, batch: Any) -> Iterable[Any]:
        """The batch as it is; TensorFlow is not needed."""
        return itertools.repeat(batch)

    def leave_card_to_training(self) -> None:
        """TensorFlow is told before it makes anything."""
        import tensorflow as tf

        tf.config.set_visible_devices([], "GPU")

    def batches(self, pipeline: Any) -> Iterable[Any]:
        """As arrays."""
        return _AsArrays(pipeline)


@dataclass(frozen=True)
class _AsArrays:
    """A ``tf.data.Dataset`` whose batches come as arrays."""

    pipeline: Any

    def __iter__(self) -> Iterator[Any]:
        """One pass."""
        return iter(self.pipeline.as_numpy_iterator())
