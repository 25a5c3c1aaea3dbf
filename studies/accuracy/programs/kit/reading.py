"""Data of the package, a batch at a time."""

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __init__(self, size):
        super().__init__(workers=1)
        self.size = size

    def __len__(self):
        return 10

    def __getitem__(self, index):
        random = np.random.default_rng(index)
        return random.random((self.size, 32, 32, 3), "float32"), random.integers(0, 10, self.size)
