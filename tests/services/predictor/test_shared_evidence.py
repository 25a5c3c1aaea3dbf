"""What files of other people do to an estimate, all the way: read, compared, weighed.  No child is started."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.predictor.predictor import Predictor
from app.services.settings import Folders, Settings
from app.services.sharing.community import Community, read_community
from app.services.sharing.shared_run import ENDING, shared_document
from app.services.sharing.shown import shown_run
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
ASKED = Workload(ModelRef("catalog", "fashion_mnist_cnn"), None, Plan(batch_size=64, device="cpu"))
GRAPH = chain_graph(sample_bytes=300_000)
PLANTED = 500


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3")


@pytest.fixture
def known(tmp_path: Path, history: History) -> Predictor:
    made = Advisor(Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path)), history).predictor
    made.facts.keep_rates(MACHINE, "cpu", HOST_RATES)
    return made


def predict(known: Predictor, asked: Workload = ASKED, machine: Machine = MACHINE) -> Prediction:
    return known.predict(asked, machine, GRAPH, chart=False)


def a_run(told: Prediction, memory: float, speed: float, asked: Workload = ASKED, machine: Machine = MACHINE) -> Run:
    """A run elsewhere that needed so many times what is predicted here."""
    peak, step_s = int(told.uncalibrated.allocator_peak_bytes * memory), told.uncalibrated.step_s * speed
    step = MeasuredStep(step_s, step_s * 0.99, step_s * 1.01, 20)
    found = Measurement(step, 1.0, asked.plan.batch_size / step_s, None, MeasuredMemory(peak))
    return Run(0, "2026-01-02T03:04:05+00:00", asked, machine, None, RunResult("succeeded", found))


def plant(folder: Path, runs: list[Run], change: Callable[[dict], None] = lambda _document: None) -> Community:
    """A folder of files, as somebody else's program wrote them, or as somebody changed them."""
    folder.mkdir(exist_ok=True)
    for number, run in enumerate(runs):
        document = json.loads(shared_document(shown_run(run)))
        document["measured"]["host_bytes"] = number  # else all would be one file, repeated
        change(document)
        (folder / f"{number:03}{ENDING}").write_text(json.dumps(document))
    return read_community(str(folder))


def hears(known: Predictor, folder: Path, runs: list[Run], **changed) -> Prediction:
    """The answer after a folder was read."""
    known.listen_to(plant(folder, runs, **changed).runs)
    return predict(known)


def stays(after: Prediction, before: Prediction) -> None:
    """The answer is still in the interval that it had, which did not shrink, and grew at most as the rule says."""
    pairs = [
        ((b.allocator_peak_bytes, b.low_bytes, b.high_bytes), (a.allocator_peak_bytes, a.low_bytes, a.high_bytes))
        for a, b in [(after.memory, before.memory)]
    ]
    pairs += [((b.step_s, b.low_s, b.high_s), (a.step_s, a.low_s, a.high_s)) for a, b in [(after.time, before.time)]]
    for (value, low, high), (moved, lower, higher) in pairs:
        assert low < moved < high
        assert lower <= low * 1.001
        assert higher >= high * 0.999
        assert lower >= value * (low / value) ** 2 * 0.999
        assert higher <= value * (high / value) ** 2 * 1.001


@pytest.mark.parametrize("factor", [1e-6, 0.3, 0.8, 1.1, 1.4, 1e6])
def test_planted_files_that_all_say_the_same_move_no_estimate_out_of_its_interval(known, tmp_path, factor):
    before = predict(known)
    after = hears(known, tmp_path / "planted", [a_run(before, factor, factor)] * PLANTED)
    stays(after, before)


def test_what_nobody_believes_is_counted_in_words(known, tmp_path):
    before = predict(known)
    after = hears(known, tmp_path / "planted", [a_run(before, 100.0, 100.0)] * PLANTED)
    assert after.assumptions[-1] == "500 shared runs are too far from the prediction to be believed"
    assert after.memory.range == before.memory.range


def test_planted_files_of_every_size_and_plan_do_not_either(known, tmp_path):
    before, chance = predict(known), random.Random(20)
    plans = [replace(ASKED, plan=replace(ASKED.plan, batch_size=2**power)) for power in range(1, 14)]
    runs = [
        a_run(before, math.exp(chance.uniform(-9, 9)), math.exp(chance.uniform(-9, 9)), chance.choice(plans))
        for _ in range(PLANTED)
    ]
    stays(hears(known, tmp_path / "planted", runs), before)


def test_planted_files_with_numbers_that_cannot_be_change_nothing_and_are_counted(known, tmp_path):
    before, wild = predict(known), iter([-1, 0, 1e300, "many", None, -1e-9] * PLANTED)

    def change(document: dict) -> None:
        document["measured"]["step_s"] = next(wild)

    found = plant(tmp_path / "planted", [a_run(before, 1.0, 1.0)] * PLANTED, change)
    known.listen_to(found.runs)
    assert (found.runs, found.impossible + found.foreign) == ((), PLANTED)
    assert found.words.startswith("500 of 500 shared files were left out: ")
    assert predict(known) == before


