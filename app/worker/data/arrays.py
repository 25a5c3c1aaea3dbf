"""Arrays from ``.npz`` files and from the files of ``keras.datasets``.

The arrays stay in NumPy's memory and rows are picked from them, so that the data does not count as memory of
TensorFlow's allocator, which a benchmark measures.
"""

from __future__ import annotations

import gzip
import math
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from app.core.pipeline.datafiles import choose_arrays
from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.data.fit import check_numbers, image_sample
from app.worker.data.plan import calls_at_once
from app.worker.models.built import BuiltModel

_CHUNK = 256
"""Rows picked at once: a call into Python for each would cost more than the row."""
_SHUFFLED = 1_000_000
_IDX_HEADER = {3: 16, 1: 8}
_PICKLE_ALLOWED = frozenset(
    (
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
        ("_codecs", "encode"),
    )
)
"""What arrays are made of; the last one stands for bytes in old pickles."""


def samples(built: BuiltModel, dataset: Dataset, plan: Plan) -> Any:
    """Rows of the arrays in an order drawn by chance; images are resized to the model's size.

    Raises:
        BadDataset: The file is damaged or does not suit the model.
    """
    import tensorflow as tf

    x, y = load_arrays(Path(dataset.path or ""))
    x = _with_channels(x, built)
    is_image = x.dtype == np.uint8 and x.ndim == 4 and len(built.input_specs[0].shape) == 3
    if not is_image:
        check_numbers(built, x.shape[1:], dataset.name)

    def pick(indices: Any) -> tuple[Any, Any]:
        rows, labels = tf.numpy_function(lambda i: (x[i], y[i]), [indices], (x.dtype, y.dtype), stateful=False)
        rows.set_shape((None, *x.shape[1:]))
        labels.set_shape((None, *y.shape[1:]))
        return rows, labels

    order = tf.data.Dataset.range(len(x)).shuffle(min(len(x), _SHUFFLED)).batch(_CHUNK)
    picked = order.map(pick, num_parallel_calls=calls_at_once(plan)).unbatch()
    if not is_image:
        return picked
    return picked.map(lambda row, label: image_sample(built, row, label), num_parallel_calls=calls_at_once(plan))


def load_arrays(path: Path) -> tuple[Any, Any]:
    """Training data and labels of a file or of a folder of `keras.datasets`; zeros where there are no labels.

    Raises:
        BadDataset: The file is damaged or holds something else.
    """
    try:
        if path.suffix == ".npz":
            return _npz(path)
        if path.name == "fashion-mnist":
            return _idx(path / "train-images-idx3-ubyte.gz"), _idx(path / "train-labels-idx1-ubyte.gz")
        if path.name.startswith("cifar"):
            return _cifar(path)
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, pickle.UnpicklingError) as error:
        raise BadDataset(
            phrase("the data cannot be read"), expected="arrays", received=f"{path.name}: {error}"
        ) from error
    raise BadDataset(
        phrase("this data is not known"), expected=phrase(".npz or a folder of keras.datasets"), received=str(path)
    )


def _npz(path: Path) -> tuple[Any, Any]:
    """The arrays that the scan told the user about."""
    with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
        chosen = choose_arrays(dict.fromkeys(arrays.files, 0))
        if chosen is None:
            raise BadDataset(
                phrase("the arrays have no names that are known"),
                expected=phrase("x_train and y_train, or x and y"),
                received=", ".join(sorted(arrays.files)[:8]),
            )
        data, labels = chosen
        x = arrays[data]
        y = arrays[labels] if labels is not None else np.zeros(len(x), np.int32)
    if len(x) != len(y):
        raise BadDataset(
            phrase("data and labels differ in length"),
            expected=phrase("{count} labels", count=len(x)),
            received=str(len(y)),
        )
    return x, y


def _idx(path: Path) -> Any:
    """An array in the format of MNIST (yann.lecun.com/exdb/mnist): magic, sizes, bytes."""
    with gzip.open(path, "rb") as file:
        data = file.read()
    rank = data[3]
    shape = tuple(int.from_bytes(data[4 + 4 * i : 8 + 4 * i], "big") for i in range(rank))
    return np.frombuffer(data, np.uint8, count=math.prod(shape), offset=_IDX_HEADER[rank]).reshape(shape)


def _cifar(folder: Path) -> tuple[Any, Any]:
    """CIFAR-10 or CIFAR-100 in its Python version (cs.toronto.edu/~kriz/cifar.html)."""
    parts = sorted(folder.glob("data_batch_*")) or [folder / "train"]
    images, labels = [], []
    for part in parts:
        with open(part, "rb") as file:
            content = _ArrayUnpickler(file, encoding="bytes").load()
        images.append(content[b"data"])
        labels.extend(content.get(b"fine_labels") or content[b"labels"])
    x = np.concatenate(images).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(x), np.asarray(labels, np.int32)


class _ArrayUnpickler(pickle.Unpickler):
    """Reads pickles of arrays and nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse everything but what an array needs."""
        if (module, name) not in _PICKLE_ALLOWED:
            raise pickle.UnpicklingError(phrase("{module}.{name} is not allowed", module=module, name=name))
        return super().find_class(module, name)


def _with_channels(x: Any, built: BuiltModel) -> Any:
    """Grey images without a channel axis get one, if the model takes images."""
    return x[..., None] if x.ndim == 3 and len(built.input_specs[0].shape) == 3 else x
