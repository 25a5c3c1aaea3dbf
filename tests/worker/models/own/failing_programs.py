"""Functions whose models cannot be built or trained; each error is to be found by its line."""

from __future__ import annotations

import keras  # noqa: TID253 - loaded in a child, as a user's file is
import numpy as np
import tensorflow as tf  # noqa: TID253
from failing_parts import Mismatched, refuse
from keras import layers  # noqa: TID253


def imported():
    row = keras.Input((12,))
    return keras.Model(row, Mismatched()(row))


def own_error():
    refuse([1, 2, 3])


class Crashing(keras.Model):
    def call(self, x):
        return self.nothing(x)  # here: in_a_call


def in_a_call():
    net = Crashing()
    net(np.ones((2, 3), "float32"))
    return net


def never_called():
    return Crashing()


def in_a_graph():
    @tf.function
    def work(x):
        raise ValueError("not like this")  # here: in_a_graph

    return work(tf.zeros(3))


class Misspelt(keras.Model):
    def train_step(self, data):
        x, _ = data
        return {"loss": self.conpute_loss(x)}  # here: in_a_step


def in_a_step():
    row = keras.Input((3,))
    net = Misspelt(row, layers.Dense(1)(row))
    net.compile("sgd", "mse")
    return net


def with_values():
    values = tf.random.normal((40, 40))
    weight = keras.Variable(values)
    raise ValueError(f"bad values {values!r}, {weight!r} and {values.numpy().tolist()} they are")  # here: with_values
