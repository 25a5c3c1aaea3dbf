"""Preprocessing layers that look at the data before the network is built."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

words = np.array("the a cat dog sat ran on under mat tree quickly slowly and then".split())
texts = [" ".join(np.random.choice(words, 40)) for _ in range(400)]
ages = np.random.normal(40, 12, (400, 6)).astype("float32")
vectorize = layers.TextVectorization(max_tokens=5000, output_sequence_length=50)
vectorize.adapt(texts)
normalize = layers.Normalization()
normalize.adapt(ages)
text, age = keras.Input((50,), dtype="int64", name="text"), keras.Input((6,), name="age")
x = layers.Embedding(vectorize.vocabulary_size(), 256)(text)
x = layers.Bidirectional(layers.LSTM(64))(x)
x = layers.Concatenate()([x, layers.Dense(64, activation="relu")(normalize(age))])
model = keras.Model([text, age], layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC()])
labels = np.random.randint(0, 2, 400).astype("float32")
data = tf.data.Dataset.from_tensor_slices(({"text": vectorize(texts), "age": ages}, labels)).batch(50).prefetch(1)
model.fit(data, epochs=2)
