"""Segmentation with separable convolutions and residual paths."""

import keras
import numpy as np
from keras import layers

inputs = keras.Input((96, 96, 3))
x = layers.Conv2D(32, 3, strides=2, padding="same")(inputs)
x = layers.Activation("relu")(layers.BatchNormalization()(x))
before = x
for filters in (64, 128):
    for _ in range(2):
        x = layers.SeparableConv2D(filters, 3, padding="same")(layers.Activation("relu")(x))
        x = layers.BatchNormalization()(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    x = before = layers.add([x, layers.Conv2D(filters, 1, strides=2, padding="same")(before)])
for filters in (128, 64, 32):
    for _ in range(2):
        x = layers.Conv2DTranspose(filters, 3, padding="same")(layers.Activation("relu")(x))
        x = layers.BatchNormalization()(x)
    x = layers.UpSampling2D(2)(x)
    before = layers.Conv2D(filters, 1, padding="same")(layers.UpSampling2D(2)(before))
    x = before = layers.add([x, before])
model = keras.Model(inputs, layers.Conv2D(3, 3, activation="softmax", padding="same")(x))
model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy")
model.fit(np.random.rand(32, 96, 96, 3), np.random.randint(0, 3, (32, 96, 96, 1)), batch_size=8, epochs=2)
