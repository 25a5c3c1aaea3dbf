"""Which recurrent layers Keras hands to cuDNN on a card, and what that means for XLA."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def runs_in_cudnn(layer: Any) -> bool:
    """Is it a layer that a CUDA card runs in cuDNN, and that XLA therefore cannot compile there?

    Keras decides when the layer is made and a card is present, and then says ``supports_jit = False``
    (keras/src/layers/rnn/lstm.py and gru.py; the conditions are those of ``cudnn_ok`` in
    keras/src/backend/tensorflow/rnn.py).  A graph is traced without looking at a card, so it is asked here.
    """
    if getattr(layer, "use_cudnn", False) not in (True, "auto") or layer.recurrent_dropout:
        return False
    from keras import activations

    cell = layer.cell
    usual = cell.activation is activations.tanh and cell.recurrent_activation is activations.sigmoid
    return bool(usual and not layer.unroll and cell.use_bias and getattr(cell, "reset_after", True))


@contextmanager
def as_on_a_card() -> Iterator[None]:
    """Keras calls cuDNN where a card is there: until the end of this context it takes one for granted.

    Whether the operations can run plays no part in tracing them.
    """
    calls: Any = importlib.import_module("keras.src.backend.tensorflow.rnn")
    known = calls._is_gpu_available
    calls._is_gpu_available = lambda: True
    try:
        yield
    finally:
        calls._is_gpu_available = known
