"""Small models, one of each kind that people train; built by name through ``kinds.py:function`` as a user's file is."""

from __future__ import annotations

import keras  # noqa: TID253 - loaded in a child, as a user's file is
import tensorflow as tf  # noqa: TID253
from keras import layers  # noqa: TID253


def one_dimension():
    sound = x = keras.Input((2000, 2))
    for filters in (32, 64):
        x = layers.Conv1D(filters, 9, strides=2, padding="same", activation="relu")(x)
    return keras.Model(sound, layers.Dense(8, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


def three_dimensions():
    video = x = keras.Input((8, 32, 32, 3))
    for filters in (16, 32):
        x = layers.MaxPooling3D(2)(layers.Conv3D(filters, 3, padding="same", activation="relu")(x))
    return keras.Model(video, layers.Dense(5, activation="softmax")(layers.GlobalAveragePooling3D()(x)))


def several_inputs_and_outputs():
    image, row = keras.Input((48, 48, 3)), keras.Input((64,))
    x = layers.MaxPooling2D(2)(layers.Conv2D(32, 3, padding="same", activation="relu")(image))
    both = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.Dense(256, activation="relu")(row)])
    both = layers.Dense(512, activation="relu")(both)
    return keras.Model([image, row], [layers.Dense(20, activation="softmax")(both), layers.Dense(1)(both)])


def shared_layers():
    encoder = keras.Sequential([keras.Input((48, 48, 3))])
    for filters in (32, 64):
        encoder.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
        encoder.add(layers.MaxPooling2D(2))
    encoder.add(layers.GlobalAveragePooling2D())
    a, b = keras.Input((48, 48, 3)), keras.Input((48, 48, 3))
    apart = layers.Subtract()([encoder(a), encoder(b)])
    return keras.Model([a, b], layers.Dense(1, activation="sigmoid")(apart))


def nested_backbone(trainable=True):
    stem = keras.Sequential([keras.Input((64, 64, 3))], name="stem")
    stem.add(layers.Conv2D(32, 3, padding="same", activation="relu"))
    stem.add(layers.BatchNormalization())
    image = keras.Input((64, 64, 3))
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(layers.MaxPooling2D(2)(stem(image)))
    backbone = keras.Model(image, layers.BatchNormalization()(x), name="backbone")
    backbone.trainable = trainable
    picture = keras.Input((64, 64, 3))
    x = layers.GlobalAveragePooling2D()(backbone(picture))
    return keras.Model(picture, layers.Dense(10, activation="softmax")(x))


def frozen_backbone():
    return nested_backbone(trainable=False)


class Gated(layers.Layer):
    """A product of two dense layers, one through a sigmoid, times a trained scale."""

    def __init__(self, units, **keywords):
        super().__init__(**keywords)
        self.value, self.gate = layers.Dense(units), layers.Dense(units, activation="sigmoid")

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(self.value.units,), initializer="ones", name="scale")
        self.value.build(input_shape)
        self.gate.build(input_shape)

    def call(self, x):
        return self.value(x) * self.gate(x) * self.scale


def huber_of_logs(true, predicted):
    apart = keras.ops.abs(keras.ops.log1p(keras.ops.abs(true)) - keras.ops.log1p(keras.ops.abs(predicted)))
    return keras.ops.mean(keras.ops.where(apart < 1, 0.5 * apart * apart, apart - 0.5), axis=-1)


def custom_layer_and_loss():
    row = x = keras.Input((256,))
    for _ in range(3):
        x = Gated(512)(x)
    return keras.Model(row, layers.Dense(256)(x)), huber_of_logs


def attention():
    tokens = keras.Input((96,), dtype="int32")
    x = layers.Embedding(2000, 96)(tokens)
    for _ in range(2):
        y = layers.MultiHeadAttention(4, 24)(layers.LayerNormalization()(x), x, use_causal_mask=True)
        x = layers.Add()([x, y])
        x = layers.Add()([x, layers.Dense(96)(layers.Dense(384, activation="gelu")(layers.LayerNormalization()(x)))])
    return keras.Model(tokens, layers.Dense(4, activation="softmax")(layers.GlobalAveragePooling1D()(x)))


def recurrent():
    frames = keras.Input((40, 32))
    x = layers.Bidirectional(layers.LSTM(64, return_sequences=True))(frames)
    return keras.Model(frames, layers.Dense(6, activation="softmax")(layers.GRU(64)(x)))


