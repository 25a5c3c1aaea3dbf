"""Variables of the child, whose TensorFlow traces, and that runs teach only about their own framework."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.machine import Cpu, GpuSupport, Machine, Ram
from app.core.types.measurement import MeasuredMemory, MeasuredStep, Measurement, RunResult
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Workload
from app.services.advisor import Advisor
from app.services.child import variables as backends
from app.services.child.variables import backend_variables, tracing_interpreter, usable_cards
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES

MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
GRAPH = chain_graph()


def test_the_child_is_told_its_backend_whatever_the_shell_says():
    assert backend_variables("tensorflow", "auto") == {"KERAS_BACKEND": "tensorflow"}
    assert backend_variables("jax", "auto")["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert "JAX_PLATFORMS" not in backend_variables("jax", "gpu:0")
    assert backend_variables("jax", "cpu")["JAX_PLATFORMS"] == "cpu"
    assert backend_variables("torch", "cpu")["KERAS_TORCH_DEVICE"] == "cpu"
    assert backend_variables("torch", "gpu:1") == {"KERAS_BACKEND": "torch"}


def test_another_backends_environment_need_not_trace(monkeypatch):
    monkeypatch.setattr(backends, "find_spec", lambda name: object())
    assert tracing_interpreter("tensorflow", "/their/python") == "/their/python"
    assert tracing_interpreter("jax", "/their/python") is None
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    assert tracing_interpreter("jax", "/their/python") == "/their/python"


def test_each_framework_has_its_own_usable_cards():
    def support(index: int, framework: str, usable: bool | None, interpreter: str = "a") -> GpuSupport:
        return GpuSupport(index, "card", framework, usable, "", interpreter=interpreter)

    asked = [
        support(0, "tensorflow", False),
        support(0, "torch", True),
        support(1, "torch", False),
        support(0, "jax", True, "b"),
    ]
    assert usable_cards(asked, ("a",)) == {"tensorflow": frozenset(), "torch": frozenset({0})}


@pytest.mark.parametrize(("ran_on", "asked_on"), [("tensorflow", "jax"), ("jax", "tensorflow"), ("jax", "torch")])
def test_a_run_never_speaks_for_another_framework(tmp_path: Path, ran_on: str, asked_on: str):
    history = History(tmp_path / "history.sqlite3")
    known = Advisor(Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path)), history).predictor
    known.facts.keep_rates(MACHINE, "cpu", HOST_RATES)
    plan = Plan(batch_size=64, device="cpu", jit=True)
    asked = Workload(ModelRef("catalog", "mlp"), None, replace(plan, backend=asked_on))
    before = known.predict(asked, MACHINE, GRAPH)
    ran = replace(asked, plan=replace(plan, backend=ran_on))
    other = replace(ran, model=ModelRef("catalog", "another"))
    for workload in (ran, *[replace(other, model=ModelRef("catalog", f"net{n}")) for n in range(6)]):
        told = known.predict(workload, MACHINE, GRAPH)
        step = MeasuredStep(0.5, 0.49, 0.51, 20)
        needed = MeasuredMemory(3 * told.memory.allocator_peak_bytes, host_bytes=GIB)
        result = RunResult("succeeded", Measurement(step, 1.0, plan.batch_size / step.median_s, None, needed))
        history.add(Run(0, "", workload, MACHINE, told, result))
    after = known.predict(asked, MACHINE, GRAPH)
    assert (after.memory.allocator_peak_bytes, after.memory.low_bytes, after.memory.high_bytes) == (
        before.memory.allocator_peak_bytes,
        before.memory.low_bytes,
        before.memory.high_bytes,
    )
    assert after.time.step_s == before.time.step_s
    same = known.predict(ran, MACHINE, GRAPH)
    assert same.memory.basis == "measured"
    assert same.time.step_s == pytest.approx(0.5)
    assert history.newest_matching(asked) is None
    assert len(history.list(ran_on)) == 7
    assert history.list(asked_on) == ()
