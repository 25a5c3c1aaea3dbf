"""Datasets that ``keras.datasets`` has downloaded to this machine before."""

from __future__ import annotations

import os
from pathlib import Path

from app.core.types.text import phrase
from app.core.types.workload import Dataset

_SOURCE = phrase("downloaded by keras.datasets")
_KNOWN: tuple[tuple[str, tuple[str, ...], int, tuple[int, ...], str, int, bool], ...] = (
    ("mnist", ("mnist.npz",), 60_000, (28, 28, 1), "uint8", 10, True),
    ("fashion_mnist", ("fashion-mnist",), 60_000, (28, 28, 1), "uint8", 10, True),
    (
        "cifar10",
        ("cifar-10-batches-py", "cifar-10-batches-py-target/cifar-10-batches-py"),
        50_000,
        (32, 32, 3),
        "uint8",
        10,
        True,
    ),
    (
        "cifar100",
        ("cifar-100-python", "cifar-100-python-target/cifar-100-python"),
        50_000,
        (32, 32, 3),
        "uint8",
        100,
        True,
    ),
    ("california_housing", ("california_housing.npz",), 16_512, (8,), "float64", 1, True),
    ("boston_housing", ("boston_housing.npz",), 404, (13,), "float64", 1, True),
)
"""Name, places below the folder, samples and shape of the training split, type, classes, readable.

The sequences of ``imdb`` and ``reuters`` are stored as Python objects, which are not opened."""

_OBJECTS = (("imdb", "imdb.npz", 25_000, 2), ("reuters", "reuters.npz", 8_982, 46))


def keras_home() -> Path:
    """Where Keras keeps its files."""
    return Path(os.environ.get("KERAS_HOME") or Path.home() / ".keras")


def find_keras_datasets(home: Path | None = None) -> tuple[Dataset, ...]:
    """Datasets of `keras.datasets` that are on this machine; ``real`` where a benchmark can read them."""
    folder = (home or keras_home()) / "datasets"
    found = []
    for name, places, samples, shape, dtype, classes, real in _KNOWN:
        path = next((folder / place for place in places if (folder / place).exists()), None)
        if path is not None:
            found.append(_dataset(name, path, samples, shape, dtype, classes, real))
    for name, file, samples, classes in _OBJECTS:
        if (folder / file).is_file():
            found.append(_dataset(name, folder / file, samples, (None,), "int32", classes, False))
    return tuple(found)


def _dataset(
    name: str, path: Path, samples: int, shape: tuple[int | None, ...], dtype: str, classes: int, real: bool
) -> Dataset:
    """One of them."""
    files = [p for p in path.rglob("*") if p.is_file()] if path.is_dir() else [path]
    return Dataset(
        name,
        kind="keras",
        path=str(path),
        samples=samples,
        sample_shape=shape,
        dtype=dtype,
        classes=classes,
        bytes_on_disk=sum(p.stat().st_size for p in files),
        files=len(files),
        source=_SOURCE,
        real=real,
    )
