"""Models with training steps of their own, each taking its batch as its author likes it; and data for some of them."""

from __future__ import annotations

import keras  # noqa: TID253 - loaded in a child, as a user's file is
import numpy as np
import tensorflow as tf  # noqa: TID253
from keras import layers, ops  # noqa: TID253

SIDE, LATENT = 16, 8


def dense(inputs, outputs, activation=None):
    row = keras.Input((inputs,))
    return row, layers.Dense(outputs, activation=activation)(layers.Dense(64, activation="relu")(row))


class Paired(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}


def pair():
    net = Paired(*dense(32, 10, "softmax"))
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return net


def pair_not_compiled():
    return Paired(*dense(32, 10, "softmax"))


class Weighted(Paired):
    def train_step(self, data):
        x, y, weight = data
        assert weight.shape.rank == 1
        return super().train_step((x, y))


def three_parts():
    net = Weighted(*dense(32, 10, "softmax"))
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


class HandedOn(keras.Model):
    def train_step(self, data):
        return super().train_step(data)


def handed_to_keras():
    net = HandedOn(*dense(32, 1))
    net.compile("rmsprop", "mse")
    return net


class Autoencoder(keras.Model):
    def train_step(self, images):
        with tf.GradientTape() as tape:
            loss = self._loss_of(images)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}

    def _loss_of(self, images):
        noisy = images + keras.random.normal(ops.shape(images))
        return ops.mean(ops.square(self(noisy, training=True) - images))


def single_tensor():
    net = Autoencoder(*dense(32, 32))
    net.compile("adam")
    return net


class Compiled(Autoencoder):
    @tf.function
    def train_step(self, images):
        return super().train_step(images)


def within_a_graph():
    net = Compiled(*dense(32, 32))
    net.compile("adam")
    return net


class Parts(keras.Model):
    """No ``call``: only its parts can be called."""

    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        with tf.GradientTape() as tape:
            loss = ops.mean(ops.square(self.decoder(self.encoder(data)) - data))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights, strict=True))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


def no_call():
    image, code = keras.Input((SIDE, SIDE, 1)), keras.Input((LATENT,))
    encoder = keras.Model(image, layers.Dense(LATENT)(layers.Flatten()(image)))
    decoder = keras.Model(code, layers.Reshape((SIDE, SIDE, 1))(layers.Dense(SIDE * SIDE)(code)))
    net = Parts(encoder, decoder)
    net.compile(keras.optimizers.Adam())
    return net


class Adversaries(keras.Model):
    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator, self.generator = discriminator, generator

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    def train_step(self, real):
        count = tf.shape(real)[0]
        made = self.generator(tf.random.normal((count, LATENT)))
        labels = tf.concat([tf.ones((count, 1)), tf.zeros((count, 1))], axis=0)
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(tf.concat([made, real], axis=0)))
        weights = self.discriminator.trainable_weights
        self.d_optimizer.apply_gradients(zip(tape.gradient(d_loss, weights), weights, strict=True))
        with tf.GradientTape() as tape:
            made = self.generator(tf.random.normal((count, LATENT)))
            g_loss = self.loss_fn(tf.zeros((count, 1)), self.discriminator(made))
        weights = self.generator.trainable_weights
        self.g_optimizer.apply_gradients(zip(tape.gradient(g_loss, weights), weights, strict=True))
        return {"d_loss": d_loss, "g_loss": g_loss}


