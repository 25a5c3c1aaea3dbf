"""What runs and probes teach, on graphs made by hand: no child is started."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.simulate.device import MEASURED_ONCE
from app.core.types.machine import Cpu, DeviceProbe, DeviceRates, Machine, Ram
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.predictor.predictor import Predictor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
GRAPHS: dict[str, StepGraph] = {}
OTHERS = ("mlp", "lstm_1", "gru_1", "transformer_small", "vit_small", "unet", "resnet50", "mobilenetv2")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3")


@pytest.fixture
def known(tmp_path: Path, history: History) -> Predictor:
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    made = Advisor(settings, history).predictor
    made.facts.keep_rates(MACHINE, "cpu", HOST_RATES)
    return made


def workload(model: str = "fashion_mnist_cnn", **plan: object) -> Workload:
    return Workload(ModelRef("catalog", model), None, Plan(**{"batch_size": 64, "device": "cpu", **plan}))


def predict(known: Predictor, asked: Workload, machine: Machine = MACHINE):
    """A chain of operations stands for every network; the graph is the same object each time, as from the cache."""
    name = asked.model.name
    size = 300_000 + 40_000 * (OTHERS.index(name) if name in OTHERS else 0)
    return known.predict(asked, machine, GRAPHS.setdefault(name, chain_graph(sample_bytes=size)))


def ran(known: Predictor, history: History, asked: Workload, *, memory: float = 1.0, speed: float = 1.0) -> Run:
    """A run that needed so many times what was predicted without any run."""
    told = predict(known, asked)
    peak, step_s = told.uncalibrated.allocator_peak_bytes * memory, told.uncalibrated.step_s * speed
    step = MeasuredStep(step_s, step_s * 0.99, step_s * 1.01, 20)
    samples_per_s = asked.plan.batch_size / step_s
    found = Measurement(step, 1.0, samples_per_s, None, MeasuredMemory(int(peak), host_bytes=GIB))
    return history.add(Run(0, "", asked, MACHINE, told, RunResult("succeeded", found)))


def width(prediction) -> float:
    return prediction.memory.high_bytes / prediction.memory.low_bytes


def test_hits_on_other_models_narrow_and_misses_widen(known: Predictor, history: History):
    asked = workload()
    before = predict(known, asked)
    for model in OTHERS:
        ran(known, history, workload(model, batch_size=32))
    after = predict(known, asked)
    assert after.memory.basis == "traced"
    assert width(after) < width(before)
    assert after.time.high_s / after.time.low_s < before.time.high_s / before.time.low_s
    assert after.uncalibrated == before.uncalibrated
    history.delete(2)
    ran(known, history, workload("gru_2", batch_size=32), memory=3.0, speed=9.0)
    worse = predict(known, asked)
    assert width(worse) > width(before)
    assert worse.time.high_s / worse.time.low_s > before.time.high_s / before.time.low_s


def test_many_runs_of_one_other_model_are_one_witness(known: Predictor, history: History):
    asked = workload()
    ran(known, history, workload("transformer_small", batch_size=32))
    once = predict(known, asked)
    for batch in range(5, 15):
        ran(known, history, workload("transformer_small", batch_size=batch))
    assert width(predict(known, asked)) == pytest.approx(width(once))


def test_repeats_of_a_plan_show_their_own_scatter(known: Predictor, history: History):
    asked = workload()
    ran(known, history, asked, memory=1.1)
    once = predict(known, asked)
    assert once.memory.basis == "measured"
    for _ in range(5):
        ran(known, history, asked, memory=1.1)
    assert width(predict(known, asked)) < width(once)
    ran(known, history, asked, memory=1.4)
    assert width(predict(known, asked)) > (1.4 / 1.1) ** 2 * 0.99


def test_the_basis_tells_how_good_predictions_have_been(known: Predictor, history: History):
    asked = workload()
    assert predict(known, asked).track_record is None
    ran(known, history, workload("mlp"), memory=1.25, speed=1.25)
    told = predict(known, asked)
    assert told.track_record.runs == 1
    for lines in (told.memory.explanation, told.time.explanation):
        assert (lines[-1].name, lines[-1].value) == ("your last run", "median error 20 %")
        assert lines[-1].formula.startswith("memory median 20 %, time median 20 %")


def test_a_simulated_machine_learns_nothing_of_this_one(known: Predictor, history: History):
    asked = workload()
    elsewhere = replace(MACHINE, simulated=("cpu", "ram"))
    before = predict(known, asked, elsewhere)
    known.facts.keep_probe(MACHINE, "cpu", DeviceProbe("cpu", "tensorflow 2.21", 2 * GIB, None, 0, 1.5, 1.6))
    for model in OTHERS[:4]:
        ran(known, history, workload(model, batch_size=32), memory=2.0)
    after = predict(known, asked, elsewhere)
    assert width(after) == width(before)
    assert after.memory.allocator_peak_bytes == before.memory.allocator_peak_bytes
    assert after.fit.allowed_bytes == before.fit.allowed_bytes


def test_a_probe_is_used_at_once_and_after_a_restart(known: Predictor, history: History, tmp_path: Path):
    before = predict(known, workload())
    known.facts.keep_probe(MACHINE, "cpu", DeviceProbe("cpu", "tensorflow 2.21", 800 * MIB, None, 0, 1.0, 1.0))
    after = predict(known, workload())
    assert before.fit.allowed_bytes - after.fit.allowed_bytes == 150 * MIB
    assert MEASURED_ONCE in [line.source for line in after.fit.explanation]
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    again = Advisor(settings, history).predictor
    assert again.facts.probe(MACHINE, "cpu").host_process_bytes == 800 * MIB
    assert again.facts.probe(replace(MACHINE, cpu=Cpu("Another")), "cpu") is None


def test_a_run_is_compared_with_what_would_be_said_today(known: Predictor, history: History):
    """New rates change the prediction of old runs as well, so that the factor stays right."""
    asked = workload()
    run = ran(known, history, asked)
    slower = replace(
        HOST_RATES, **{name: value / 2 for name, value in vars(HOST_RATES).items() if name.endswith("_per_s") and value}
    )
    assert isinstance(slower, DeviceRates)
    known.facts.keep_rates(MACHINE, "cpu", slower)
    assert predict(known, asked).time.step_s == pytest.approx(run.result.measurement.step.median_s)


def calls_of(job: Callable[[], object]) -> int:
    """How many functions of Python a job calls: the same on a busy machine."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        job()
    finally:
        sys.setprofile(None)
    return count


