"""A loop of its author's own, with a compiled step."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

model = keras.Sequential(
    [keras.Input((784,)), layers.Dense(512, activation="relu"), layers.Dense(256, activation="relu"), layers.Dense(10)]
)
optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = keras.metrics.SparseCategoricalAccuracy()
x, y = np.random.rand(6400, 784).astype("float32"), np.random.randint(0, 10, 6400)
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1024).batch(64)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    accuracy.update_state(y, logits)
    return loss


for epoch in range(20):
    for xs, ys in data:
        loss = train_step(xs, ys)
    print(epoch, float(loss), float(accuracy.result()))
    accuracy.reset_state()
