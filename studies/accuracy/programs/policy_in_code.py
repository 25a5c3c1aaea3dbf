"""A transformer in bfloat16, because its author says so in the first lines."""

import keras
import numpy as np
from keras import layers

keras.mixed_precision.set_global_policy("mixed_bfloat16")
LENGTH, WIDTH, HEADS = 64, 128, 4
inputs = keras.Input((LENGTH,), dtype="int32")
x = layers.Embedding(2000, WIDTH)(inputs)
for _ in range(2):
    attended = layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(x, x)
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, layers.Dropout(0.1)(attended)]))
    ahead = layers.Dense(WIDTH)(layers.Dense(4 * WIDTH, activation="gelu")(x))
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, layers.Dropout(0.1)(ahead)]))
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(inputs, layers.Dense(5, activation="softmax", dtype="float32")(x))
model.compile(keras.optimizers.AdamW(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.random.randint(0, 2000, (160, LENGTH)), np.random.randint(0, 5, 160), batch_size=16, epochs=3)