def adversaries(side=SIDE, compiled=True):
    image, code = keras.Input((side, side, 1)), keras.Input((LATENT,))
    x = layers.Flatten()(layers.Conv2D(64, 3, strides=2, activation="relu")(image))
    discriminator = keras.Model(image, layers.Dense(1, activation="sigmoid")(x))
    x = layers.Reshape((side // 2, side // 2, 64))(layers.Dense(side * side * 16, activation="relu")(code))
    generator = keras.Model(code, layers.Conv2DTranspose(1, 4, strides=2, padding="same")(x))
    net = Adversaries(discriminator, generator)
    if compiled:
        loss = keras.losses.BinaryCrossentropy()
        net.compile(keras.optimizers.RMSprop(3e-4), keras.optimizers.Adam(3e-4), loss)
    return net


def adversaries_nobody_compiled():
    return adversaries(compiled=False)


class Denoising(keras.Model):
    def __init__(self):
        super().__init__()
        self.normalizer = layers.Normalization()
        picture, noise = keras.Input((SIDE, SIDE, 3)), keras.Input((1, 1, 1))
        x = layers.Concatenate()([picture, layers.UpSampling2D(SIDE)(noise)])
        x = layers.Conv2D(3, 3, padding="same")(layers.Conv2D(16, 3, padding="same", activation="swish")(x))
        self.network = keras.Model([picture, noise], x)
        self.ema_network = keras.models.clone_model(self.network)

    def compile(self, **keywords):
        super().compile(**keywords)
        self.noise_loss = keras.metrics.Mean(name="n_loss")

    def train_step(self, images):
        images = self.normalizer(images, training=True)
        noises = keras.random.normal(ops.shape(images))
        rates = keras.random.uniform((ops.shape(images)[0], 1, 1, 1))
        with tf.GradientTape() as tape:
            loss = self.loss(noises, self.network([rates * images + (1 - rates) * noises, rates], training=True))
        weights = self.network.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        self.noise_loss.update_state(loss)
        for weight, kept in zip(self.network.weights, self.ema_network.weights, strict=True):
            kept.assign(0.999 * kept + 0.001 * weight)
        return {"n_loss": self.noise_loss.result()}


def diffusion():
    net = Denoising()
    net.compile(optimizer=keras.optimizers.AdamW(1e-3), loss=keras.losses.MeanAbsoluteError())
    net.normalizer.adapt(np.random.default_rng(0).random((10, SIDE, SIDE, 3), "float32"))
    return net


class ByName(keras.Model):
    def __init__(self):
        super().__init__()
        self.a, self.b = layers.Dense(16), layers.Dense(16)

    def train_step(self, batch):
        with tf.GradientTape() as tape:
            apart = self.a(batch["anchor"]) - self.b(batch["positive"])
            loss = ops.mean(ops.square(apart)) + ops.mean(ops.cast(batch["kind"], "float32"))
        weights = self.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return {"loss": loss}


def by_name():
    net = ByName()
    net.compile("sgd")
    return net


def by_name_with_a_batch():
    return by_name(), None, named_batches()[0]


def named_batches():
    one = {"anchor": np.ones((4, 12), "float32"), "positive": np.ones((4, 12), "float32"), "kind": np.arange(4)}
    return [one, one]


def named_pipeline(batch_size):
    return tf.data.Dataset.from_tensor_slices(named_batches()[0]).repeat(50).batch(batch_size, drop_remainder=True)


class Conditional(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(SIDE)

    def train_step(self, data):
        rows, one_hot = data
        with tf.GradientTape() as tape:
            loss = ops.mean(ops.square(self.dense(ops.concatenate([rows, one_hot], axis=-1)) - rows))
        self.optimizer.apply(tape.gradient(loss, self.trainable_weights), self.trainable_weights)
        return {"loss": loss}


def conditional():
    net = Conditional()
    net.compile("adam")
    return net


def needs_labels():
    image, code = keras.Input((SIDE, SIDE, 1)), keras.Input((LATENT,))
    encoder = keras.Model(image, layers.Dense(LATENT)(layers.Flatten()(image)))

    class Labelled(Parts):
        def train_step(self, data):
            images, _labels = data
            return super().train_step(images)

    net = Labelled(encoder, keras.Model(code, layers.Dense(3)(code)))
    net.compile()
    return net


def rows_and_labels(batch_size):
    for _ in range(20):
        yield np.ones((batch_size, SIDE), "float32"), np.ones((batch_size, 10), "float32")


class TwoSizes(Paired):
    def train_step(self, data):
        (many, _), (few, labels) = data
        assert many.shape[0] != 4
        return super().train_step((few, labels))


def two_sizes():
    net = TwoSizes(*dense(SIDE, 10, "softmax"))
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


def many_and_few(batch_size):
    rows = tf.data.Dataset.from_tensor_slices((np.ones((80, SIDE), "float32"), np.zeros(80, "int32")))
    return tf.data.Dataset.zip((rows.batch(batch_size), rows.batch(4)))


def images_alone():
    return np.zeros((64, SIDE, SIDE, 1), "float32")


class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(3, activation="softmax")

    def call(self, given):
        return self.dense(ops.concatenate([given["left"], given["right"]], axis=-1))


def called_on_a_dict():
    net = Plain()
    net({"left": tf.zeros((1, 16)), "right": tf.zeros((1, 16))})
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


def never_built():
    net = Plain()
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


def dictionaries_and_labels(batch_size):
    sides = {"left": np.ones((64, 5), "float32"), "right": np.ones((64, 7), "float32")}
    return tf.data.Dataset.from_tensor_slices((sides, np.zeros(64, "int32"))).batch(batch_size, drop_remainder=True)
