"""Refined answers on disk, and what a refinement may hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app
from app.core.predict.refining_time import Stage
from app.core.simulate.device import TargetDevice
from app.core.simulate.recorded_trace import StepPeaks
from app.core.types.errors import UsageError
from app.core.types.machine import Machine
from app.core.types.messages import Phase, Progress
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.predictor import refine as refining
from app.services.predictor.query import Query
from app.services.store import refined_store
from app.services.store.refined_store import RefinedStore, refined_key
from tests.core.graphs import chain_graph
from tests.core.machines import card, desktop

ANSWER = {
    "compiled": False,
    "batch_sizes": [4, 2],
    "framework": "tensorflow 2.21",
    "seconds": 3.5,
    "unmatched_share": 0.01,
    "cap_share": 1.04,
    "peaks": [
        {"batch_size": 8, "first_bytes": 500, "later_bytes": [512, 600]},
        {"batch_size": 16, "first_bytes": 900, "later_bytes": [912]},
    ],
}
HOST = TargetDevice("CPU", None, 2)
WORKLOAD = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=8, jit=True))
QUERY = Query(WORKLOAD, Machine(), chain_graph(), HOST, None)


def test_an_answer_comes_back(tmp_path):
    store = RefinedStore(tmp_path / "refined")
    assert store.load("key") is None
    store.save("key", ANSWER)
    found = store.load("key")
    assert found is not None
    assert found.peaks == (StepPeaks(8, 500, (512, 600)), StepPeaks(16, 900, (912,)))
    assert (found.batch_sizes, found.unmatched_share, found.cap_share) == ((4, 2), 0.01, 1.04)


@pytest.mark.parametrize(
    "change",
    [
        {"peaks": ANSWER["peaks"][:1]},
        {"peaks": ANSWER["peaks"][::-1]},
        {"peaks": []},
        {"batch_sizes": []},
        {"batch_sizes": [0, 4]},
        {"compiled": True},
        {"cap_share": [1]},
        {"unmatched_share": None},
        {"seconds": -1.0},
        {"peaks": [{**ANSWER["peaks"][0], "later_bytes": []}, ANSWER["peaks"][1]]},
        {"peaks": [{**ANSWER["peaks"][0], "first_bytes": -5}, ANSWER["peaks"][1]]},
    ],
    ids=str,
)
def test_an_answer_that_cannot_be_calculated_with_is_forgotten(tmp_path, change):
    store = RefinedStore(tmp_path)
    store.save("key", {**ANSWER, **change})
    assert store.load("key") is None


@pytest.mark.parametrize("content", [b"", b"no gzip", None])
def test_a_damaged_answer_is_forgotten(tmp_path, content):
    store = RefinedStore(tmp_path)
    store.save("key", {**ANSWER, "peaks": [{"batch_size": 8}]})
    path = tmp_path / "key.json.gz"
    if content is not None:
        path.write_bytes(content)
    assert store.load("key") is None
    assert not path.exists()


def test_a_probe_serves_every_batch_and_a_compiled_step_its_own():
    small, large = Plan(batch_size=8), Plan(batch_size=64, epochs=3)
    assert refined_key("g", small, HOST, probe=4) == refined_key("g", large, HOST, probe=4)
    assert refined_key("g", small, HOST, probe=None) != refined_key("g", large, HOST, probe=None)


def test_graph_plan_probe_and_device_make_another_answer():
    plan = Plan()
    keys = {
        refined_key("g", plan, HOST, probe=4),
        refined_key("g", plan, HOST, probe=8),
        refined_key("g", plan, HOST, probe=None),
        refined_key("g", replace(plan, batch_size=4), HOST, probe=None),
        refined_key("h", plan, HOST, probe=4),
        refined_key("g", replace(plan, optimizer="sgd"), HOST, probe=4),
        refined_key("g", replace(plan, accumulate=2), HOST, probe=4),
        refined_key("g", plan, replace(HOST, host_threads=8), probe=4),
        refined_key("g", replace(plan, ema=True), HOST, probe=4),
        refined_key("g", replace(plan, clipnorm=1.0), HOST, probe=4),
        refined_key("g", replace(plan, weight_decay=0.1), HOST, probe=4),
    }
    assert len(keys) == 11


def test_how_the_data_is_held_and_how_hard_gradients_are_clipped_need_no_other_answer():
    plan = Plan(clipvalue=0.5)
    key = refined_key("g", plan, HOST, probe=4)
    assert key == refined_key("g", replace(plan, clipvalue=0.1, data="array"), HOST, probe=4)


@pytest.mark.parametrize(
    ("batch", "probe"), [(1, 2), (3, 2), (4, 4), (16, 4), (31, 4), (32, 8), (256, 64), (1_000_000, 4096)]
)
def test_a_quarter_of_the_batch_is_probed(batch, probe):
    assert refining.probe_batch(batch, lambda _: MIB) == probe


def test_a_probe_that_would_take_much_is_made_smaller():
    assert refining.probe_batch(1024, lambda batch: 5 * GIB + batch * 20 * MIB) == 32
    assert refining.probe_batch(1024, lambda batch: batch * GIB // 2) == 4
    assert refining.probe_batch(1024, lambda batch: batch * GIB) == 2


@given(st.integers(1, 1 << 14))
def test_what_was_probed_for_a_batch_is_looked_for_among_the_first(batch):
    order = refined_store.probes_nearest_first(batch)
    assert refining.probe_batch(batch, lambda _: 0) in order[:2]
    assert sorted(order) == [2 << n for n in range(12)]


@pytest.mark.parametrize(("limit_bytes", "hollow"), [(10**12, False), (10**7, True), (None, False)])
def test_weights_that_would_fill_the_memory_are_not_filled(limit_bytes, hollow):
    arguments, variables = refining.refine_arguments(QUERY, probe=None, limit_bytes=limit_bytes)
    assert arguments["hollow"] is hollow
    assert arguments["device"] == "cpu"
    assert ("TF_CPU_BFC_MEM_LIMIT_IN_MB" in variables) == (limit_bytes is not None)


def test_a_probe_always_fills_its_weights():
    arguments, variables = refining.refine_arguments(QUERY, probe=16, limit_bytes=10**7)
    assert arguments["hollow"] is False
    assert arguments["probe"] == [16, 8]
    assert variables["TF_CPU_BFC_MEM_LIMIT_IN_MB"] == "9"


def test_only_this_machines_own_device_can_be_refined():
    here = desktop()
    refining.refuse_elsewhere(here, HOST)
    with pytest.raises(UsageError, match="this machine"):
        refining.refuse_elsewhere(replace(here, simulated=("cpu",)), HOST)
    with pytest.raises(UsageError, match="XLA"):
        refining.refuse_elsewhere(here, TargetDevice("RTX", card(simulated=True)))


def test_who_listens_hears_how_long_it_will_take_yet():
    heard, now = [], iter((100.0, 104.0))
    stages = (Stage(0.0, 4.0), Stage(0.5, 6.0))
    listen = refining.with_time_left(heard.append, stages, lambda: next(now))
    listen(Phase("build", 0.0))
    listen(Progress(0.5))
    assert heard == [Phase("build", 0.0), Progress(0.5, left_s=6.0)]


def test_every_file_that_makes_an_answer_is_there():
    root = Path(app.__file__).parent
    assert [pattern for pattern in refined_store._MADE_BY if not list(root.glob(pattern))] == []
