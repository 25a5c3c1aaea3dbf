"""The benchmark in a real child with real TensorFlow."""

import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.core.pipeline.input_cost import ARENA_GROWTH
from app.core.types.measurement import RunResult
from app.core.types.messages import Phase, Reading
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.child.child_options import ChildOptions
from tests.fakes.own_code import own_model
from tests.patience import SOON_S

pytestmark = pytest.mark.worker
CNN = ModelRef("catalog", "fashion_mnist_cnn")
FASHION = Dataset("fashion_mnist", samples=60_000, sample_shape=(28, 28, 1), classes=10)
OWN = """
import keras
import numpy as np

def dense():
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(4), keras.layers.Dense(1)])

def explodes():
    infinite = keras.initializers.Constant(np.inf)
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(1, kernel_initializer=infinite)])

def breaks():
    return {}["no such layer"]

def prints():
    print("hello from the model" * 1000)
    return dense()
"""


def own(path: Path, function: str) -> ModelRef:
    """A function of the user's own file."""
    file = path / "mine.py"
    file.write_text(OWN)
    return own_model(file, function)


def phase_names(result: RunResult) -> list[str]:
    """Without the profiled step, which a slow machine leaves out."""
    return [p.name for p in result.phases if p.name != "profile"]


def test_training_is_measured_within_the_time_given():
    readings: list[Reading] = []
    seconds = 4.0
    result = bench(
        Workload(CNN, FASHION, Plan(batch_size=32, device="cpu")),
        options=BenchOptions(seconds=seconds),
        on_event=lambda e: readings.append(e) if isinstance(e, Reading) else None,
    )
    assert result.outcome == "succeeded", result.problem
    assert phase_names(result) == ["start", "import", "build", "compile", "warm-up", "measure", "done"]
    spans = {p.name: p for p in result.phases}
    # At most 1.15 where nobody else computes: studies.benchmarks.profile_cost.
    assert spans["done"].start_s - spans["warm-up"].start_s <= 1.5 * seconds
    measured = result.measurement
    assert measured is not None
    assert measured.step.low_s <= measured.step.median_s <= measured.step.high_s
    assert measured.step.n >= 2
    assert measured.first_step_s > measured.step.median_s
    assert measured.epoch_s == pytest.approx(1875 * 32 / measured.samples_per_s)
    assert 5e6 < measured.memory.allocator_peak_bytes < 200e6  # type: ignore[operator]
    assert measured.memory.host_bytes > 200e6  # type: ignore[operator]
    assert measured.shares.compute == 1.0
    assert measured.loss_last is not None
    assert any("made up" in warning for warning in result.warnings)
    assert result.environment["xla"] == "off"
    assert result.environment["TF_CPU_ALLOCATOR_USE_BFC"] == "true"
    assert readings[-1].peak_bytes is not None
    assert len(readings) <= 21 * seconds


@pytest.mark.parametrize(
    "plan",
    [
        Plan(batch_size=16, mode="inference", device="cpu"),
        Plan(batch_size=16, accumulate=4, optimizer="sgd", device="cpu"),
        Plan(batch_size=16, jit=True, freeze=("conv2d*",), device="cpu"),
        Plan(batch_size=16, precision="mixed_bfloat16", remat=True, device="cpu"),
        Plan(batch_size=16, mode="inference", int8=True, device="cpu"),
        Plan(batch_size=16, lora_rank=2, image_size=(20, 24), jit=True, device="cpu"),
        Plan(batch_size=16, optimizer="lamb", ema=True, clipnorm=1.0, weight_decay=0.01, device="cpu"),
        Plan(batch_size=16, precision="mixed_float16", global_clipnorm=1.0, device="cpu"),
    ],
    ids=lambda plan: f"{plan.mode}-{plan.accumulate}-{plan.jit}-{plan.precision}-{plan.optimizer}-{plan.lora_rank}",
)
def test_other_plans_run(plan: Plan):
    result = bench(Workload(CNN, FASHION, plan), options=BenchOptions(seconds=1.5))
    assert result.outcome == "succeeded", result.problem
    assert result.measurement is not None
    assert result.environment["xla"] == ("on" if plan.jit else "off")


def test_data_given_as_one_array_lies_in_the_allocator_as_a_whole():
    data = Dataset("made up", samples=20_000, sample_shape=(28, 28, 1), classes=10)
    plan = Plan(batch_size=16, device="cpu", jit=False)
    streamed, held = (
        bench(Workload(CNN, data, replace(plan, data=how)), options=BenchOptions(seconds=1.5)).measurement
        for how in ("pipeline", "array")
    )
    assert streamed is not None
    assert held is not None
    array_bytes = 20_000 * (28 * 28 * 4 + 4)
    more = held.memory.allocator_peak_bytes - streamed.memory.allocator_peak_bytes  # type: ignore[operator]
    # Beside it lie the batches of 50 KiB that tf.data makes ahead: hundreds, while a busy machine delays the step.
    assert 0.95 * array_bytes <= more <= 1.5 * array_bytes


