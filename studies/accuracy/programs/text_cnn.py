"""Sentences through convolutions of several widths."""

import keras
import numpy as np
from keras import layers

inputs = keras.Input((200,), dtype="int32")
x = layers.Embedding(10000, 128)(inputs)
pooled = [layers.GlobalMaxPooling1D()(layers.Conv1D(100, width, activation="relu")(x)) for width in (3, 4, 5)]
x = layers.Dropout(0.5)(layers.Concatenate()(pooled))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(np.random.randint(0, 10000, (512, 200)), np.random.randint(0, 2, 512), batch_size=64, epochs=2)
