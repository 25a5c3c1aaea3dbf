"""Layers in a module of their own that fail where they are called."""

from __future__ import annotations

import keras  # noqa: TID253 - loaded in a child, as a user's file is
from keras import ops  # noqa: TID253


class Mismatched(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1] + 1, 4))

    def call(self, x):
        return ops.matmul(x, self.kernel)  # here: imported


class OwnError(Exception):
    def __init__(self, name, number):
        super().__init__(f"{name} of {number}")


def refuse(values):
    raise OwnError("nothing", len(values))  # here: own_error
