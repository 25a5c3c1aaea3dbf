"""Translation: the encoder reads 59 steps, the decoder 16."""

import keras
import numpy as np
from keras import layers

SOURCE, TARGET, LATENT = 71, 93, 192
encoder_inputs = keras.Input((None, SOURCE))
_, h, c = layers.LSTM(LATENT, return_state=True)(encoder_inputs)
decoder_inputs = keras.Input((None, TARGET))
x, _, _ = layers.LSTM(LATENT, return_sequences=True, return_state=True)(decoder_inputs, initial_state=[h, c])
model = keras.Model([encoder_inputs, decoder_inputs], layers.Dense(TARGET, activation="softmax")(x))
model.compile("rmsprop", "categorical_crossentropy", metrics=["accuracy"])
source = np.random.rand(256, 59, SOURCE).astype("float32")
target = np.random.rand(256, 16, TARGET).astype("float32")
model.fit([source, target], target, batch_size=64, epochs=2, validation_split=0.2)
