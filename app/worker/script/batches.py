"""The first batch of what ``fit`` was given, in exactly its structure, and how many batches an epoch has."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.worker.models.built import InputSpec
from app.worker.script.fit_call import FitCall


@dataclass(frozen=True)
class Batches:
    """What a step of the training is given.

    Attributes:
        first: One batch as NumPy arrays, in the structure in which ``train_step`` gets it.
        size: Samples in a batch.
        samples: In an epoch; None where nobody can tell, as of a generator.
        array: Keras is given arrays, which it keeps whole on the device.
        pipeline: Makes what ``fit`` would iterate over; None of a loop of the author's own.
    """

    first: Any
    size: int
    samples: int | None
    array: bool
    pipeline: Callable[[], Any] | None = None

    def specs(self, batch: int) -> Any:
        """The batch as tensor specifications of another size: every side as long as the batch grows with it."""
        import keras

        return keras.tree.map_structure(lambda leaf: _spec(leaf, self.size, batch), self.first)

    def parts(self) -> tuple[tuple[InputSpec, ...], tuple[InputSpec, ...]]:
        """What the model is given and what it is compared with, without the batch."""
        x, y = self.first[:2] if isinstance(self.first, tuple) and len(self.first) > 1 else (self.first, None)
        return _input_specs(x), _input_specs(y)


def batches_of(call: FitCall) -> Batches:
    """Read one batch as Keras's own ``fit`` would (keras/src/backend/tensorflow/trainer.py, ``fit``).

    Raises:
        BadDataset: There is no batch.
    """
    import keras

    if call.is_loop:
        return _of_loop(keras.tree.map_structure(_as_array, keras.tree.lists_to_tuples(call.batch)))
    from keras.src.trainers.data_adapters import array_slicing
    from keras.src.trainers.epoch_iterator import EpochIterator

    given = call.arguments
    data = given["x"], given["y"], given["sample_weight"]
    if given["validation_split"] and given["validation_data"] is None:
        data, _ = array_slicing.train_validation_split(data, validation_split=given["validation_split"])
    epoch = EpochIterator(
        *data,
        batch_size=given["batch_size"],
        steps_per_epoch=given["steps_per_epoch"],
        shuffle=given["shuffle"],
        class_weight=given["class_weight"],
    )
    return _first_of(epoch)


def validation_of(call: FitCall) -> Batches | None:
    """Read one batch of a call's validation as Keras's own ``fit`` would; None without one, or if it is empty."""
    from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
    from keras.src.trainers.epoch_iterator import EpochIterator

    given = call.arguments
    data = given.get("validation_data")
    if data is None and given.get("validation_split"):
        whole = given["x"], given["y"], given["sample_weight"]
        _, data = array_slicing.train_validation_split(whole, validation_split=given["validation_split"])
    if data is None:
        return None
    epoch = EpochIterator(
        *data_adapter_utils.unpack_x_y_sample_weight(data),
        batch_size=given.get("validation_batch_size") or given["batch_size"],
        steps_per_epoch=given.get("validation_steps"),
    )
    try:
        return _first_of(epoch)
    except BadDataset:
        return None


def _first_of(epoch: Any) -> Batches:
    """The first batch of what Keras reads, and how many there are.

    Raises:
        BadDataset: There is none.
    """
    import keras
    from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

    adapter = epoch.data_adapter
    try:
        first = next(iter(adapter.get_numpy_iterator()))
    except StopIteration:
        raise BadDataset(phrase("the data that fit was given is empty")) from None
    size = _size(first)
    array = isinstance(adapter, ArrayDataAdapter)
    samples = _samples(epoch, size)
    return Batches(keras.tree.lists_to_tuples(first), size, samples, array, adapter.get_tf_dataset)


def _of_loop(batch: Any) -> Batches:
    """The batch that a loop of the author's own trains on; how many there are only its end would tell."""
    return Batches(batch, _size(batch), None, False)


def _as_array(leaf: Any) -> Any:
    """A part of a batch as NumPy has it."""
    import numpy as np

    return None if leaf is None else np.asarray(leaf)


def _size(batch: Any) -> int:
    """Samples in a batch.

    Raises:
        BadDataset: None.
    """
    import keras

    leaves = [leaf for leaf in keras.tree.flatten(batch) if getattr(leaf, "ndim", 0)]
    if not leaves or not leaves[0].shape[0]:
        raise BadDataset(phrase("the data that fit was given is empty"))
    return int(leaves[0].shape[0])


def _samples(epoch: Any, size: int) -> int | None:
    """Samples of an epoch, a last batch that is not full included."""
    steps = epoch.num_batches
    if steps is None or steps < 0:
        return None
    adapter, short = epoch.data_adapter, None
    with suppress(NotImplementedError):  # a ``PyDataset`` tells how many batches, and not whether the last one is full
        short = adapter.partial_batch_size if not epoch.steps_per_epoch and adapter.has_partial_batch else None
    return int(steps) * size - (size - int(short) if short else 0)


def _spec(leaf: Any, size: int, batch: int) -> Any:
    """One array as a tensor specification."""
    import tensorflow as tf

    if leaf is None:
        return None
    shape = tuple(leaf.shape)
    grown = (batch, *shape[1:]) if shape and shape[0] == size else shape
    return tf.TensorSpec(grown, tf.string if leaf.dtype.kind in "OSU" else leaf.dtype)


def _input_specs(part: Any) -> tuple[InputSpec, ...]:
    """Shapes and types of one part of a batch."""
    import keras

    leaves = [leaf for leaf in keras.tree.flatten(part) if leaf is not None]
    return tuple(InputSpec(tuple(leaf.shape[1:]), str(leaf.dtype)) for leaf in leaves)