def test_many_runs_do_not_slow_a_slider(known: Predictor, history: History):
    def slide(batch: int) -> int:
        predict(known, workload(batch_size=batch))
        return calls_of(lambda: predict(known, workload(batch_size=batch + 1)))

    for batch in range(1, 13):
        ran(known, history, workload(batch_size=batch))
    few = slide(200)
    for batch in range(13, 41):
        ran(known, history, workload(batch_size=batch))
    assert slide(300) < 1.3 * few


def test_a_run_with_another_precision_scales_the_time_and_not_the_memory(
    known: Predictor, history: History, monkeypatch: pytest.MonkeyPatch
):
    ran(known, history, workload(), speed=2.0, memory=1.3)
    monkeypatch.setattr(known.graphs, "get", lambda _asked: GRAPHS["fashion_mnist_cnn"])
    near = predict(known, workload(batch_size=128)).time
    told = predict(known, workload(precision="mixed_bfloat16"))
    assert told.time.basis == "scaled"
    assert told.time.step_s == pytest.approx(2 * told.uncalibrated.step_s)
    assert told.memory.basis == "traced"
    assert told.time.high_s / told.time.low_s > near.high_s / near.low_s


def test_a_run_of_inference_says_nothing_of_a_training(
    known: Predictor, history: History, monkeypatch: pytest.MonkeyPatch
):
    ran(known, history, workload(mode="inference"), speed=2.0)
    monkeypatch.setattr(known.graphs, "get", lambda _asked: GRAPHS["fashion_mnist_cnn"])
    assert predict(known, workload()).time.basis == "predicted"


@pytest.mark.parametrize("compiled", [True, False])
def test_the_chart_of_a_refined_step_says_of_every_batch_what_is_told_of_it(known: Predictor, compiled: bool):
    asked = workload(batch_size=64, jit=compiled)
    for batch in (64, 128) if compiled else (8,):
        peaks = [
            {"batch_size": n, "first_bytes": 5 * n * MIB, "later_bytes": [4 * n * MIB]} for n in (batch, 4 * batch)
        ]
        answer = {"compiled": compiled, "batch_sizes": [batch], "framework": "tensorflow 2.21", "seconds": 3.5}
        answer |= {"peaks": peaks, "unmatched_share": 0.0, "cap_share": 1.0}
        refined = workload(batch_size=batch, jit=compiled)
        known.refinements.keep(refined, MACHINE, None if compiled else batch, answer)
    chart = {point.batch_size: point.allocator_peak_bytes for point in predict(known, asked).batch_curve}
    assert chart[64] == 256 * MIB
    assert chart[128] == 512 * MIB
    for batch, peak in chart.items():
        assert predict(known, workload(batch_size=batch, jit=compiled)).memory.allocator_peak_bytes == peak


@pytest.mark.parametrize("faster", [1.0, 3.0])
def test_the_chart_of_a_model_with_runs_says_of_every_batch_what_is_told_of_it(
    known: Predictor, history: History, faster: float
):
    for batch, factor in ((32, 2.0), (256, 2.0 / faster)):
        ran(known, history, workload(batch_size=batch), speed=factor, memory=1.1 * factor)
    for point in predict(known, workload(batch_size=64)).batch_curve:
        told = predict(known, workload(batch_size=point.batch_size))
        assert told.memory.allocator_peak_bytes == point.allocator_peak_bytes
        assert told.time.samples_per_s == pytest.approx(point.samples_per_s)


def test_a_run_that_measured_no_memory_leaves_the_refined_peak(known: Predictor, history: History):
    asked, probe = workload(batch_size=8), 4
    peaks = [{"batch_size": n, "first_bytes": n * MIB, "later_bytes": [n * MIB]} for n in (8, 16)]
    answer = {"compiled": False, "batch_sizes": [4, 2], "framework": "tensorflow 2.21", "seconds": 3.5, "peaks": peaks}
    known.refinements.keep(asked, MACHINE, probe, {**answer, "unmatched_share": 0.0, "cap_share": 1.0})
    refined = predict(known, asked).memory
    assert refined.allocator_peak_bytes == 8 * MIB
    run = ran(known, history, asked, speed=1.5)
    silent = replace(run.result.measurement, memory=MeasuredMemory())
    history.delete(run.run_id)
    history.add(replace(run, run_id=0, result=RunResult("succeeded", silent)))
    told = predict(known, asked)
    assert told.time.basis == "measured"
    assert (told.memory.basis, told.memory.allocator_peak_bytes) == (refined.basis, refined.allocator_peak_bytes)
