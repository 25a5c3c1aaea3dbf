"""A sub-class that is built by calling it once on data."""

import keras
import numpy as np


class Classifier(keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.convs = [keras.layers.Conv2D(n, 3, strides=2, padding="same", activation="relu") for n in (32, 64, 128)]
        self.pool = keras.layers.GlobalAveragePooling2D()
        self.dropout = keras.layers.Dropout(0.3)
        self.head = keras.layers.Dense(classes)

    def call(self, x, training=False):
        for conv in self.convs:
            x = conv(x)
        return self.head(self.dropout(self.pool(x), training=training))


x = np.random.rand(256, 64, 64, 3).astype("float32")
y = np.random.randint(0, 10, 256)
model = Classifier(10)
print("before training:", np.asarray(model(x[:1])).round(2))
model.compile("rmsprop", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(x, y, batch_size=32, epochs=2)
