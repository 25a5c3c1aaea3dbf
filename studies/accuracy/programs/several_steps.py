"""Several steps in a call, clipped gradients, averaged weights."""

import keras
import numpy as np
from keras import layers

model = keras.Sequential([keras.Input((32, 32, 3))])
for filters in (32, 64):
    model.add(layers.Conv2D(filters, 3, padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.Activation("relu"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
model.add(layers.Dense(10))
model.compile(
    keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0, use_ema=True, weight_decay=1e-4),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    steps_per_execution=4,
)
x, y = np.random.rand(2048, 32, 32, 3).astype("float32"), np.random.randint(0, 10, 2048)
model.fit(x, y, batch_size=32, epochs=2)
