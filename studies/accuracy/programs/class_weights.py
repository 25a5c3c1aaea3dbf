"""Rare classes that count more."""

import keras
import numpy as np
from keras import layers

x = np.random.rand(4096, 29).astype("float32")
y = (np.random.rand(4096, 1) < 0.05).astype("uint8")
weights = {0: 1.0 / (y == 0).sum(), 1: 1.0 / (y == 1).sum()}
model = keras.Sequential([keras.Input(x.shape[1:])])
for _ in range(3):
    model.add(layers.Dense(512, activation="relu"))
    model.add(layers.Dropout(0.3))
model.add(layers.Dense(1, activation="sigmoid"))
found = [keras.metrics.Precision(name="precision"), keras.metrics.Recall(name="recall")]
model.compile(keras.optimizers.Adam(1e-2), "binary_crossentropy", metrics=found)
model.fit(x, y, batch_size=1024, epochs=5, class_weight=weights, validation_data=(x[:500], y[:500]))
