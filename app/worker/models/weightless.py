"""Build Keras models whose weights have handles but no memory.

A network of a hundred gigabytes is built in a second: inside `weightless` a Keras variable of more
than `SMALL` elements becomes a resource handle of the right shape and type without a value.  Tracing
needs no more.  Scalars and tiny vectors keep their values, because building code may look at them.  Quantising such a
model works on shapes alone (`valueless_quantisation`).
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

    original: Callable[[Any, Any], None] = Variable._initialize_with_initializer

    def initialize(variable: Any, initializer: Any) -> None:
        if math.prod(tuple(variable._shape)) <= SMALL:
            original(variable, initializer)
        else:
            leave_without_value(variable)

    Variable._initialize_with_initializer = initialize
    try:
        with valueless_quantisation():
            yield
    finally:
        Variable._initialize_with_initializer = original


def leave_without_value(variable: Any) -> None:
    """Make a Keras variable a handle of its shape and type; nobody may read it."""
    from tensorflow.python.ops.resource_variable_ops import UninitializedVariable

    shape, name = tuple(variable._shape), variable.name.replace("/", "_")
    variable._initialize(
        UninitializedVariable(shape=shape, dtype=variable._dtype, trainable=variable.trainable, name=name)
    )


@contextlib.contextmanager
def valueless_quantisation() -> Iterator[None]:
    """Within this scope ``model.quantize`` gives variables of the right shape and type without computing a value.

    A layer rounds its kernel with `abs_max_quantize` and assigns result and scale to new variables
    (keras/src/layers/core/dense.py, ``quantize``); symbolic tensors go the same way and are not assigned.
    """
    from keras.src.backend import KerasTensor
    from keras.src.backend.tensorflow.core import Variable
    from keras.src.quantizers import quantizers

    round_values, assign, own = quantizers.abs_max_quantize, Variable.assign, "assign" in vars(Variable)

    def rounded(inputs: Any, axis: Any, *others: Any, **named: Any) -> Any:
        if not (named.get("to_numpy") or (len(others) > 3 and others[3])):
            return round_values(inputs, axis, *others, **named)
        rank = len(inputs.shape)
        reduced = {a % rank for a in ((axis,) if isinstance(axis, int) else axis)}
        scale = tuple(1 if i in reduced else n for i, n in enumerate(inputs.shape))
        return KerasTensor(inputs.shape, "int8"), KerasTensor(scale, inputs.dtype)

    def assigned(variable: Any, value: Any) -> Any:
        return value if isinstance(value, KerasTensor) else assign(variable, value)

    quantizers.abs_max_quantize = rounded
    Variable.assign = assigned
    try:
        yield
    finally:
        quantizers.abs_max_quantize = round_values
        if own:
            Variable.assign = assign
        else:
            del Variable.assign
