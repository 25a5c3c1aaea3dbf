"""Four folds, a new network for each."""

import keras
import numpy as np
from keras import layers

x, y = np.random.rand(2000, 60).astype("float32"), np.random.rand(2000).astype("float32")


def build():
    model = keras.Sequential(
        [layers.Dense(700, activation="relu"), layers.Dense(700, activation="relu"), layers.Dense(1)]
    )
    model.compile(optimizer="rmsprop", loss="mse", metrics=["mae"])
    return model


scores, size = [], len(x) // 4
for fold in range(4):
    held = slice(fold * size, (fold + 1) * size)
    rest = np.r_[0 : fold * size, (fold + 1) * size : len(x)]
    model = build()
    model.fit(x[rest], y[rest], validation_data=(x[held], y[held]), epochs=2, batch_size=100, verbose=0)
    scores.append(model.evaluate(x[held], y[held], verbose=0)[0])
print(np.mean(scores))
