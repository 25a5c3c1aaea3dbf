"""What was simulated is taken up where an earlier start left it, and only as long as it is still true."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

import app
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.model_steps import Training
from app.core.predict.time import Rates
from app.core.simulate import orders
from app.core.simulate.optimizers import NOTHING_ADDED
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.predictor.simulations import Simulations
from app.services.settings import Folders, Settings
from app.services.store import simulated_store
from app.services.store.simulated_store import SIMULATED_BY, graph_digest, simulated_key, simulator_digest
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop

GRAPH = chain_graph(layers=12, sample_bytes=400_000)
KNOWN = Knowledge(Rates(HOST_RATES))
TRAINING = Training("adam", xla=False, threads=2, accumulate=1, on_host=True, options=NOTHING_ADDED)
PLANS = st.builds(
    Plan,
    batch_size=st.integers(1, 5000),
    optimizer=st.sampled_from(["adam", "sgd"]),
    accumulate=st.sampled_from([1, 3]),
    jit=st.booleans(),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"))


def answer(simulations: Simulations, plan: Plan | None = None, gib: int | None = None):
    """What a start of the program answers that knows what is on disk."""
    workload = Workload(ModelRef("catalog", "chain"), None, plan or Plan(batch_size=32))
    machine = desktop() if gib is None else desktop(card(gib=gib))
    return Estimator(GRAPH, simulations.of(GRAPH)).predict(workload, machine, KNOWN)


def kept(settings: Settings) -> list[Path]:
    return sorted((settings.cache_dir / "graphs").glob("*.json.gz"))


@given(plan=PLANS, gib=st.sampled_from([None, 4, 12]))
@examples(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_an_earlier_start_asked_the_answer_is_the_same(settings: Settings, plan: Plan, gib: int | None):
    simulations = Simulations(settings)
    found = answer(simulations, plan, gib)
    simulations.keep()
    assert found == Estimator(GRAPH).predict(
        Workload(ModelRef("catalog", "chain"), None, plan), desktop() if gib is None else desktop(card(gib=gib)), KNOWN
    )


def test_the_second_start_simulates_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    first = Simulations(settings)
    found = answer(first)
    first.keep()
    for name in ("Executor", "replayed_peaks", "survives"):
        monkeypatch.setattr(orders, name, lambda *asked, **_how: pytest.fail(f"simulated again: {asked}"))
    assert answer(Simulations(settings)) == found


def test_what_is_known_already_is_not_written_again(settings: Settings):
    first = Simulations(settings)
    answer(first)
    first.keep()
    (file,) = kept(settings)
    file.unlink()
    first.keep()
    assert not kept(settings)
    answer(first, Plan(batch_size=4096))
    first.keep()
    assert kept(settings) == [file]


def test_the_oldest_go_where_the_cache_has_no_room(settings: Settings):
    simulations = Simulations(replace(settings, cache_limit_bytes=1))
    answer(simulations)
    simulations.keep()
    (first,) = kept(settings)
    answer(simulations, Plan(optimizer="sgd"))
    simulations.keep()
    (second,) = kept(settings)
    assert first != second


def test_changed_sources_make_it_worthless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = Path(app.__file__).parent
    ours = simulator_digest(package)
    for number, pattern in enumerate(SIMULATED_BY):
        copy = tmp_path / str(number)
        shutil.copytree(package / "core", copy / "core")
        assert simulator_digest(copy) == ours
        changed = sorted(copy.glob(pattern))[-1]
        changed.write_bytes(changed.read_bytes() + b"\n")
        simulator_digest.cache_clear()
        assert simulator_digest(copy) != ours
    name = simulated_key("graph", TRAINING)
    monkeypatch.setattr(simulated_store, "simulator_digest", lambda _package: "other sources")
    assert simulated_key("graph", TRAINING) != name


def test_another_graph_and_another_training_have_another_name():
    digests = {graph_digest(graph) for graph in (GRAPH, replace(GRAPH, loops=()), replace(GRAPH, trace_s=1.0))}
    assert len(digests) == 1
    assert graph_digest(chain_graph(layers=12, sample_bytes=400_001)) not in digests
    changes = ({"optimizer": "sgd"}, {"xla": True}, {"threads": 3}, {"accumulate": 2}, {"on_host": False})
    trainings = [TRAINING, *(replace(TRAINING, **change) for change in changes)]
    trainings.append(replace(TRAINING, options=replace(NOTHING_ADDED, ema=True)))
    assert len({simulated_key("graph", training) for training in trainings}) == len(trainings)


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _with(**change: object):
    def changed(content: bytes) -> bytes:
        document = msgspec.json.decode(gzip.decompress(content))
        document["steps"][0]["updating"]["0"].update(change)
        return gzip.compress(msgspec.json.encode(document))

    return changed


@pytest.mark.parametrize(
    "damage",
    [
        _cut,
        _with(events=[10**6], by=[0]),
        _with(events=[~(10**6)], by=[0]),
        _with(by=[]),
        _with(roles=[]),
        _with(resident=10**6),
        _with(moved={"3": 10**6}),
    ],
)
def test_a_damaged_file_is_simulated_again(settings: Settings, damage):
    first = Simulations(settings)
    found = answer(first)
    first.keep()
    (file,) = kept(settings)
    file.write_bytes(damage(file.read_bytes()))
    again = Simulations(settings)
    assert answer(again) == found
    assert not kept(settings)
    again.keep()
    assert kept(settings) == [file]
