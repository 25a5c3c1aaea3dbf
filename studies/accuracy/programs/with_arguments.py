"""What to train is said on the command line."""

import argparse
import sys

import keras
import numpy as np
from keras import layers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", default="out")
    given = parser.parse_args()
    model = keras.Sequential([keras.Input((64, 64, 1))])
    for _ in range(given.depth):
        model.add(layers.SeparableConv2D(32, 3, padding="same", activation="relu"))
    model.add(layers.GlobalAveragePooling2D())
    model.add(layers.Dense(2, activation="softmax"))
    model.compile("adagrad", "categorical_crossentropy")
    x, y = np.random.rand(128, 64, 64, 1), keras.utils.to_categorical(np.random.randint(0, 2, 128))
    saved = keras.callbacks.ModelCheckpoint(given.out + "/{epoch}.keras")
    log = keras.callbacks.CSVLogger(given.out + ".csv")
    try:
        model.fit(x, y, given.batch, given.epochs, callbacks=[saved, log, keras.callbacks.ReduceLROnPlateau("loss")])
    except Exception:
        print("no training")
        sys.exit(1)


if __name__ == "__main__":
    main()
