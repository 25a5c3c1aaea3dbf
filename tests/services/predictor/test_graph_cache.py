"""One key for each workload, and one cache of graphs in memory and on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.predictor import graph_cache
from app.services.predictor.graph_cache import MOST_KEPT, GraphCache
from app.services.settings import Folders, Settings
from app.services.store import file_digests
from app.services.store.model_contents import ModelContents
from tests.core.graphs import chain_graph
from tests.services.store.test_graph_store import TRACED


@pytest.fixture
def graphs(tmp_path: Path) -> GraphCache:
    settings = Settings(folders=Folders(tmp_path, tmp_path / "cache", tmp_path))
    return GraphCache(settings, ModelContents(tmp_path / "imports.json"), None, lambda _workload: None)


def named(name: str, **plan: object) -> Workload:
    return Workload(ModelRef("catalog", name), None, Plan(**plan))


def test_every_position_of_a_slider_has_one_and_the_same_key(graphs: GraphCache):
    assert graphs.key(named("a", batch_size=32)) is graphs.key(named("a", batch_size=33, optimizer="sgd"))
    assert graphs.key(named("a")) != graphs.key(named("a", remat=True))
    assert graphs.key(named("a")) != graphs.key(named("b"))


def test_a_step_of_their_own_is_traced_again_when_their_data_changes(graphs: GraphCache, tmp_path: Path):
    model, data = tmp_path / "net.py", tmp_path / "data.py"
    for path in (model, data):
        path.write_text("def make(): ...")
    own = ModelRef("code", "net.py:make", str(model), "make", trusted=True)
    asked = Workload(own, Dataset("data.py:make", "code", str(data), function="make"))
    before = graphs.key(asked)
    assert graphs.key(replace(asked, dataset=None)) != before
    data.write_text("def make(): ...  # otherwise")
    after = graphs.key(asked)
    assert (after.name != before.name, after.content) == (True, before.content)


def test_a_file_is_read_once_for_all_of_them(graphs: GraphCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "net.h5"
    path.write_bytes(b"weights" * 1000)
    read: list[str] = []
    digest = file_digests._digest
    monkeypatch.setattr(file_digests, "_digest", lambda name: read.append(name) or digest(name))
    monkeypatch.setattr(file_digests, "RACY_S", -1.0)
    asked = Workload(ModelRef("file", path.name, str(path)), None, Plan())
    keys = {graphs.key(replace(asked, plan=Plan(batch_size=batch))).name for batch in range(1, 50)}
    assert (len(keys), read) == (1, [str(path)])
    path.write_bytes(b"others" * 1000)
    assert graphs.key(asked).name not in keys


def test_the_graph_that_is_asked_about_stays_in_memory_and_the_oldest_is_read_again(graphs: GraphCache):
    first = graphs.keep(named("first"), dict(TRACED), None)
    for number in range(MOST_KEPT - 1):
        graphs.keep(named(f"other {number}"), dict(TRACED), None)
    assert graphs.get(named("first")) is first
    for number in range(MOST_KEPT):
        graphs.keep(named(f"another {number}"), dict(TRACED), None)
    again = graphs.get(named("first"))
    assert again == first
    assert again is not first
    assert len(graphs._kept) == graph_cache.MOST_KEPT


def test_a_graph_has_one_estimator_whether_it_came_from_a_trace_or_not(graphs: GraphCache):
    traced, made = graphs.keep(named("a"), dict(TRACED), None), chain_graph()
    assert graphs.estimator(traced) is graphs.estimator(graphs.get(named("a")))
    assert graphs.estimator(made) is graphs.estimator(made)
    assert graphs.estimator(made).graph is made


def test_a_model_that_is_traced_anew_takes_the_place_of_what_was_known(graphs: GraphCache):
    before = graphs.keep(named("a"), dict(TRACED), None)
    after = graphs.keep(named("a"), {**TRACED, "trace_s": 2.0}, None)
    assert graphs.get(named("a")) is after
    assert before.trace_s != after.trace_s


def test_another_precision_is_told_by_arithmetic_but_not_what_a_card_lays_out_otherwise(graphs: GraphCache):
    """On a card op by op a step in 16 bits has channels last, one in float32 channels first."""
    on_card = {**TRACED, "on_cuda": dict(TRACED)}
    graphs.keep(named("plain", precision="float32"), dict(TRACED), None)
    graphs.keep(named("turned", precision="float32"), on_card, None)
    half = {"precision": "mixed_float16"}
    plain, turned = graphs.get(named("plain", jit=False, **half)), graphs.get(named("turned", **half))
    assert plain is not None
    assert plain.precision == "mixed_float16"
    assert turned is not None
    assert turned.precision == "mixed_float16"
    assert graphs.get(named("turned", **half)) is turned
    assert graphs.get(named("turned", jit=False, **half)) is None
    traced = graphs.keep(named("turned", jit=False, **half), {**on_card, "precision": "mixed_float16"}, None)
    assert graphs.get(named("turned", **half)) is traced
