"""What the history and the folders teach of a machine that others used meanwhile.  No child is started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.machine import Cpu, Machine, Ram, TimedOperation
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
ASKED = Workload(ModelRef("catalog", "fashion_mnist_cnn"), None, Plan(batch_size=64, device="cpu"))
GRAPH = chain_graph(sample_bytes=300_000)
USUAL_S = 0.002
WORTHLESS = "says nothing of time"


@pytest.fixture
def advisor(tmp_path: Path) -> Advisor:
    made = Advisor(
        Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path)), History(tmp_path / "history.sqlite3")
    )
    made.predictor.facts.keep_rates(MACHINE, "cpu", replace(HOST_RATES, reference_s=USUAL_S))
    return made


def predict(advisor: Advisor):
    return advisor.predictor.predict(ASKED, MACHINE, GRAPH, chart=False)


def add_run(advisor: Advisor, step_s: float, reference_s: float | None, others_percent: float) -> None:
    step = MeasuredStep(step_s, step_s, step_s, 20)
    found = Measurement(
        step,
        1.0,
        ASKED.plan.batch_size / step_s,
        None,
        MeasuredMemory(),
        reference_s=reference_s,
        others_percent=others_percent,
    )
    advisor.history.add(Run(0, "", ASKED, MACHINE, None, RunResult("succeeded", found)))


def test_a_run_that_others_made_worthless_changes_no_time_and_says_so(advisor):
    before = predict(advisor)
    add_run(advisor, 5 * before.time.step_s, None, 60.0)
    after = predict(advisor)
    assert after.time.step_s == before.time.step_s
    assert any(WORTHLESS in word for word in after.assumptions)


def test_a_run_beside_others_counts_divided_by_the_references_slowdown(advisor):
    step_s = 1.4 * predict(advisor).time.step_s
    add_run(advisor, 2 * step_s, 2 * USUAL_S, 60.0)
    after = predict(advisor)
    assert after.time.step_s == pytest.approx(step_s)
    assert after.time.basis == "scaled"
    assert not any(WORTHLESS in word for word in after.assumptions)


def test_a_run_alone_takes_the_place_of_one_beside_others(advisor):
    step_s = 1.4 * predict(advisor).time.step_s
    add_run(advisor, step_s, USUAL_S, 1.0)
    add_run(advisor, 3 * step_s, 2 * USUAL_S, 60.0)
    after = predict(advisor)
    assert after.time.step_s == pytest.approx(step_s)
    assert after.time.basis == "measured"


def test_operations_timed_beside_others_are_not_kept(advisor):
    facts = advisor.predictor.facts
    alone = TimedOperation("Mul", (1.0, 1.0), 1e6, 1e-3, reference_s=USUAL_S, others_percent=3.0)
    beside = replace(alone, family="Exp", others_percent=60.0)
    timed = replace(HOST_RATES, operations=(replace(alone, family="Sub"),), threads=2)
    facts.keep_rates(MACHINE, "cpu", timed)
    facts.keep_operations(MACHINE, "cpu", [alone, beside])
    assert [one.family for one in facts.rates(MACHINE, "cpu").operations] == ["Sub", "Mul"]
