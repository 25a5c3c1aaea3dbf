"""What a program holds in TensorFlow's allocator beside its step, while its data runs: counted, not predicted.

Its dataset with what it shuffles and the batches that it makes ahead, and tensors that its author keeps.  On a
processor all of that lies in the memory that the step needs as well (tensorflow/core/common_runtime/process_util.cc:
one allocator for both); on a card the data's own runs beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

SETTLED_READINGS, MOST_READINGS, BETWEEN_S = 4, 30, 0.1
"""The pipeline makes batches ahead: it is counted once so many readings are the same, however busy the processor is."""


def held_beside(model: Any, batches: Callable[[], Any]) -> int | None:
    """Bytes in the processor's allocator besides a model's and its optimizers' variables and one batch.

    Args:
        model: What is trained.
        batches: Makes the ``tf.data`` pipeline, as ``fit`` would.

    Returns:
        None where the allocator keeps no count, or the data runs without TensorFlow only.
    """
    import tensorflow as tf

    try:
        iterator = iter(batches())
        batch = next(iterator)
    except (StopIteration, tf.errors.OpError, TypeError, ValueError):
        return None
    return held_now((*model.variables, *getattr(model.optimizer, "variables", ())), batch)


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
        current = _settled(lambda: int(tf.config.experimental.get_memory_info("CPU:0")["current"]))
    except (KeyError, ValueError):
        return None
    return max(0, current - _bytes(variables) - _bytes(tf.nest.flatten(batch, expand_composites=True)))


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
