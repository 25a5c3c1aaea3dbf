"""What a program holds in TensorFlow's allocator beside its step, while its data runs: counted, not predicted.

Its dataset with what it shuffles and the batches that it makes ahead, and tensors that its author keeps.  On a
processor all of that lies in the memory that the step needs as well (tensorflow/core/common_runtime/process_util.cc:
one allocator for both); on a card the data's own runs beside it.

An array that becomes a tensor is first copied by NumPy (tensorflow/python/framework/constant_op.py,
``convert_to_eager_tensor``).  Where that copy happens to start at a multiple of 64 bytes it is used as it lies; all
others are copied once more, into the allocator (tensorflow/c/tf_tensor.cc, ``TF_NewTensor``).  Only those of 32 MiB and
more never start there (malloc(3), ``M_MMAP_THRESHOLD``): of six runs of one script with an array of 12 MiB, four held
it there.  Here all are brought there, as most are, and what they take is told as what may as well not be there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

SETTLED_READINGS, MOST_READINGS, BETWEEN_S = 4, 30, 0.1
"""The pipeline makes batches ahead: it is counted once so many readings are the same, however busy the processor is."""
ALWAYS_COPIED_BYTES = 32 << 20
"""Arrays of this size and more always lie in the allocator."""
MOST_TRIES = 16
"""One of four starts where it is used as it lies."""


def held_beside(model: Any, batches: Callable[[], Any]) -> tuple[int | None, int]:
    """Bytes in the processor's allocator besides a model's and its optimizers' variables and one batch.

    Args:
        model: What is trained.
        batches: Makes the ``tf.data`` pipeline, as ``fit`` would.

    Returns:
        All of them, None where the allocator keeps no count or the data runs without TensorFlow only; and those among
        them that are copies by chance.
    """
    import tensorflow as tf

    try:
        with _arrays_copied() as copies:
            iterator = iter(batches())
        batch = next(iterator)
    except (StopIteration, tf.errors.OpError, KeyError, TypeError, ValueError):
        return None, 0
    return held_now((*model.variables, *getattr(model.optimizer, "variables", ())), batch), sum(copies)


@contextmanager
def _arrays_copied() -> Iterator[list[int]]:
    """Let TensorFlow copy every array of a dataset that is made meanwhile; what the copies take is noted."""
    import tensorflow as tf

    original, copies = tf.data.Dataset.from_tensors, list[int]()

    def from_copies(tensors: Any, *values: Any, **named: Any) -> Any:
        before = _in_use()
        tensors = tf.nest.map_structure(_copied, tensors)
        copies.append(_in_use() - before)
        return original(tensors, *values, **named)

    tf.data.Dataset.from_tensors = staticmethod(from_copies)
    try:
        yield copies
    finally:
        tf.data.Dataset.from_tensors = staticmethod(original)


def _copied(array: Any) -> Any:
    """A small array as a tensor in the allocator; everything else as it is."""
    import numpy as np
    import tensorflow as tf

    numbers = isinstance(array, np.ndarray) and array.dtype.kind in "biuf"
    if not numbers or not 0 < array.nbytes < ALWAYS_COPIED_BYTES:
        return array
    tried: list[Any] = []  # held, so that the next one starts elsewhere
    while len(tried) < MOST_TRIES:
        before = _in_use()
        tried.append(tf.convert_to_tensor(array))
        if _in_use() - before >= array.nbytes:
            break
    return tried[-1]


def held_now(variables: Iterable[Any], batch: Any) -> int | None:
    """Bytes in the processor's allocator at this moment besides variables and one batch.

    Args:
        variables: Of models and optimizers.
        batch: That is about to be trained on.

    Returns:
        None where the allocator keeps no count.
    """
    import tensorflow as tf

    try:
        current = _settled(_in_use)
    except (KeyError, ValueError):
        return None
    return max(0, current - _bytes(variables) - _bytes(tf.nest.flatten(batch, expand_composites=True)))


def _in_use() -> int:
    """Bytes in the processor's allocator."""
    import tensorflow as tf

    return int(tf.config.experimental.get_memory_info("CPU:0")["current"])


def _settled(read: Callable[[], int]) -> int:
    """What is read again and again, once it stands still."""
    readings: list[int] = []
    for _ in range(MOST_READINGS):
        readings.append(read())
        if len(readings) >= SETTLED_READINGS and len(set(readings[-SETTLED_READINGS:])) == 1:
            break
        time.sleep(BETWEEN_S)
    return readings[-1]


def _bytes(tensors: Iterable[Any]) -> int:
    """Of all of them; each once."""
    sizes = {id(one): _size(one) for one in tensors if one is not None}
    return sum(sizes.values())


def _size(tensor: Any) -> int:
    """Bytes of one; strings are held elsewhere."""
    import keras
    import numpy as np

    kind = keras.backend.standardize_dtype(tensor.dtype)
    return 0 if kind == "string" else int(np.prod(tensor.shape)) * np.dtype(_WIDTHS.get(kind, kind)).itemsize


_WIDTHS = {"bfloat16": "uint16"}
"""What NumPy does not know, by what is as wide."""
