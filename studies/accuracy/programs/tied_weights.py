"""A language model whose head is its embedding, transposed."""

import keras
import numpy as np
from keras import layers, ops

VOCABULARY, LENGTH, WIDTH = 4000, 64, 128


class Tied(layers.Layer):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.embedding.embeddings))


inputs = keras.Input((LENGTH,), dtype="int32")
embedding = layers.Embedding(VOCABULARY, WIDTH)
x = embedding(inputs)
x = layers.GRU(WIDTH, return_sequences=True)(x)
model = keras.Model(inputs, Tied(embedding)(x))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
tokens = np.random.randint(0, VOCABULARY, (128, LENGTH + 1))
model.fit(tokens[:, :-1], tokens[:, 1:], batch_size=16, epochs=3)
