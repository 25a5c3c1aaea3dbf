"""The optimizer's variables, made as a first step would make them but without tracing the step for it.

A function that makes variables is traced twice by TensorFlow: once to make them, once more to run without making any
(tensorflow/python/eager/polymorphic_function/polymorphic_function.py, ``Function._call``).  Keras makes the optimizer's
variables in the first training step, which takes a large network's step twice as long to trace.
"""

from __future__ import annotations

from typing import Any

from app.core.types.workload import Plan


def make_slots(model: Any, plan: Plan) -> None:
    """Make the variables of a compiled model's optimizer, unless they are there; none for inference.

    They are made in a function too: there equal initial values are one constant, so that slots of one shape share a
    buffer until their first update, as they do in a training.
    """
    import tensorflow as tf

    if plan.mode != "train":
        return
    optimizer, learned = model.optimizer, model.trainable_variables

    def build() -> None:
        if not optimizer.built:  # traced twice as well, and not every optimizer asks (``LossScaleOptimizer.build``)
            optimizer.build(learned)

    if learned and not optimizer.built:
        tf.function(build, autograph=False)()
