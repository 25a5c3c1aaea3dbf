"""Outputs and losses by name, inputs of one value, functions whose arguments have names; a class, and a model."""

from __future__ import annotations

import keras  # noqa: TID253 - loaded in a child, as a user's file is
from keras import layers  # noqa: TID253

LOSSES = {"z_class": "sparse_categorical_crossentropy", "a_value": "mse"}


def heads():
    row = keras.Input((12,))
    x = layers.Dense(16, activation="relu")(row)
    return row, layers.Dense(5, activation="softmax", name="z_class")(x), layers.Dense(2, name="a_value")(x)


def losses_by_name_of_a_list():
    row, z, a = heads()
    net = keras.Model(row, [z, a])
    net.compile("adam", LOSSES)
    return net


def losses_by_name_of_a_dictionary():
    row, z, a = heads()
    net = keras.Model(row, {"z_class": z, "a_value": a})
    net.compile("adam", LOSSES)
    return net


class Heads(keras.Model):
    def __init__(self):
        super().__init__()
        self.z, self.a = layers.Dense(5, activation="softmax"), layers.Dense(2)

    def call(self, x):
        return {"z_class": self.z(x), "a_value": self.a(x)}


def losses_by_name_of_a_subclass():
    net = Heads()
    net.build((None, 12))
    return net, LOSSES


def one_value_each():
    user, item = keras.Input((), dtype="int32", name="user"), keras.Input((), dtype="int32", name="item")
    rows = [layers.Embedding(100, 8)(one) for one in (user, item)]
    return keras.Model({"user": user, "item": item}, layers.Dot(axes=1)(rows)), "mse"


def one_word():
    word = keras.Input((), dtype="string")
    x = layers.Embedding(4, 8)(layers.StringLookup(vocabulary=["a", "b", "words"])(word))
    return keras.Model(word, layers.Dense(1, activation="sigmoid")(x))


def usual_names(num_classes, image_size=72, depth=1):
    image = keras.Input((image_size, image_size, 3))
    x = image
    for _ in range(depth):
        x = layers.Conv2D(8, 3)(x)
    return keras.Model(image, layers.Dense(num_classes, activation="softmax")(layers.GlobalMaxPooling2D()(x)))


def words_of(vocab_size, maxlen=20):
    tokens = keras.Input((maxlen,), dtype="int32")
    return keras.Model(tokens, layers.Dense(1)(layers.Flatten()(layers.Embedding(vocab_size, 4)(tokens))))


class Network(keras.Model):
    def __init__(self, units=4, **keywords):
        super().__init__(**keywords)
        self.dense = layers.Dense(units, activation="softmax")

    def call(self, x):
        return self.dense(x)


model = keras.Sequential([keras.Input((6,)), layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
