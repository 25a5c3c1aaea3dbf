"""Which recurrent layers a card runs in cuDNN: Keras's own rule, asked as if a card were there."""

import importlib

import pytest

MADE = (
    ("LSTM", {}),
    ("GRU", {}),
    ("LSTM", {"activation": "relu"}),
    ("LSTM", {"use_bias": False}),
    ("LSTM", {"unroll": True}),
    ("GRU", {"reset_after": False}),
    ("GRU", {"recurrent_activation": "tanh"}),
    ("LSTM", {"use_cudnn": False}),
    ("SimpleRNN", {}),
    ("Dense", {}),
    ("LSTM", {"recurrent_activation": "hard_sigmoid"}),
)


@pytest.mark.parametrize(("name", "options"), MADE)
def test_the_rule_is_that_of_keras(name, options, monkeypatch):
    import keras

    from app.worker.tracing.recurrent import runs_in_cudnn

    layer = getattr(keras.layers, name)(4, **options)
    assert layer.supports_jit
    monkeypatch.setattr(importlib.import_module("keras.src.backend.tensorflow.rnn"), "_is_gpu_available", lambda: True)
    there = getattr(keras.layers, name)(4, **options)
    assert runs_in_cudnn(layer) == (not there.supports_jit)


def test_recurrent_dropout_needs_the_loop():
    """Keras finds out when the layer is called: its fast path is left out."""
    import keras

    from app.worker.tracing.recurrent import runs_in_cudnn

    assert not runs_in_cudnn(keras.layers.LSTM(4, recurrent_dropout=0.2))
