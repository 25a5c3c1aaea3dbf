"""Two networks that train each other, with an optimizer each and a step of their own."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class GAN(keras.Model):
    def __init__(self, generator, discriminator, latent):
        super().__init__()
        self.generator, self.discriminator, self.latent = generator, discriminator, latent
        self.seeds = keras.random.SeedGenerator(1)
        self.d_loss, self.g_loss = keras.metrics.Mean(name="d_loss"), keras.metrics.Mean(name="g_loss")

    @property
    def metrics(self):
        return [self.d_loss, self.g_loss]

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    def train_step(self, real):
        size = tf.shape(real)[0]
        noise = keras.random.normal((size, self.latent), seed=self.seeds)
        images = tf.concat([self.generator(noise), real], axis=0)
        labels = tf.concat([tf.ones((size, 1)), tf.zeros((size, 1))], axis=0)
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(images))
        weights = self.discriminator.trainable_weights
        self.d_optimizer.apply_gradients(zip(tape.gradient(d_loss, weights), weights))
        noise = keras.random.normal((size, self.latent), seed=self.seeds)
        with tf.GradientTape() as tape:
            g_loss = self.loss_fn(tf.zeros((size, 1)), self.discriminator(self.generator(noise)))
        weights = self.generator.trainable_weights
        self.g_optimizer.apply_gradients(zip(tape.gradient(g_loss, weights), weights))
        self.d_loss.update_state(d_loss)
        self.g_loss.update_state(g_loss)
        return {"d_loss": self.d_loss.result(), "g_loss": self.g_loss.result()}


generator = keras.Sequential(
    [
        keras.Input((64,)),
        layers.Dense(8 * 8 * 64),
        layers.Reshape((8, 8, 64)),
        layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
        layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="sigmoid"),
    ]
)
discriminator = keras.Sequential(
    [
        keras.Input((32, 32, 1)),
        layers.Conv2D(64, 3, strides=2, padding="same"),
        layers.LeakyReLU(0.2),
        layers.Conv2D(128, 3, strides=2, padding="same"),
        layers.LeakyReLU(0.2),
        layers.GlobalMaxPooling2D(),
        layers.Dense(1),
    ]
)
gan = GAN(generator, discriminator, 64)
gan.compile(
    d_optimizer=keras.optimizers.Adam(3e-4),
    g_optimizer=keras.optimizers.Adam(3e-4),
    loss_fn=keras.losses.BinaryCrossentropy(from_logits=True),
)
images = np.random.rand(640, 32, 32, 1).astype("float32")
gan.fit(tf.data.Dataset.from_tensor_slices(images).shuffle(100).batch(64), epochs=2)
