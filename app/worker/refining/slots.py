"""The optimizer's variables, made as a first step would make them but without tracing the step for it.

A function that makes variables is traced twice by TensorFlow: once to make them, once more to run without making any,
and each is made within a condition of its own (tensorflow/python/eager/polymorphic_function/polymorphic_function.py,
``Function._call``, ``UnliftedInitializerVariable``).  Keras makes the optimizer's variables in the first training step,
which takes a large network's step twice as long to trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from app.core.types.workload import Plan


def make_slots(model: Any, plan: Plan, *, hollow: bool = False) -> None:
    """Make the variables of a compiled model's optimizer, unless they are there; none for inference.

    Args:
        model: The model.
        plan: Its mode counts.
        hollow: Whoever calls sees to the variables' values.
    """
    if plan.mode != "train":
        return
    optimizer, learned = model.optimizer, model.trainable_variables
    if learned and not optimizer.built:  # not every optimizer asks (``LossScaleOptimizer.build``)
        with nullcontext() if hollow else _values_at_once():
            optimizer.build(learned)


@contextmanager
def initialized_by(initialize: Callable[[Any, Any], None]) -> Iterator[None]:
    """Within this scope each variable of Keras, with its initializer, is given to a function that makes its value."""
    from keras.src.backend.tensorflow.core import Variable

    original = Variable._initialize_with_initializer
    Variable._initialize_with_initializer = initialize
    try:
        yield
    finally:
        Variable._initialize_with_initializer = original


@contextmanager
def _values_at_once() -> Iterator[None]:
    """Within this scope variables get no values; at its end all get them in one function, as after a first trace.

    In a graph equal initial values are one constant: slots of one shape share a buffer until their first update.
    """
    import tensorflow as tf
    from tensorflow.python.ops.resource_variable_ops import UninitializedVariable

    waiting: list[tuple[Any, Any]] = []

    def make(variable: Any, initializer: Any) -> None:
        shape, dtype = variable._shape, tf.as_dtype(variable._dtype)
        variable._initialize(UninitializedVariable(shape=shape, dtype=dtype, trainable=False, name=variable.name))
        waiting.append((variable, initializer))

    def give_values() -> None:
        for variable, initializer in waiting:
            variable._value.assign(initializer(variable._shape, dtype=variable._dtype))

    with initialized_by(make):
        yield
    tf.function(give_values, autograph=False)()
