"""A run on one card answers for another, through history and knowledge; no child is started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredShares, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.predictor.predictor import Predictor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card

GRAPH = chain_graph(sample_bytes=4_000_000)
ASKED = Workload(ModelRef("catalog", "mlp"), None, Plan(4096, device="gpu:0"))


def with_card(name: str, **facts: object) -> Machine:
    gpu = replace(card(name, 16.0), **facts)
    return Machine(cpu=Cpu("Test CPU", usable_cores=8.0), ram=Ram(16 * GIB, 12 * GIB), gpus=(gpu,))


BUSY = MeasuredShares()
HERE = with_card("Tesla V100", fp32_flops_per_s=15.67e12, memory_bandwidth_bytes_per_s=900e9, compute_capability=(7, 0))
THERE = with_card("Tesla T4", fp32_flops_per_s=8.14e12, memory_bandwidth_bytes_per_s=320e9, simulated=True)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "history.sqlite3")


@pytest.fixture
def known(tmp_path: Path, history: History) -> Predictor:
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    return Advisor(settings, history).predictor


def ran(
    known: Predictor,
    history: History,
    *,
    machine: Machine = HERE,
    asked: Workload = ASKED,
    slower: float = 2.0,
    shares: MeasuredShares = BUSY,
    doubts: tuple[Doubt, ...] = (),
) -> Run:
    """A run that took so many times what its card's data sheet says."""
    told = known.predict(asked, machine, GRAPH)
    step_s = (told.uncalibrated.step_s or 1.0) * slower
    found = Measurement(
        MeasuredStep(step_s, step_s, step_s, 20), 1.0, 10.0, None, MeasuredMemory(GIB), shares, doubts=doubts
    )
    return history.add(Run(0, "", asked, machine, told, RunResult("succeeded", found)))


def test_without_a_run_another_card_is_answered_from_its_data_sheet(known: Predictor):
    told = known.predict(ASKED, THERE, GRAPH).time
    assert told.basis == "predicted"
    assert "data sheet" in told.dominant_assumption


def test_a_run_here_is_scaled_to_another_card_with_a_narrower_interval(known: Predictor, history: History):
    before = known.predict(ASKED, THERE, GRAPH).time
    ran(known, history, slower=2.0)
    after = known.predict(ASKED, THERE, GRAPH).time
    assert after.basis == "scaled"
    assert after.step_s == pytest.approx(2 * before.step_s)
    assert after.low_s < after.step_s < after.high_s
    assert after.high_s / after.low_s < before.high_s / before.low_s
    assert "Tesla V100" in after.dominant_assumption


def test_the_run_of_the_same_plan_counts_before_newer_ones(known: Predictor, history: History):
    before = known.predict(ASKED, THERE, GRAPH).time
    ran(known, history, slower=2.0)
    ran(known, history, slower=5.0, asked=replace(ASKED, plan=replace(ASKED.plan, batch_size=2048)))
    assert known.predict(ASKED, THERE, GRAPH).time.step_s == pytest.approx(2 * before.step_s)


def test_a_run_on_another_machine_answers_for_the_card_that_is_here(known: Predictor, history: History):
    elsewhere = with_card("Tesla T4", fp32_flops_per_s=8.14e12, memory_bandwidth_bytes_per_s=320e9)
    ran(known, history, machine=elsewhere)
    found = known.predict(ASKED, HERE, GRAPH)
    assert found.time.basis == "scaled"
    assert found.uncalibrated.step_s == pytest.approx(found.time.step_s / 2), "what runs teach from stays raw"


def test_rates_measured_on_the_card_count_before_a_run_elsewhere(known: Predictor, history: History):
    elsewhere = with_card("Tesla T4", fp32_flops_per_s=8.14e12, memory_bandwidth_bytes_per_s=320e9)
    ran(known, history, machine=elsewhere)
    known.facts.keep_rates(HERE, "gpu:0", replace(HOST_RATES, device="Tesla V100"))
    assert known.predict(ASKED, HERE, GRAPH).time.basis == "predicted"


def test_a_run_of_the_very_card_counts_before_one_of_another(known: Predictor, history: History):
    ran(known, history, slower=3.0)
    assert known.predict(ASKED, HERE, GRAPH).time.basis == "measured"


def test_a_throttled_run_of_the_very_card_leaves_the_word_to_one_of_another(known: Predictor, history: History):
    elsewhere = with_card("Tesla T4", fp32_flops_per_s=8.14e12, memory_bandwidth_bytes_per_s=320e9)
    ran(known, history, machine=elsewhere)
    before = known.predict(ASKED, HERE, GRAPH).time
    ran(known, history, slower=3.0, doubts=(Doubt("gpu_throttled", "hot"),))
    after = known.predict(ASKED, HERE, GRAPH).time
    assert (after.basis, after.step_s) == ("scaled", before.step_s)


@pytest.mark.parametrize(
    "changes",
    [
        {"shares": MeasuredShares(input=0.9)},
        {"doubts": (Doubt("gpu_throttled", "hot"),)},
        {"asked": replace(ASKED, plan=replace(ASKED.plan, device="cpu"))},
        {"asked": replace(ASKED, plan=replace(ASKED.plan, precision="mixed_float16"))},
    ],
    ids=["it waited for data", "its card was throttled", "it ran on the processor", "of another precision"],
)
def test_a_run_that_says_nothing_of_cards_is_not_scaled(known: Predictor, history: History, changes):
    before = known.predict(ASKED, THERE, GRAPH).time
    ran(known, history, **changes)
    after = known.predict(ASKED, THERE, GRAPH).time
    assert (after.basis, after.step_s) == ("predicted", before.step_s)


def test_out_of_range_is_told_in_the_basis(known: Predictor, history: History):
    ran(known, history, shares=MeasuredShares(input=0.9))
    lines = known.predict(ASKED, THERE, GRAPH).time.explanation
    assert any(line.value == "out of range" for line in lines)


def test_a_card_that_cannot_compute_in_bfloat16_has_no_time_but_a_reason(known: Predictor):
    told = known.predict(replace(ASKED, plan=replace(ASKED.plan, precision="mixed_bfloat16")), THERE, GRAPH).time
    assert told.step_s is None
    assert "out of range" in told.dominant_assumption


def test_a_card_nobody_knows_has_no_time_but_a_reason(known: Predictor):
    unknown = replace(THERE, gpus=(Gpu(name="Card X", memory_total_bytes=8 * GIB, simulated=True),))
    told = known.predict(ASKED, unknown, GRAPH).time
    assert told.step_s is None
    assert "Card X" in told.dominant_assumption