def test_real_files_are_read_and_the_step_is_taken_apart(tmp_path: Path):
    noise = np.random.default_rng(0)
    for number in range(24):
        folder = tmp_path / "data" / f"class{number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        pixels = noise.integers(0, 255, (400, 400, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{number}.jpg", quality=95)
    size = sum(f.stat().st_size for f in (tmp_path / "data").rglob("*.jpg"))
    data = Dataset(
        "jpegs",
        "images",
        str(tmp_path / "data"),
        samples=24,
        sample_shape=(400, 400, 3),
        dtype="uint8",
        classes=2,
        bytes_on_disk=size,
        files=24,
        real=True,
    )
    result = bench(
        Workload(CNN, data, Plan(batch_size=8, device="cpu"), input_shape=(16, 16, 3)), options=BenchOptions(seconds=4)
    )
    assert result.outcome == "succeeded", result.problem
    assert phase_names(result)[-4:] == ["measure", "data-only", "compute-only", "done"]
    measured = result.measurement
    assert measured is not None
    shares = measured.shares
    assert shares.input + shares.copy + shares.compute == pytest.approx(1.0)  # type: ignore[operator]
    assert measured.bound_by == "input"
    assert shares.input > 0.5  # type: ignore[operator]
    assert measured.data_only_step_s > measured.compute_only_step_s  # type: ignore[operator]
    assert shares.disk + shares.decode == pytest.approx(shares.input)  # type: ignore[operator]
    assert shares.decode > shares.disk  # type: ignore[operator]
    assert measured.data.pass_start_s is not None
    assert measured.data.cached_sample_bytes == pytest.approx(16 * 16 * 3, rel=1)
    assert measured.data.expansion == pytest.approx(ARENA_GROWTH * measured.data.cached_sample_bytes / (size / 24))
    assert not any("made up" in warning for warning in result.warnings)


def test_a_cancel_while_measuring_keeps_what_was_measured():
    cancel = threading.Event()
    at: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, Phase) and event.name == "measure":
            threading.Timer(0.7, lambda: (at.append(time.monotonic()), cancel.set())).start()

    result = bench(
        Workload(CNN, FASHION, Plan(device="cpu")), options=BenchOptions(seconds=30), on_event=listen, cancel=cancel
    )
    assert time.monotonic() - at[0] < SOON_S
    assert result.outcome == "cancelled"
    assert result.measurement is not None
    assert result.measurement.step.n >= 1


@pytest.mark.parametrize("phase", ["import", "compile"])
def test_a_cancel_in_any_phase_is_obeyed_soon(phase: str):
    cancel = threading.Event()
    at: list[float] = []

    def listen(event: object) -> None:
        if isinstance(event, Phase) and event.name == phase:
            at.append(time.monotonic())
            cancel.set()

    result = bench(Workload(CNN, FASHION, Plan(jit=True, device="cpu")), on_event=listen, cancel=cancel)
    assert time.monotonic() - at[0] < SOON_S
    assert result.outcome == "cancelled"
    assert result.measurement is None


@pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux only")
@pytest.mark.parametrize("jit", [True, False])
def test_a_device_without_enough_memory_is_an_outcome(jit: bool):
    result = bench(
        Workload(CNN, FASHION, Plan(batch_size=512, jit=jit, device="cpu")),
        options=BenchOptions(seconds=2),
        child=ChildOptions(environment={"TF_CPU_BFC_MEM_LIMIT_IN_MB": "200"}),
    )
    assert result.outcome == "out_of_memory", result.problem
    problem = result.problem
    assert problem is not None
    assert problem.phase == "compile"
    assert problem.hint
    if jit:  # without XLA, TensorFlow's oneDNN kernels crash on the memory they did not get
        assert problem.needed_bytes > problem.had_bytes == 200 * 1024**2  # type: ignore[operator]


def test_a_loss_that_is_no_number_is_told(tmp_path: Path):
    result = bench(Workload(own(tmp_path, "explodes"), plan=Plan(device="cpu")), options=BenchOptions(seconds=1))
    assert result.outcome == "succeeded", result.problem
    assert any("not a number" in warning for warning in result.warnings)
    assert result.problem is not None
    assert result.problem.kind == "not_finite"
    assert result.measurement is not None
    assert result.measurement.loss_last is None


def test_an_error_in_the_users_file_names_its_line(tmp_path: Path):
    result = bench(Workload(own(tmp_path, "breaks"), plan=Plan(device="cpu")), options=BenchOptions(seconds=1))
    assert result.outcome == "failed"
    assert result.problem is not None
    assert result.problem.kind == "bad_model"
    line = OWN.splitlines().index('    return {}["no such layer"]') + 1
    assert result.problem.where == f"{tmp_path / 'mine.py'}:{line}"


def test_a_model_that_prints_does_no_harm(tmp_path: Path):
    result = bench(Workload(own(tmp_path, "prints"), plan=Plan(device="cpu")), options=BenchOptions(seconds=1))
    assert result.outcome == "succeeded", result.problem


def test_a_card_that_is_not_there_is_told():
    result = bench(Workload(CNN, FASHION, Plan(device="gpu:7")), options=BenchOptions(seconds=1))
    assert result.outcome == "failed"
    assert result.problem is not None
    assert result.problem.kind == "missing"


def test_a_batch_larger_than_the_data_is_told(tmp_path: Path):
    path = tmp_path / "few.npz"
    np.savez(path, x=np.zeros((4, 28, 28, 1), np.uint8), y=np.zeros(4, np.int64))
    data = Dataset("few", "npz", str(path), samples=4, sample_shape=(28, 28, 1), classes=10, real=True)
    result = bench(Workload(CNN, data, Plan(batch_size=8, device="cpu")), options=BenchOptions(seconds=1))
    assert result.outcome == "failed"
    assert result.problem is not None
    assert result.problem.kind == "bad_dataset"
