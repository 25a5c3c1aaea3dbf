"""Inputs and targets by name, two losses in another order than the alphabet's, scalars as inputs."""

import keras
import numpy as np
from keras import layers

image, user = keras.Input((40, 40, 3), name="image"), keras.Input((), dtype="int32", name="user")
x = layers.Conv2D(48, 3, activation="relu", padding="same")(image)
x = layers.Conv2D(48, 3, activation="relu", padding="same")(x)
x = layers.GlobalAveragePooling2D()(x)
x = layers.Concatenate()([x, layers.Embedding(1000, 32)(user)])
rating = layers.Dense(1, name="rating")(layers.Dense(64, activation="relu")(x))
category = layers.Dense(7, activation="softmax", name="category")(x)
model = keras.Model({"image": image, "user": user}, {"rating": rating, "category": category})
model.compile(
    keras.optimizers.Nadam(1e-3),
    loss={"rating": "mse", "category": "sparse_categorical_crossentropy"},
    loss_weights={"rating": 0.3, "category": 1.0},
    metrics={"rating": ["mae"], "category": ["accuracy"]},
)
n = 160
data = {"image": np.random.rand(n, 40, 40, 3).astype("float32"), "user": np.random.randint(0, 1000, n)}
targets = {"category": np.random.randint(0, 7, n), "rating": np.random.rand(n).astype("float32")}
model.fit(data, targets, batch_size=20, epochs=2)
