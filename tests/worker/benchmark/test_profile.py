"""Memory over time and one profiled step in real children (case S3)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from app.core.types.measurement import Measurement, RunResult
from app.core.types.workload import Dataset, Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.store.traces import CHROME_FILE, XPLANE_FILE
from app.worker.benchmark.findings import NOTABLE_GROWTH
from tests.fakes.own_code import own_model

pytestmark = pytest.mark.worker
EPOCH, BATCH = 6, 16
TWO_NETWORKS = """
import keras

def network(width):
    layers = keras.layers
    return keras.Sequential([
        keras.Input((32, 32, 3)), layers.Conv2D(width, 3, activation="relu"),
        layers.Conv2D(2 * width, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(), layers.Dense(10),
    ])

def small():
    return network(8)

def large():
    return network(32)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("networks")
    (folder / "networks.py").write_text(TWO_NETWORKS)
    return folder


def trained(place: Path, function: str, *, jit: bool = False) -> RunResult:
    """A run of an epoch or more, with its trace beside it."""
    model = own_model(place / "networks.py", function)
    data = Dataset("made up", samples=BATCH * EPOCH, sample_shape=(32, 32, 3), classes=10)
    traces = place / f"{function}-{jit}"
    traces.mkdir()
    plan = Plan(batch_size=BATCH, device="cpu", jit=jit)
    result = bench(Workload(model, data, plan), options=BenchOptions(seconds=4, profile=True, trace_dir=traces))
    assert result.outcome == "succeeded", result.problem
    return result


@pytest.fixture(scope="module")
def large_run(place: Path) -> RunResult:
    return trained(place, "large")


@pytest.fixture(scope="module")
def large(large_run: RunResult) -> Measurement:
    assert large_run.measurement is not None
    return large_run.measurement


def test_the_peak_is_read_at_epoch_start_at_batches_and_at_epoch_end(large: Measurement):
    points = large.memory_over_time
    assert points[0].name == "epoch start"
    assert points[0].peak_bytes == points[0].current_bytes  # it was reset
    names = [point.name for point in points]
    for name in ("batch 5", "epoch end", "end of the run"):
        assert name in names
    assert points[-1].peak_bytes > 2 * points[0].current_bytes
    assert all(point.process_bytes > 100 * 1024**2 for point in points)  # type: ignore[operator]
    assert len(points) >= min(large.step.n, EPOCH)


def test_steps_that_need_more_than_the_first_three_are_told(large_run: RunResult, large: Measurement):
    """The executor's threads meet in another order in every step: on a busy machine a later one may need more."""
    needed, later = large.memory.allocator_peak_bytes, large.memory_over_time[-1].peak_bytes
    assert needed is not None
    assert later is not None
    assert 0.75 * needed < later < 2 * needed
    told = [text for text in large_run.warnings if "more memory than the first three" in text]
    assert bool(told) == (later > NOTABLE_GROWTH * needed)


def test_what_is_held_is_known_and_more_than_what_is_needed(large: Measurement):
    held = large.memory.held_bytes
    assert held is not None
    assert held >= large.memory_over_time[-1].peak_bytes
    assert held % (2 * 1024**2) == 0
    assert held < large.memory.host_bytes + 2 * held  # type: ignore[operator]
    assert large.memory_over_time[-1].held_bytes == held


def test_the_profiled_step_says_what_lives_at_its_peak_and_where_the_time_goes(large: Measurement):
    profile = large.profile
    assert profile is not None, large.profile_skipped
    assert sum(vars(profile.parts).values()) == profile.peak_bytes
    highest = large.memory_over_time[-1].peak_bytes
    assert highest is not None
    assert 0.5 * highest < profile.peak_bytes < 1.25 * highest
    weights = 4 * (3 * 9 * 32 + 32 + 32 * 9 * 64 + 64 + 14 * 14 * 64 * 10 + 10)
    assert weights <= profile.parts.weights <= weights + 1024  # metrics are a few numbers more
    assert 2 * weights <= profile.parts.optimizer_state <= 2 * weights + 1024
    assert profile.parts.other >= 0
    layers = {layer.name: layer for layer in profile.layers}
    assert {layer.kind for layer in layers.values()} >= {"Conv2D", "Dense", "MaxPooling2D"}
    first, second = (layer for layer in sorted(layers.values(), key=lambda one: one.name) if layer.kind == "Conv2D")
    assert first.weights_bytes == 3 * 4 * (3 * 9 * 32 + 32)
    assert second.weights_bytes == 3 * 4 * (32 * 9 * 64 + 64)
    assert second.activation_bytes > BATCH * 28 * 28 * 64 * 4 / 2
    assert max(layers.values(), key=lambda layer: layer.time_s) == second
    assert profile.layers_s > 0.5 * profile.operations_s
    assert len(profile.timeline) > 5
    assert large.memory.held_bytes == profile.held_bytes


def test_the_trace_opens_in_perfetto_and_xprof(large: Measurement, place: Path):
    folder = place / "large-False"
    events = json.loads(gzip.decompress((folder / CHROME_FILE).read_bytes()))["traceEvents"]
    assert len([event for event in events if event["ph"] == "X"]) == large.profile.operations  # type: ignore[union-attr]
    assert (folder / XPLANE_FILE).read_bytes()[0] == 0x0A  # XSpace, field 1: planes
    assert sum(file.stat().st_size for file in folder.iterdir()) == large.profile.trace_bytes  # type: ignore[union-attr]


def test_case_s3_two_networks_are_compared_and_a_compiled_step_is_profiled_too(place: Path, large: Measurement):
    from app.core.runs.memory_course import compare_peaks

    small = trained(place, "small", jit=True).measurement
    assert small is not None
    compared = compare_peaks(["small", "large"], [small.memory_over_time, large.memory_over_time])
    assert compared.largest == 1
    assert compared.more_bytes == compared.peaks[1] - compared.peaks[0] > 0  # type: ignore[operator]
    assert {"epoch start", "batch 5", "epoch end"} <= {row.name for row in compared.rows}
    profile = small.profile
    assert profile is not None, small.profile_skipped
    assert profile.parts.compiled > 0
    assert profile.layers_s > 0
