"""A run says how much a file needed as it was: after an edit it is the run of another model, and never a ✓."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.machine import Cpu, Machine, Ram
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.advisor import Advisor
from app.services.predictor.predictor import Predictor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
SMALL, LARGE = chain_graph(sample_bytes=300_000), chain_graph(sample_bytes=900_000)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3")


@pytest.fixture
def known(tmp_path: Path, history: History) -> Predictor:
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    made = Advisor(settings, history).predictor
    made.facts.keep_rates(MACHINE, "cpu", HOST_RATES)
    return made


@pytest.fixture
def asked(tmp_path: Path) -> Workload:
    path = tmp_path / "net.py"
    path.write_text("def build(): 'small'\n")
    model = ModelRef("code", "net.py:build", str(path), "build", trusted=True)
    return Workload(model, None, Plan(batch_size=64, device="cpu"))


def edit(asked: Workload) -> None:
    Path(asked.model.path).write_text("def build(): 'large'\n")


def ran(known: Predictor, history: History, asked: Workload, graph: StepGraph) -> Run:
    """A run of the file as it is now, which needed 1.1 times what was predicted."""
    told = known.predict(asked, MACHINE, graph)
    peak, step_s = told.uncalibrated.allocator_peak_bytes * 1.1, told.uncalibrated.step_s * 1.1
    step = MeasuredStep(step_s, step_s * 0.99, step_s * 1.01, 20)
    memory = MeasuredMemory(int(peak), host_bytes=GIB)
    result = RunResult("succeeded", Measurement(step, 1.0, asked.plan.batch_size / step_s, None, memory))
    content = known.contents.digest(asked.model)
    return history.add(Run(0, "", asked, MACHINE, told, result, content=content))


def bases(prediction: Prediction) -> tuple[str, str]:
    return prediction.memory.basis, prediction.time.basis


def test_a_run_of_the_file_as_it_is_counts_as_exact(known: Predictor, history: History, asked: Workload):
    run = ran(known, history, asked, SMALL)
    assert history.get(run.run_id).content == known.contents.digest(asked.model)
    told = known.predict(asked, MACHINE, SMALL)
    assert bases(told) == ("measured", "measured")
    assert not any("earlier version" in line for line in told.assumptions)


def test_a_run_from_before_an_edit_is_never_exact(known: Predictor, history: History, asked: Workload):
    untaught = known.predict(asked, MACHINE, LARGE)
    ran(known, history, asked, SMALL)
    edit(asked)
    told = known.predict(asked, MACHINE, LARGE)
    assert bases(told) == ("traced", "predicted")
    assert told.uncalibrated == untaught.uncalibrated
    assert "run 1 was of an earlier version of this file: it counts like a run of another model" in told.assumptions
    assert known.evidence.newest_doubts(asked) == ()


def test_a_run_from_before_an_edit_informs_the_interval_like_one_of_another_model(
    known: Predictor, history: History, asked: Workload
):
    before = known.predict(asked, MACHINE, LARGE).memory
    ran(known, history, asked, SMALL)
    edit(asked)
    after = known.predict(asked, MACHINE, LARGE).memory
    assert after.high_bytes / after.low_bytes != pytest.approx(before.high_bytes / before.low_bytes)
    assert any("1 other model" in line.name for line in after.explanation)


def test_a_run_after_the_edit_counts_and_the_earlier_one_is_not_mentioned(
    known: Predictor, history: History, asked: Workload
):
    ran(known, history, asked, SMALL)
    edit(asked)
    run = ran(known, history, asked, LARGE)
    told = known.predict(asked, MACHINE, LARGE)
    assert bases(told) == ("measured", "measured")
    assert told.memory.allocator_peak_bytes == pytest.approx(
        run.result.measurement.memory.allocator_peak_bytes, rel=0.001
    )
    assert not any("earlier version" in line for line in told.assumptions)


def test_a_run_on_data_that_have_grown_since_is_exact_for_memory_alone(
    known: Predictor, history: History, asked: Workload
):
    data = Dataset("photos", "images", "/photos", 1000, (32, 32, 3), classes=2, bytes_on_disk=10**6, files=1000)
    on_data = replace(asked, dataset=data)
    ran(known, history, on_data, SMALL)
    assert bases(known.predict(on_data, MACHINE, SMALL)) == ("measured", "measured")
    grown = replace(on_data, dataset=replace(data, samples=9000, files=9000, bytes_on_disk=10**8))
    assert bases(known.predict(grown, MACHINE, SMALL)) == ("measured", "scaled")
    elsewhere = replace(on_data, dataset=replace(data, name="others", path="/others"))
    assert bases(known.predict(elsewhere, MACHINE, SMALL)) == ("measured", "scaled")


def test_an_edit_that_was_taken_back_is_no_edit(known: Predictor, history: History, asked: Workload):
    text = Path(asked.model.path).read_text()
    ran(known, history, asked, SMALL)
    edit(asked)
    known.predict(asked, MACHINE, LARGE)
    Path(asked.model.path).write_text(text)
    assert bases(known.predict(asked, MACHINE, SMALL)) == ("measured", "measured")


def test_a_run_that_does_not_know_its_file_is_never_exact(known: Predictor, history: History, asked: Workload):
    ran(known, history, asked, SMALL)
    with sqlite3.connect(history.path) as store:
        store.execute("UPDATE run SET content = NULL")
    store.close()
    assert bases(known.predict(asked, MACHINE, SMALL)) == ("traced", "predicted")


def test_a_run_of_the_catalog_counts_as_it_always_did(known: Predictor, history: History):
    asked = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=64, device="cpu"))
    run = ran(known, history, asked, SMALL)
    assert run.content is None
    assert bases(known.predict(asked, MACHINE, SMALL)) == ("measured", "measured")
