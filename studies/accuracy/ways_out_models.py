"""The networks of case S2: token embedding, two LSTM layers, a classifier; a user's own file, so nothing of ours."""

from __future__ import annotations


def two_lstm():
    """Sequences of 200 tokens, two LSTM layers of 128 units."""
    return _network(200, 20_000, 128)


def two_lstm_small():
    """The same in small."""
    return _network(64, 4_000, 64)


def _network(length, vocabulary, units):
    import keras
    from keras import layers

    return keras.Sequential(
        [
            keras.Input((length,), dtype="int32"),
            layers.Embedding(vocabulary, units),
            layers.LSTM(units, return_sequences=True),
            layers.LSTM(units),
            layers.Dense(2, activation="softmax"),
        ]
    )