def test_what_the_file_says_was_estimated_there_does_not_count(known, tmp_path):
    before = predict(known)
    runs = [a_run(before, 1.2, 1.2)] * 8

    def change(document: dict) -> None:
        document["estimate"] = {
            **{"verdict": "fits", "allowed_bytes": 1, "peak_bytes": 1, "low_bytes": 1, "high_bytes": 1},
            **{"memory_basis": "measured", "step_s": 1e-9, "step_low_s": 1e-9, "step_high_s": 1e-9},
            **{"time_basis": "measured", "max_batch_size": 1},
        }

    honest = hears(known, tmp_path / "honest", runs)
    assert hears(known, tmp_path / "forged", runs, change=change).memory == honest.memory


def test_honest_files_move_the_estimate_towards_what_they_measured(known, tmp_path):
    before = predict(known)
    after = hears(known, tmp_path / "shared", [a_run(before, 1.1, 1.2)] * 8)
    stays(after, before)
    assert before.memory.allocator_peak_bytes < after.memory.allocator_peak_bytes
    assert after.memory.allocator_peak_bytes < 1.1 * before.memory.allocator_peak_bytes
    assert before.time.step_s < after.time.step_s < 1.2 * before.time.step_s
    assert after.memory.basis == before.memory.basis, "nothing was measured here"
    assert any("8 shared runs" in line.name for line in after.memory.explanation)
    assert after.assumptions[-1] == "8 shared runs of this model on machines like this count a little"
    assert after.uncalibrated == before.uncalibrated, "what judges and teaches later stays free of it"


def test_a_run_of_ones_own_counts_for_more_than_all_of_theirs(known, history, tmp_path):
    told = predict(known)
    history.add(replace(a_run(told, 1.1, 1.1), prediction=told))
    before = predict(known)
    assert before.memory.basis == "measured"
    after = hears(known, tmp_path / "shared", [a_run(told, 0.9, 0.9)] * PLANTED)
    assert (after.memory, after.time) == (before.memory, before.time)


@pytest.mark.parametrize(
    ("workload", "machine"),
    [
        (replace(ASKED, model=ModelRef("catalog", "mlp")), MACHINE),
        (replace(ASKED, plan=replace(ASKED.plan, precision="mixed_bfloat16")), MACHINE),
        (replace(ASKED, plan=replace(ASKED.plan, threads=1)), MACHINE),
        (replace(ASKED, plan=replace(ASKED.plan, batch_size=4096)), MACHINE),
        (ASKED, replace(MACHINE, cpu=Cpu("Another CPU", usable_cores=2.0))),
        (ASKED, replace(MACHINE, cpu=Cpu("Test CPU", usable_cores=16.0))),
        (ASKED, replace(MACHINE, gpus=(Gpu(0, "nvidia", "RTX 2060", memory_total_bytes=6 * GIB),))),
    ],
    ids=["another model", "another precision", "threads", "a batch far away", "another processor", "cores", "a card"],
)
def test_runs_of_something_else_say_nothing(known, tmp_path, workload, machine):
    before = predict(known)
    if machine.gpus:
        workload = replace(workload, plan=replace(workload.plan, device="gpu:0"))
    after = hears(known, tmp_path / "shared", [a_run(before, 1.1, 1.1, workload, machine)] * 8)
    assert after == before


def test_a_time_that_was_taken_while_a_machine_was_throttled_teaches_nothing(known, tmp_path):
    before = predict(known)
    run = a_run(before, 1.1, 1.3)
    hot = replace(run.result.measurement, doubts=(Doubt("cpu_throttled", ""),))
    after = hears(known, tmp_path / "shared", [replace(run, result=replace(run.result, measurement=hot))] * 8)
    assert after.time.step_s == before.time.step_s
    assert after.memory.allocator_peak_bytes > before.memory.allocator_peak_bytes


def test_a_cards_runs_speak_for_the_same_card_under_its_drivers_name_and_for_no_other(known, tmp_path):
    def on(name: str, gib: int) -> Machine:
        card = Gpu(
            0, "nvidia", name, memory_total_bytes=gib * GIB, memory_free_bytes=gib * GIB, compute_capability=(8, 6)
        )
        return replace(MACHINE, gpus=(card,))

    asked = replace(ASKED, plan=replace(ASKED.plan, device="gpu:0"))
    here = on("GeForce RTX 3060 12GB", 12)
    simulated = replace(here, gpus=(replace(here.gpus[0], simulated=True),), simulated=("gpu",))
    before = predict(known, asked, simulated)
    peak = before.uncalibrated.allocator_peak_bytes

    def after(machine: Machine, folder: str) -> Prediction:
        run = a_run(predict(known), 1.0, 1.0, asked, machine)
        found = replace(run.result.measurement, memory=MeasuredMemory(int(1.1 * peak)))
        runs = [replace(run, result=replace(run.result, measurement=found))] * 8
        known.listen_to(plant(tmp_path / folder, runs).runs)
        return predict(known, asked, simulated)

    assert after(on("NVIDIA GeForce RTX 3060", 12), "same").memory.allocator_peak_bytes > peak
    for index, other in enumerate((on("NVIDIA GeForce RTX 3060", 8), on("NVIDIA GeForce RTX 3090", 24))):
        assert after(other, f"other{index}").memory.allocator_peak_bytes == before.memory.allocator_peak_bytes
