"""Networks that read tokens: recurrent ones and a small transformer, all with a trained embedding."""

from __future__ import annotations

from typing import Any

from app.core.types.text import phrase
from app.worker.models.zoo.layers import add_positions
from app.worker.models.zoo.recipe import Recipe, classifier_activation

VOCABULARY = 20_000
"""Most frequent words kept, as usual for IMDB reviews."""

_UNITS = 128
_WIDTH = 256
_BLOCKS = 4
_HEADS = 4


def build_recurrent(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """``lstm_1`` to ``gru_2``: embedding, one or two recurrent layers of 128 units, classifier."""
    import keras
    from keras import layers

    kind, _, depth = name.partition("_")
    recurrent = {"lstm": layers.LSTM, "gru": layers.GRU}[kind]
    tokens = keras.Input(input_shape, dtype="int32")
    x = layers.Embedding(VOCABULARY, _UNITS)(tokens)
    for below_top in range(int(depth) - 1, -1, -1):
        x = recurrent(_UNITS, return_sequences=below_top > 0)(x)
    x = layers.Dense(classes, activation=classifier_activation(classes))(x)
    return keras.Model(tokens, x, name=name)


def build_transformer(name: str, input_shape: tuple[int, ...], classes: int) -> Any:
    """Transformer encoder: 4 blocks of width 256, 4 heads (Vaswani et al. 2017, pre-normalised)."""
    import keras
    from keras import layers

    tokens = keras.Input(input_shape, dtype="int32")
    x = layers.Embedding(VOCABULARY, _WIDTH)(tokens)
    x = add_positions(x)
    for _ in range(_BLOCKS):
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        y = layers.MultiHeadAttention(_HEADS, _WIDTH // _HEADS, dropout=0.1)(y, y)
        x = layers.Add()([x, y])
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        y = layers.Dense(4 * _WIDTH, activation="gelu")(y)
        y = layers.Dense(_WIDTH)(y)
        y = layers.Dropout(0.1)(y)
        x = layers.Add()([x, y])
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dense(classes, activation=classifier_activation(classes))(x)
    return keras.Model(tokens, x, name=name)


RECIPES: dict[str, Recipe] = {
    name: Recipe(
        build_recurrent,
        task="text",
        input_shape=(200,),
        classes=2,
        vocabulary=VOCABULARY,
        source=phrase("embedding, {words}, classifier", words=words),
    )
    for name, words in {
        "lstm_1": phrase("one LSTM layer of 128 units"),
        "lstm_2": phrase("two LSTM layers of 128 units"),
        "gru_1": phrase("one GRU layer of 128 units"),
        "gru_2": phrase("two GRU layers of 128 units"),
    }.items()
} | {
    "transformer_small": Recipe(
        build_transformer,
        task="text",
        input_shape=(128,),
        classes=2,
        vocabulary=VOCABULARY,
        source="encoder of Vaswani et al. 2017, arXiv:1706.03762, pre-normalised",
    )
}
