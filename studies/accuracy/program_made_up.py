"""Files that stand for what the programs of others download or expect beside them: of the documented shapes, made up.

Each maker writes one file, named as the last part of its address.  Sample counts are the documented ones, but for
Moving MNIST, of whose 10,000 films the program takes 1000.
"""

from __future__ import annotations

import gzip
import io
import pickle
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Random = np.random.Generator


def downloads(folder: Path) -> Path:
    """The folder of all downloads, made once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MAKERS.items():
        path = folder / name
        if not path.exists():
            made = make(np.random.default_rng(0))
            path.with_suffix(".part").write_bytes(made)
            path.with_suffix(".part").rename(path)
    return folder


def beside(names: tuple[str, ...], folder: Path) -> None:
    """What a program expects in its working folder."""
    for name in names:
        BESIDE[name](folder)


def _npz(**arrays: np.ndarray) -> bytes:
    """Arrays as one file."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=True, **arrays)
    return file.getvalue()


def _mnist(random: Random) -> bytes:
    """60,000 and 10,000 digits of 28 × 28."""
    return _npz(
        x_train=random.integers(0, 256, (60000, 28, 28), "uint8"),
        y_train=random.integers(0, 10, 60000, "uint8"),
        x_test=random.integers(0, 256, (10000, 28, 28), "uint8"),
        y_test=random.integers(0, 10, 10000, "uint8"),
    )


def _idx(shape: tuple[int, ...], below: int) -> Callable[[Random], bytes]:
    """Fashion-MNIST's own format: a head of 16 or 8 bytes, then the values."""
    head = bytes(16 if len(shape) > 1 else 8)
    return lambda random: gzip.compress(head + random.integers(0, below, shape, "uint8").tobytes(), 1)


def _cifar(folder: str, parts: dict[str, int], labels: dict[bytes, int]) -> Callable[[Random], bytes]:
    """Pickled batches in an archive."""

    def made(random: Random) -> bytes:
        files = {}
        for name, count in parts.items():
            batch: dict[bytes, Any] = {b"data": random.integers(0, 256, (count, 3072), "uint8")}
            batch |= {label: random.integers(0, below, count).tolist() for label, below in labels.items()}
            files[f"{folder}/{name}"] = pickle.dumps(batch, protocol=4)
        return _tar(files)

    return made


def _tar(files: dict[str, bytes]) -> bytes:
    """Files as an archive."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def _imdb(random: Random) -> bytes:
    """25,000 and 25,000 reviews of 20 to 400 words."""

    def reviews() -> np.ndarray:
        made = np.empty(25000, dtype=object)
        for index, length in enumerate(random.integers(20, 400, 25000)):
            made[index] = random.integers(1, 88000, length).tolist()
        return made

    labels = random.integers(0, 2, (2, 25000))
    return _npz(x_train=reviews(), y_train=labels[0], x_test=reviews(), y_test=labels[1])


def _films(random: Random) -> bytes:
    """Moving MNIST: 20 pictures of 64 × 64."""
    file = io.BytesIO()
    np.save(file, random.integers(0, 256, (20, 1000, 64, 64), "uint8"))
    return file.getvalue()


def _text(random: Random) -> bytes:
    """600,000 characters."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz     .,;:-()'\"!?0123456789\n"))
    return "".join(random.choice(letters, 600_000)).encode()


def _ford(rows: int) -> Callable[[Random], bytes]:
    """A label and 500 values of an engine."""

    def made(random: Random) -> bytes:
        lines = [
            "\t".join([str(label), *(f"{value:.4f}" for value in values)])
            for label, values in zip(random.choice([-1, 1], rows), random.normal(size=(rows, 500)), strict=True)
        ]
        return "\n".join(lines).encode()

    return made


def _series(random: Random) -> bytes:
    """4032 values, five minutes apart."""
    times = np.datetime64("2014-04-01T00:00:00") + np.arange(4032) * np.timedelta64(5, "m")
    values = random.normal(42, 10, 4032)
    lines = [f"{str(t).replace('T', ' ')},{v:.4f}" for t, v in zip(times, values, strict=True)]
    return "\n".join(["timestamp,value", *lines]).encode()


