"""Build the user's own models with weights that have values, for their code may look at them, and next to no memory.

A sub-class is built by calling it, a clone takes another's weights, a normalisation is adapted: such code runs as it
does in bare Keras, on the values that the author's initializers make.  Weights beyond `MOST_REAL_BYTES` are zeros that
lie in one array, of which the system keeps no page until somebody writes: a network larger than the machine is built
as well.  TensorFlow does not write into memory that is lent to it: an assignment gives the weight memory of its own
(core/framework/tensor.cc, ``RefCountIsOne``; core/kernels/training_op_helpers.h, ``PrepareToUpdateVariable``).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from app.worker.models.weightless import leave_without_value, valueless_quantisation

MOST_REAL_BYTES = 256 * 1024**2
_ALIGNMENT = 64
"""TensorFlow copies an array that begins elsewhere (Eigen's largest vectors)."""


@contextlib.contextmanager
def valued() -> Iterator[None]:
    """Within this scope every Keras variable of the TensorFlow backend has a value, as far as the machine has room."""
    from keras.src.backend.tensorflow.core import Variable

    original: Callable[[Any, Any], None] = Variable._initialize_with_initializer
    lender = _Lender()

    def initialize(variable: Any, initializer: Any) -> None:
        if lender.is_small(tuple(variable._shape), variable._dtype):
            original(variable, initializer)
            return
        try:
            zeros = lender.zeros(tuple(variable._shape), variable._dtype)
        except MemoryError:  # more than the system lets anybody ask for
            leave_without_value(variable)
        else:
            variable._initialize(lambda: zeros)

    Variable._initialize_with_initializer = initialize
    try:
        with valueless_quantisation():
            yield
    finally:
        Variable._initialize_with_initializer = original


class _Lender:
    """Counts what is real, and lends the same zeros to all other weights."""

    def __init__(self) -> None:
        self._real_bytes = 0
        self._zeros = np.zeros(0, np.uint8)

    def is_small(self, shape: tuple[int, ...], dtype: str) -> bool:
        """Does a weight belong to the first `MOST_REAL_BYTES`?  Then it is counted."""
        size = _size_bytes(shape, dtype)
        if self._real_bytes + size > MOST_REAL_BYTES:
            return False
        self._real_bytes += size
        return True

    def zeros(self, shape: tuple[int, ...], dtype: str) -> Any:
        """Zeros of this shape and type."""
        import tensorflow as tf

        size, item = _size_bytes(shape, dtype), tf.as_dtype(dtype).size
        if size > len(self._zeros):
            whole = np.zeros(size + _ALIGNMENT, np.uint8)
            self._zeros = whole[-whole.ctypes.data % _ALIGNMENT :][:size]
        with tf.init_scope():
            lent = tf.experimental.dlpack.from_dlpack(self._zeros[:size].__dlpack__())
            return tf.bitcast(tf.reshape(lent, shape if item == 1 else (*shape, item)), dtype)


def _size_bytes(shape: tuple[int, ...], dtype: str) -> int:
    """What a weight takes."""
    import tensorflow as tf

    item_bytes: int = tf.as_dtype(dtype).size
    return math.prod(shape) * item_bytes
