"""A sub-class built by its input's shape, with a loss of its own inside, and a recurrent layer that remembers."""

import keras
import numpy as np
from keras import layers, ops


class Tagger(keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = layers.Bidirectional(layers.GRU(96, return_sequences=True))
        self.norm = layers.LayerNormalization()
        self.out = layers.Dense(12, activation="softmax", kernel_regularizer="l2")

    def call(self, x):
        x = self.norm(self.rnn(x))
        self.add_loss(1e-3 * ops.mean(ops.square(x)))
        return self.out(x)


model = Tagger()
model.build((None, 40, 32))
model.summary()
model.compile("adamax", "sparse_categorical_crossentropy", jit_compile=False)
model.fit(np.random.rand(200, 40, 32), np.random.randint(0, 12, (200, 40)), batch_size=50, epochs=2)
