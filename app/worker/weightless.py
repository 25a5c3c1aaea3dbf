"""Build Keras models whose weights have handles but no memory.

A network of a hundred gigabytes is built in a second: inside `weightless` a Keras variable of more
than `SMALL` elements becomes a resource handle of the right shape and type without a value.  Tracing
needs no more.  Scalars and tiny vectors keep their values, because building code may look at them.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

SMALL = 16


@contextlib.contextmanager
def weightless() -> Iterator[None]:
    """Within this scope, Keras variables of the TensorFlow backend get no memory."""
    from keras.src.backend.tensorflow.core import Variable
    from tensorflow.python.ops.resource_variable_ops import UninitializedVariable

    original: Callable[[Any, Any], None] = Variable._initialize_with_initializer

    def initialize(variable: Any, initializer: Any) -> None:
        shape = tuple(variable._shape)
        if math.prod(shape) <= SMALL:
            original(variable, initializer)
            return
        name = variable.name.replace("/", "_")
        variable._initialize(
            UninitializedVariable(shape=shape, dtype=variable._dtype, trainable=variable.trainable, name=name)
        )

    Variable._initialize_with_initializer = initialize
    try:
        yield
    finally:
        Variable._initialize_with_initializer = original