def _heart(random: Random) -> bytes:
    """303 patients with 13 features."""
    head = "age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,target"
    words = np.array(["fixed", "normal", "reversible"])
    lines = [head]
    for _ in range(303):
        whole = random.integers(0, 3, 9)
        lines.append(
            f"{random.integers(30, 77)},{whole[0] % 2},{whole[1]},{random.integers(94, 200)},"
            f"{random.integers(126, 564)},{whole[2] % 2},{whole[3]},{random.integers(71, 202)},{whole[4] % 2},"
            f"{random.random() * 6:.1f},{whole[5]},{whole[6]},{random.choice(words)},{whole[8] % 2}"
        )
    return "\n".join(lines).encode()


def _movielens(random: Random) -> bytes:
    """100,836 ratings of 610 users on 9724 films."""
    users, films = random.integers(1, 611, 100_836), random.integers(1, 9725, 100_836)
    stars = random.integers(1, 11, 100_836) / 2
    ratings = [f"{u},{m},{s},964982703" for u, m, s in zip(users, films, stars, strict=True)]
    movies = [f"{number},Film {number},Drama" for number in range(1, 9725)]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("ml-latest-small/ratings.csv", "\n".join(["userId,movieId,rating,timestamp", *ratings]))
        archive.writestr("ml-latest-small/movies.csv", "\n".join(["movieId,title,genres", *movies]))
    return made.getvalue()


def _cora(random: Random) -> bytes:
    """2708 papers of 1433 words and 7 subjects, 5429 citations."""
    words = random.integers(0, 2, (2708, 1433)).astype(str)
    papers = ["\t".join([str(number), *row, f"subject{number % 7}"]) for number, row in enumerate(words)]
    pairs = [f"{a}\t{b}" for a, b in random.integers(0, 2708, (5429, 2))]
    return _tar({"cora/cora.content": "\n".join(papers).encode(), "cora/cora.cites": "\n".join(pairs).encode()})


MAKERS: dict[str, Callable[[Random], bytes]] = {
    "mnist.npz": _mnist,
    "train-images-idx3-ubyte.gz": _idx((60000, 28, 28), 256),
    "train-labels-idx1-ubyte.gz": _idx((60000,), 10),
    "t10k-images-idx3-ubyte.gz": _idx((10000, 28, 28), 256),
    "t10k-labels-idx1-ubyte.gz": _idx((10000,), 10),
    "cifar-10-python.tar.gz": _cifar(
        "cifar-10-batches-py",
        {**{f"data_batch_{number}": 10000 for number in range(1, 6)}, "test_batch": 10000},
        {b"labels": 10},
    ),
    "cifar-100-python.tar.gz": _cifar(
        "cifar-100-python", {"train": 50000, "test": 10000}, {b"fine_labels": 100, b"coarse_labels": 20}
    ),
    "imdb.npz": _imdb,
    "mnist_test_seq.npy": _films,
    "nietzsche.txt": _text,
    "FordA_TRAIN.tsv": _ford(3601),
    "FordA_TEST.tsv": _ford(1320),
    "art_daily_small_noise.csv": _series,
    "art_daily_jumpsup.csv": _series,
    "heart.csv": _heart,
    "ml-latest-small.zip": _movielens,
    "cora.tgz": _cora,
}


def _images(folder: Path) -> None:
    """CIFAR-10 as folders of pictures, six of each class."""
    from PIL import Image

    random = np.random.default_rng(0)
    for part in ("train", "val", "test"):
        for label in range(10):
            place = folder / "cifar10" / part / str(label)
            place.mkdir(parents=True)
            for number in range(64 if part == "train" else 6):
                Image.fromarray(random.integers(0, 256, (32, 32, 3), "uint8")).save(place / f"{number}.png")


BESIDE: dict[str, Callable[[Path], None]] = {"cifar10/": _images}
