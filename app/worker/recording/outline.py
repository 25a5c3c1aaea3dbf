"""The Keras model as far as a profile of one of its steps needs it."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from app.core.runs.profiled_step import ModelOutline
from app.worker.recording.step import Recording
from app.worker.tracing.layer_names import LayerNames
from app.worker.tracing.operation_layers import OperationLayers


def outline(model: Any, recording: Recording) -> ModelOutline:
    """Its layers, which operation is of which, and what variables and the optimizer's take of each."""
    names = [*(o.name for o in recording.operations), *(r.operation for r in recording.requests)]
    layers = LayerNames(model)
    owners = {variable.path: layers.index_of_weight(variable.path) for variable in model.variables}
    weights: dict[int | None, int] = defaultdict(int)
    for variable in model.variables:
        weights[owners[variable.path]] += _size_bytes(variable)
    state: dict[int | None, int] = defaultdict(int)
    optimizer = getattr(model, "optimizer", None)
    # Keras calls a slot after its variable, with "_" for "/" (keras/src/optimizers/base_optimizer.py).
    flat = sorted(((path.replace("/", "_"), owner) for path, owner in owners.items()), key=lambda p: -len(p[0]))
    for variable in optimizer.variables if optimizer is not None else ():
        state[next((owner for path, owner in flat if path in variable.path), None)] += _size_bytes(variable)
    name = optimizer.name if optimizer is not None else ""
    layer_of = OperationLayers(layers, dict.fromkeys(names)).index_of
    return ModelOutline([(layer.name, layer.kind) for layer in layers.layers], layer_of, weights, state, name)


def _size_bytes(variable: Any) -> int:
    """Bytes of a variable's value."""
    import tensorflow as tf

    return int(math.prod(variable.shape)) * int(tf.as_dtype(variable.dtype).size)