def subclassed(input_shape=(48, 48, 3)):
    import numpy as np

    class Residual(keras.Model):
        def __init__(self):
            super().__init__()
            self.stem = layers.Conv2D(32, 3, padding="same")
            self.blocks = [layers.Conv2D(32, 3, padding="same", activation="relu") for _ in range(3)]
            self.head = layers.Dense(10, activation="softmax")

        def call(self, x):
            x = self.stem(x)
            for block in self.blocks:
                x = x + block(x)
            return self.head(keras.ops.mean(x, axis=(1, 2)))

    labels = np.zeros(2, np.int32)
    return Residual(), "sparse_categorical_crossentropy", (np.zeros((2, *input_shape), np.float32), labels)


def called_once():
    class Residual(keras.Model):
        def __init__(self):
            super().__init__()
            self.stem = layers.Dense(512)
            self.blocks = [layers.Dense(512, activation="relu") for _ in range(3)]
            self.head = layers.Dense(10, activation="softmax")

        def call(self, x):
            x = self.stem(x)
            for block in self.blocks:
                x = x + block(x)
            return self.head(x)

    net = Residual()
    net(keras.ops.zeros((1, 64)))
    net.compile("adam", "sparse_categorical_crossentropy")
    return net


def own_step_of_one_tensor():
    class Autoencoder(keras.Model):
        def train_step(self, images):
            with tf.GradientTape() as tape:
                loss = keras.ops.mean(keras.ops.square(self(images, training=True) - images))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            return {"loss": loss}

    image = x = keras.Input((48, 48, 3))
    for filters in (32, 64):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
    for filters in (32, 3):
        x = layers.Conv2DTranspose(filters, 3, strides=2, padding="same")(x)
    net = Autoencoder(image, x)
    net.compile("adam")
    return net


def tied_weights():
    class Tied(keras.Model):
        def __init__(self):
            super().__init__()
            self.words = layers.Embedding(2000, 96)
            self.recurrent = layers.GRU(96, return_sequences=True)

        def call(self, tokens):
            return keras.ops.matmul(self.recurrent(self.words(tokens)), keras.ops.transpose(self.words.embeddings))

    net = Tied()
    net(keras.ops.zeros((1, 24), "int32"))
    return net, keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def adversaries():
    class Adversaries(keras.Model):
        def __init__(self, discriminator, generator):
            super().__init__()
            self.discriminator, self.generator = discriminator, generator

        def compile(self, d_optimizer, g_optimizer, loss_fn):
            super().compile()
            self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

        def train_step(self, real):
            count = keras.ops.shape(real)[0]
            made = self.generator(keras.random.normal((count, 128)))
            labels = keras.ops.concatenate([keras.ops.ones((count, 1)), keras.ops.zeros((count, 1))])
            with tf.GradientTape() as tape:
                loss = self.loss_fn(labels, self.discriminator(keras.ops.concatenate([made, real])))
            weights = self.discriminator.trainable_weights
            self.d_optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
            with tf.GradientTape() as tape:
                made = self.generator(keras.random.normal((count, 128)))
                misled = self.loss_fn(keras.ops.zeros((count, 1)), self.discriminator(made))
            weights = self.generator.trainable_weights
            self.g_optimizer.apply_gradients(zip(tape.gradient(misled, weights), weights, strict=True))
            return {"loss": loss, "misled": misled}

    image, code = keras.Input((32, 32, 1)), keras.Input((128,))
    x = image
    for filters in (64, 128):
        x = layers.LeakyReLU()(layers.Conv2D(filters, 3, strides=2, padding="same")(x))
    discriminator = keras.Model(image, layers.Dense(1, activation="sigmoid")(layers.GlobalMaxPooling2D()(x)))
    x = layers.Reshape((8, 8, 128))(layers.Dense(8 * 8 * 128, activation="relu")(code))
    for filters in (128, 128):
        x = layers.LeakyReLU()(layers.Conv2DTranspose(filters, 4, strides=2, padding="same")(x))
    generator = keras.Model(code, layers.Conv2D(1, 7, padding="same", activation="sigmoid")(x))
    net = Adversaries(discriminator, generator)
    net.compile(keras.optimizers.Adam(), keras.optimizers.Adam(), keras.losses.BinaryCrossentropy())
    return net
