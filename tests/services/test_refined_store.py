"""Refined answers on disk, and what a refinement may hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.device import TargetDevice
from app.core.errors import UsageError
from app.core.stepgraph import Line
from app.core.workload import ModelRef, Plan, Workload
from app.services import refining
from app.services.refined_store import RefinedStore, refined_key
from tests.core.graphs import chain_graph
from tests.core.machines import card, desktop

ANSWER = {
    "compiled": False, "batch_sizes": [4, 2], "framework": "tensorflow 2.21", "seconds": 3.5, "window": 2,
    "recording": {"events": [0, 1, -2], "kinds": [[512, 0], [0, 4.5]], "size_of": [0, 1], "starts": [1],
                  "unmatched_share": 0.01},
}  # fmt: skip
HOST = TargetDevice("CPU", None, 2)
WORKLOAD = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=8, jit=True))


def test_an_answer_comes_back(tmp_path):
    store = RefinedStore(tmp_path / "refined")
    assert store.load("key") is None
    store.save("key", ANSWER)
    found = store.load("key")
    assert found is not None
    assert found.recording.sizes == (Line(512), Line(0, 4.5))
    assert found.recording.events == (0, 1, ~1)
    assert (found.batch_sizes, found.window, found.seconds) == ((4, 2), 2, 3.5)


@pytest.mark.parametrize("content", [b"", b"no gzip", None])
def test_a_damaged_answer_is_forgotten(tmp_path, content):
    store = RefinedStore(tmp_path)
    store.save("key", {**ANSWER, "recording": {**ANSWER["recording"], "size_of": [7]}})
    path = tmp_path / "key.json.gz"
    if content is not None:
        path.write_bytes(content)
    assert store.load("key") is None
    assert not path.exists()


def test_a_probe_serves_every_batch_and_a_compiled_step_its_own():
    small, large = Plan(batch_size=8), Plan(batch_size=64)
    assert refined_key("g", small, HOST, compiled=False) == refined_key("g", large, HOST, compiled=False)
    assert refined_key("g", small, HOST, compiled=True) != refined_key("g", large, HOST, compiled=True)


def test_graph_optimizer_and_device_make_another_answer():
    plan = Plan()
    keys = {
        refined_key("g", plan, HOST, compiled=False),
        refined_key("g", plan, HOST, compiled=True),
        refined_key("h", plan, HOST, compiled=False),
        refined_key("g", replace(plan, optimizer="sgd"), HOST, compiled=False),
        refined_key("g", replace(plan, accumulate=2), HOST, compiled=False),
        refined_key("g", plan, replace(HOST, host_threads=8), compiled=False),
        refined_key("g", replace(plan, ema=True), HOST, compiled=False),
        refined_key("g", replace(plan, clipnorm=1.0), HOST, compiled=False),
        refined_key("g", replace(plan, weight_decay=0.1), HOST, compiled=False),
    }
    assert len(keys) == 9


def test_how_the_data_is_held_and_how_hard_gradients_are_clipped_need_no_other_answer():
    plan = Plan(clipvalue=0.5)
    key = refined_key("g", plan, HOST, compiled=False)
    assert key == refined_key("g", replace(plan, clipvalue=0.1, data="array"), HOST, compiled=False)


@pytest.mark.parametrize(("limit_bytes", "hollow"), [(10**12, False), (10**7, True), (None, False)])
def test_weights_that_would_fill_the_memory_are_not_filled(monkeypatch, limit_bytes, hollow):
    monkeypatch.setattr(refining, "memory_limit_bytes", lambda reserve: limit_bytes)
    arguments, variables = refining.refine_arguments(WORKLOAD, chain_graph(), HOST, xla=True, reserve_bytes=None)
    assert arguments["hollow"] is hollow
    assert arguments["device"] == "cpu"
    assert ("TF_CPU_BFC_MEM_LIMIT_IN_MB" in variables) == (limit_bytes is not None)


def test_a_probe_always_fills_its_weights(monkeypatch):
    monkeypatch.setattr(refining, "memory_limit_bytes", lambda reserve: 10**7)
    arguments, variables = refining.refine_arguments(WORKLOAD, chain_graph(), HOST, xla=False, reserve_bytes=None)
    assert arguments["hollow"] is False
    assert variables["TF_CPU_BFC_MEM_LIMIT_IN_MB"] == "9"


def test_only_this_machines_own_device_can_be_refined():
    here = desktop()
    refining.refuse_elsewhere(here, HOST)
    with pytest.raises(UsageError, match="this machine"):
        refining.refuse_elsewhere(replace(here, simulated=("cpu",)), HOST)
    with pytest.raises(UsageError, match="XLA"):
        refining.refuse_elsewhere(here, TargetDevice("RTX", card(simulated=True)))
