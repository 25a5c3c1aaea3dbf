"""Files of ``keras.datasets`` as Keras leaves them on disk; no TensorFlow is needed to read them."""

from __future__ import annotations

import gzip
import os
import pickle

import numpy as np
import pytest

from app.core.types.errors import BadDataset
from app.worker.data.arrays import load_arrays


def idx(array: np.ndarray) -> bytes:
    sizes = b"".join(n.to_bytes(4, "big") for n in array.shape)
    return gzip.compress(bytes((0, 0, 8, array.ndim)) + sizes + array.tobytes())


def test_fashion_mnist(tmp_path):
    folder = tmp_path / "fashion-mnist"
    folder.mkdir()
    images = np.arange(5 * 28 * 28).reshape(5, 28, 28).astype(np.uint8)
    labels = np.arange(5, dtype=np.uint8)
    (folder / "train-images-idx3-ubyte.gz").write_bytes(idx(images))
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(idx(labels))
    x, y = load_arrays(folder)
    assert np.array_equal(x, images)
    assert np.array_equal(y, labels)


def test_cifar(tmp_path):
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    data = np.random.default_rng(0).integers(0, 255, (4, 3072), dtype=np.uint8)
    for part in (1, 2):
        content = {b"data": data, b"labels": [part] * 4}
        (folder / f"data_batch_{part}").write_bytes(pickle.dumps(content, protocol=2))
    x, y = load_arrays(folder)
    assert x.shape == (8, 32, 32, 3)
    assert x[0, 0, 0].tolist() == [data[0, 0], data[0, 1024], data[0, 2048]]
    assert y.tolist() == [1] * 4 + [2] * 4


class Command:
    def __reduce__(self):
        return os.mkdir, ("run_by_a_pickle",)


def test_a_pickle_that_runs_code_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    (folder / "data_batch_1").write_bytes(pickle.dumps({b"data": Command()}))
    with pytest.raises(BadDataset, match="not allowed"):
        load_arrays(folder)
    assert not (tmp_path / "run_by_a_pickle").exists()


def test_labels_of_another_length(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros((3, 2)), y=np.zeros(4))
    with pytest.raises(BadDataset, match="differ in length"):
        load_arrays(tmp_path / "a.npz")


def test_a_damaged_file(tmp_path):
    (tmp_path / "a.npz").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(BadDataset, match="cannot be read"):
        load_arrays(tmp_path / "a.npz")
