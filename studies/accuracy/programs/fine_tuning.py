"""First the head on a frozen trunk, then all of it."""

import keras
import numpy as np
from keras import layers

trunk = keras.applications.MobileNetV2(input_shape=(64, 64, 3), include_top=False, weights=None, pooling="avg")
trunk.trainable = False
inputs = keras.Input((64, 64, 3))
x = layers.Rescaling(2.0, offset=-1)(layers.RandomFlip("horizontal")(inputs))
x = trunk(x, training=False)
model = keras.Model(inputs, layers.Dense(3, activation="softmax")(layers.Dropout(0.2)(x)))
images, labels = np.random.rand(128, 64, 64, 3).astype("float32"), np.random.randint(0, 3, 128)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(images, labels, batch_size=16, epochs=1)
trunk.trainable = True
model.compile(keras.optimizers.Adam(1e-5), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(images, labels, batch_size=8, epochs=2)
