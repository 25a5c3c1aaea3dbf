"""The benchmark on JAX and PyTorch, in interpreters that have Keras, NumPy and that framework and nothing else of ours.

``WILLITTRAIN_TEST_JAX_PYTHON`` and ``WILLITTRAIN_TEST_TORCH_PYTHON`` name them; without, these tests are skipped::

    python3.11 -m venv jaxenv && jaxenv/bin/pip install "keras==3.15.1" "jax[cpu]"
    WILLITTRAIN_TEST_JAX_PYTHON=$PWD/jaxenv/bin/python python -m pytest tests/worker/backends/test_backends.py
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from app.core.types.machine import Interpreter
from app.core.types.measurement import RunResult
from app.core.types.messages import Done, Request
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from app.services.machine.doctor import ask_interpreter

pytestmark = pytest.mark.worker
CHECKOUT = Path(__file__).resolve().parents[3]
CNN = ModelRef("catalog", "fashion_mnist_cnn")
FASHION = Dataset("fashion_mnist", samples=60_000, sample_shape=(28, 28, 1), classes=10)
INTERPRETERS = {name: os.environ.get(f"WILLITTRAIN_TEST_{name.upper()}_PYTHON", "") for name in ("jax", "torch")}


@pytest.fixture(params=["jax", "torch"])
def backend(request) -> str:
    """A framework that somebody has named an interpreter for."""
    if not INTERPRETERS[request.param]:
        pytest.skip(f"WILLITTRAIN_TEST_{request.param.upper()}_PYTHON names no interpreter")
    return request.param


def run(backend: str, seconds: float = 1.0, dataset: Dataset = FASHION, **plan: object) -> RunResult:
    wanted = Plan(**{"batch_size": 16, "device": "cpu", "backend": backend, **plan})
    return bench(
        Workload(CNN, dataset, wanted),
        options=BenchOptions(seconds=seconds),
        child=ChildOptions(interpreter=INTERPRETERS[backend]),
    )


def test_a_training_is_measured(backend: str):
    result = run(backend, seconds=4)
    assert result.outcome == "succeeded", result.problem
    assert [p.name for p in result.phases][-3:] == ["warm-up", "measure", "done"]
    measured, environment = result.measurement, result.environment
    assert measured is not None
    assert measured.step.n >= 1
    assert measured.loss_first is not None
    assert measured.loss_last is not None
    assert measured.memory.host_bytes > 100e6  # type: ignore[operator]
    assert (environment["backend"], environment["KERAS_BACKEND"]) == (backend, backend)
    assert environment[backend]
    assert "tensorflow" not in environment
    if backend == "jax":
        assert environment["xla"] == "on"
        assert 1e6 < measured.memory.allocator_peak_bytes < 100e6  # type: ignore[operator]
        assert "memory_analysis" in measured.memory.needed_basis
    else:
        assert environment["torch_compile"] == "off"
        assert measured.memory.allocator_peak_bytes is None
        assert "not available" in measured.memory.needed_basis


@pytest.mark.parametrize(
    "plan",
    [
        {"mode": "inference"},
        {"accumulate": 4, "optimizer": "sgd"},
        {"precision": "mixed_float16", "remat": True, "optimizer": "lamb", "ema": True},
        {"lora_rank": 2, "freeze": ("conv2d*",), "optimizer": "adafactor"},
        {"mode": "inference", "int8": True},
        {"jit": False, "precision": "mixed_bfloat16"},
    ],
    ids=str,
)
def test_other_plans_run(backend: str, plan: dict[str, object]):
    result = run(backend, **plan)
    assert result.outcome == "succeeded", result.problem
    assert result.measurement is not None


def test_data_that_only_tensorflow_reads_is_made_up_and_told(backend: str, tmp_path: Path):
    path = tmp_path / "some.npz"
    np.savez(path, x=np.zeros((64, 28, 28, 1), np.uint8), y=np.zeros(64, np.int64))
    data = Dataset("some", "npz", str(path), samples=64, sample_shape=(28, 28, 1), classes=10, real=True)
    result = run(backend, dataset=data)
    assert result.outcome == "succeeded", result.problem
    assert result.environment["data"] == "made up"
    assert any("takes TensorFlow" in warning for warning in result.warnings)


def test_a_card_that_is_not_there_is_told(backend: str):
    result = run(backend, device="gpu:7")
    assert result.problem is not None
    assert result.problem.kind == "missing"


def test_the_frameworks_own_out_of_memory_is_known(backend: str):
    ask = {
        "jax": "import jax; jax.numpy.zeros((1 << 48,)).block_until_ready()",
        "torch": "import torch; torch.empty(1 << 50)",
    }
    code = f"try:\n    {ask[backend]}\nexcept BaseException as error:\n    found = error\n"
    code += "from app.worker.failures import is_out_of_memory\nassert is_out_of_memory(found), repr(found)"
    ended = subprocess.run(
        [INTERPRETERS[backend], "-c", code],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_an_interpreter_without_tensorflow_says_so(backend: str):
    result = bench(
        Workload(CNN, FASHION, Plan(device="cpu")),
        options=BenchOptions(seconds=1),
        child=ChildOptions(interpreter=INTERPRETERS[backend]),
    )
    assert result.problem is not None
    assert (result.problem.kind, "TensorFlow is not installed" in result.problem.message) == ("missing", True)


def test_the_doctor_names_the_backend_and_its_devices(backend: str):
    found: Interpreter = ask_interpreter(run_worker, INTERPRETERS[backend])
    build = found.framework(backend)
    assert build is not None
    assert build.devices[0] == "CPU:0"
    assert found.framework("tensorflow") is None
    keras = found.framework("keras")
    assert keras is not None
    assert keras.problem is None
    assert isinstance(run_worker(Request("frameworks"), ChildOptions(interpreter=INTERPRETERS[backend])), Done)
