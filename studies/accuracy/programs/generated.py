"""Batches from a Python generator that never ends, with sample weights."""

import keras
import numpy as np
from keras import layers


def batches():
    while True:
        x = np.random.rand(16, 96, 96, 1).astype("float32")
        yield x, (x > 0.5).astype("float32"), np.ones((16, 96, 96), "float32")


inputs = keras.Input((96, 96, 1))
a = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
b = layers.Conv2D(32, 3, padding="same", activation="relu")(layers.MaxPooling2D()(a))
c = layers.Conv2D(64, 3, padding="same", activation="relu")(layers.MaxPooling2D()(b))
x = layers.Concatenate()([layers.UpSampling2D()(c), b])
x = layers.Conv2D(32, 3, padding="same", activation="relu")(x)
x = layers.Concatenate()([layers.Conv2DTranspose(16, 2, strides=2)(x), a])
model = keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", weighted_metrics=["accuracy"])
model.fit(batches(), steps_per_epoch=20, epochs=2)
