"""The user's own pipeline in a real child with real TensorFlow."""

from pathlib import Path

import pytest

from app.core.types.measurement import RunResult
from app.core.types.workload import Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.datasets.code import code_dataset
from tests.fakes.own_code import allowed_data, own_model

pytestmark = pytest.mark.worker
OWN = """
import keras
import numpy as np
import tensorflow as tf

x = np.random.rand(100, 8).astype("float32")
y = np.random.randint(0, 4, 100)

def model():
    net = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
    return net, keras.losses.SparseCategoricalCrossentropy(from_logits=True)

def tensors(batch_size):
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(batch_size)

class Rows(keras.utils.PyDataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return x[16 * index : 16 * index + 16], y[16 * index : 16 * index + 16]

def rows():
    return Rows()

def arrays():
    return x, y

def generator(batch_size):
    for start in range(0, 100, batch_size):
        yield x[start : start + batch_size], y[start : start + batch_size]

def wide(batch_size):
    return tf.data.Dataset.from_tensor_slices((x[:, :5], y)).batch(batch_size)

def small():
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(10)

def single():
    return tf.data.Dataset.from_tensor_slices((x, y))

def nothing():
    return 5

def breaks():
    return {}["no such data"]
"""


def run(folder: Path, function: str, *, trust: bool = True, seconds: float = 1.0) -> RunResult:
    file = folder / "mine.py"
    file.write_text(OWN)
    model = own_model(file, "model")
    data = code_dataset(f"{file}:{function}")
    data = allowed_data(data) if trust and data is not None else data
    return bench(Workload(model, data, Plan(batch_size=16, device="cpu")), options=BenchOptions(seconds=seconds))


@pytest.mark.parametrize("function", ["tensors", "rows", "arrays", "generator"])
def test_whatever_fit_takes_is_measured(tmp_path: Path, function: str):
    result = run(tmp_path, function)
    assert result.outcome == "succeeded", result.problem
    measured = result.measurement
    assert measured is not None
    assert measured.data_only_step_s is not None
    assert not any("made up" in warning for warning in result.warnings)
    if function != "generator":  # nobody knows where a generator ends
        samples = {"tensors": 112, "rows": 96, "arrays": 112}[function]
        assert measured.epoch_s == pytest.approx(samples / measured.samples_per_s)
        assert 0 <= measured.data.pass_start_s < measured.epoch_s  # type: ignore[operator]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("wide", "expected 16×8; received mine.py:wide: ?×5 of float32"),
        ("small", "its batches have another size"),
        ("single", "is it batched?"),
        ("nothing", "received int"),
        ("missing", "mine.py has no function missing"),
    ],
)
def test_data_that_does_not_suit_is_told(tmp_path: Path, function: str, words: str):
    result = run(tmp_path, function)
    assert result.outcome == "failed"
    problem = result.problem
    assert problem is not None
    assert problem.kind == ("data_shape" if function in ("wide", "small", "single") else "bad_dataset")
    assert words in f"{problem.message}; {problem.hint}"


def test_an_error_in_the_users_pipeline_names_its_line(tmp_path: Path):
    problem = run(tmp_path, "breaks").problem
    assert problem is not None
    line = OWN.splitlines().index('    return {}["no such data"]') + 1
    assert problem.where == f"{tmp_path / 'mine.py'}:{line}"


def test_without_consent_the_file_is_not_opened(tmp_path: Path):
    problem = run(tmp_path, "tensors", trust=False).problem
    assert problem is not None
    assert problem.kind == "bad_dataset"
    assert "--trust" in problem.hint
