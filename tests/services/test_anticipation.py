"""What may be asked next is simulated before it is asked."""

import threading

import pytest

from app.catalog.paths import resource_path
from app.core.predict import model_steps
from app.core.predict.memory import StepMemory
from app.core.types.plan_values import OPTIMIZERS
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.history import History
from app.services.store.shipped_graphs import read_graph
from tests.core.machines import desktop

GRAPH = read_graph(resource_path("graphs") / "mlp.json.gz")
WORKLOAD = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=64))


@pytest.fixture
def advisor(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


@pytest.fixture
def simulated(monkeypatch):
    """Every simulation of a step: (optimizer, xla)."""
    seen = []

    def simulate(graph, optimizer, **settings):
        seen.append((optimizer, settings["xla"]))
        return StepMemory(graph, optimizer, **settings)

    monkeypatch.setattr(model_steps, "StepMemory", simulate)
    return seen


def ask(advisor, **plan):
    workload = Workload(WORKLOAD.model, None, Plan(**{"batch_size": 64, **plan}))
    return advisor.predictor.predict(workload, desktop(), GRAPH).memory.allocator_peak_bytes


def test_after_the_first_answer_every_optimizer_is_known(advisor, simulated):
    ask(advisor)
    assert simulated == [("adam", False)]
    advisor.predictor.anticipate(WORKLOAD, desktop(), GRAPH)
    assert sorted(simulated) == sorted([*((name, False) for name in OPTIMIZERS), ("adam", True)])
    simulated.clear()
    peaks = {name: ask(advisor, optimizer=name) for name in OPTIMIZERS}
    assert peaks["sgd"] < peaks["adam"]
    ask(advisor, jit=True)
    assert simulated == []


def test_a_new_question_ends_it(advisor, simulated):
    cancel = threading.Event()
    cancel.set()
    advisor.predictor.anticipate(WORKLOAD, desktop(), GRAPH, cancel)
    assert simulated == []


def test_another_precision_is_arithmetic_on_the_same_trace(advisor, monkeypatch):
    store, key = advisor.predictor.graphs._stored, advisor.predictor.graphs.key(WORKLOAD).name
    monkeypatch.setattr(store, "load", {key: GRAPH}.get)
    half = advisor.predictor.graphs.get(Workload(WORKLOAD.model, None, Plan(precision="mixed_bfloat16")))
    assert half.precision == "mixed_bfloat16"
    assert "16-bit" in half.model.assumptions[-1]
