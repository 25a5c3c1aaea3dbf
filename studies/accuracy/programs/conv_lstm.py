"""The next picture of a film."""

import keras
import numpy as np
from keras import layers

inputs = keras.Input((None, 32, 32, 1))
x = layers.ConvLSTM2D(24, 5, padding="same", return_sequences=True, activation="relu")(inputs)
x = layers.BatchNormalization()(x)
x = layers.ConvLSTM2D(24, 3, padding="same", return_sequences=True, activation="relu")(x)
model = keras.Model(inputs, layers.Conv3D(1, 3, activation="sigmoid", padding="same")(x))
model.compile("adam", "binary_crossentropy")
films = np.random.rand(24, 10, 32, 32, 1).astype("float32")
model.fit(films[:, :-1], films[:, 1:], batch_size=4, epochs=2)
