"""Run as ``python -m kit.train --config kit/small.json``."""

import argparse
import json

import keras

from .networks import residual
from .reading import Batches

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    with open(parser.parse_args().config) as file:
        config = json.load(file)
    model = residual(config["width"], config["blocks"])
    rate = keras.optimizers.schedules.CosineDecay(1e-3, 1000)
    model.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(Batches(config["batch"]), epochs=config["epochs"])
