"""Batch by batch, with ``train_on_batch``."""

import keras
import numpy as np
from keras import layers

model = keras.Sequential(
    [keras.Input((100, 16)), layers.Conv1D(64, 5, activation="relu"), layers.GlobalMaxPooling1D(), layers.Dense(4)]
)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
x, y = np.random.rand(6400, 100, 16).astype("float32"), np.random.randint(0, 4, 6400)
for epoch in range(30):
    for start in range(0, len(x), 64):
        told = model.train_on_batch(x[start : start + 64], y[start : start + 64], return_dict=True)
    print(epoch, told)
