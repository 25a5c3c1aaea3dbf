"""float16 with an optimizer that scales the loss."""

import keras
import numpy as np
from keras import layers

keras.config.set_dtype_policy("mixed_float16")
model = keras.Sequential(
    [
        keras.Input((256,)),
        layers.Dense(1024, activation="relu"),
        layers.Dense(1024, activation="relu"),
        layers.Dense(10, activation="softmax", dtype="float32"),
    ]
)
optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.RMSprop(1e-4, momentum=0.5))
model.compile(optimizer, "sparse_categorical_crossentropy")
model.fit(np.random.rand(640, 256), np.random.randint(0, 10, 640), batch_size=64, epochs=2)
