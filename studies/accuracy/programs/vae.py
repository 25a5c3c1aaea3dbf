"""A variational autoencoder: the step gets images alone, and there is no ``call``."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class Sampling(layers.Layer):
    def __init__(self):
        super().__init__()
        self.seeds = keras.random.SeedGenerator(7)

    def call(self, inputs):
        mean, log_var = inputs
        return mean + ops.exp(0.5 * log_var) * keras.random.normal(ops.shape(mean), seed=self.seeds)


class VAE(keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.total = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.total]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_var, z = self.encoder(data)
            lost = ops.mean(ops.sum(keras.losses.binary_crossentropy(data, self.decoder(z)), axis=(1, 2)))
            divergence = -0.5 * ops.mean(ops.sum(1 + log_var - ops.square(mean) - ops.exp(log_var), axis=1))
            loss = lost + divergence
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


inputs = keras.Input((28, 28, 1))
x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(inputs)
x = layers.Conv2D(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
mean, log_var = layers.Dense(2)(x), layers.Dense(2)(x)
encoder = keras.Model(inputs, [mean, log_var, Sampling()([mean, log_var])])
latent = keras.Input((2,))
x = layers.Reshape((7, 7, 64))(layers.Dense(7 * 7 * 64, activation="relu")(latent))
x = layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same")(x)
decoder = keras.Model(latent, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x))
model = VAE(encoder, decoder)
model.compile(optimizer=keras.optimizers.Adam())
model.fit(np.random.rand(1280, 28, 28, 1).astype("float32"), epochs=3, batch_size=128)
