"""Files that older versions wrote are read: ``recorded/`` holds them as they were written.

``schema_1.sqlite3.gz`` and ``settings_1.json`` come from the program as it was before forecasts had a table of
their own: three real benchmarks on a processor, a note and a deleted run.  ``schema_2.sqlite3.gz`` comes from the
program as it was before a run knew what its file held: a benchmark of a user's function, and one of the catalog.  Only
the paths of the file and of the Python that trained were changed.
"""

import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.workload import ModelRef, Workload
from app.services.reports.report import write_report
from app.services.settings import DEFAULT_CACHE_LIMIT_BYTES, Folders, Settings
from app.services.store.history import History
from app.services.store.history_schema import MIGRATIONS
from app.services.store.runs import same_content

RECORDED = Path(__file__).parent / "recorded"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the recorded history."""
    path = tmp_path / "history.sqlite3"
    path.write_bytes(gzip.decompress((RECORDED / "schema_1.sqlite3.gz").read_bytes()))
    return path


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """A copy of the recorded history of the second version."""
    path = tmp_path / "second.sqlite3"
    path.write_bytes(gzip.decompress((RECORDED / "schema_2.sqlite3.gz").read_bytes()))
    return path


def rows(path: Path, query: str) -> list[tuple]:
    store = sqlite3.connect(path)
    try:
        return store.execute(query).fetchall()
    finally:
        store.close()


def test_the_recorded_history_is_of_the_first_version(old: Path):
    assert rows(old, "PRAGMA user_version") == [(1,)]
    assert rows(old, "SELECT name FROM sqlite_master WHERE name = 'forecast'") == []


def test_every_run_of_the_first_version_is_there_and_whole(old: Path):
    history = History(old)
    assert [(s.run_id, s.model, s.outcome) for s in history.list()] == [
        (2, "fashion_mnist_cnn", "succeeded"),
        (1, "mlp", "succeeded"),
    ]
    assert [s.run_id for s in history.list(deleted=True)] == [3]
    assert history.list()[1].note == "vor dem Umbau: <b>schnell</b>"
    found = history.get(2)
    assert found.workload == Workload(ModelRef("catalog", "fashion_mnist_cnn"), None, Plan(batch_size=64))
    assert found.result.measurement is not None
    assert found.result.measurement.step.median_s > 0
    assert history.notice is None


def test_the_file_is_of_the_newest_version_afterwards_and_nothing_was_lost(old: Path):
    columns = "run_id, created_at, note, deleted, step_s, workload_json, machine_json, prediction_json, result_json"
    before = rows(old, f"SELECT {columns} FROM run")
    History(old).list()
    assert rows(old, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert rows(old, f"SELECT {columns} FROM run") == before
    assert rows(old, "PRAGMA integrity_check") == [("ok",)]


def test_what_was_told_then_counts_in_the_products_own_error(old: Path):
    record = History(old).track_record()
    assert record is not None
    assert record.memory is not None
    assert record.memory.runs == 2


def test_old_and_new_runs_stand_side_by_side(old: Path, tmp_path: Path):
    history = History(old)
    then = history.get(1)
    again = history.add(Run(0, "", then.workload, then.machine, then.prediction, then.result))
    assert again.run_id == 4
    history.restore(3)
    assert [s.run_id for s in history.list()] == [4, 3, 2, 1]
    for name in ("run.html", "run.md", "run.json"):
        write_report(history.get(2), tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500


def test_runs_of_the_second_version_are_whole_and_do_not_know_what_their_file_held(second: Path):
    assert rows(second, "PRAGMA user_version") == [(2,)]
    told = rows(second, "SELECT run_id, told_peak_bytes, raw_step_s FROM forecast")
    history = History(second)
    own, catalog = history.get(1), history.get(2)
    assert own.workload.model == ModelRef("code", "net.py:build", "/opt/train/net.py", "build", trusted=True)
    assert own.result.measurement is not None
    assert (own.content, catalog.content) == (None, None)
    assert not same_content(own, "any digest")
    assert not same_content(own, None)
    assert same_content(catalog, None)
    assert rows(second, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert rows(second, "SELECT run_id, told_peak_bytes, raw_step_s FROM forecast") == told
    kept = history.add(Run(0, "", own.workload, own.machine, own.prediction, own.result, content="abc"))
    assert history.get(kept.run_id).content == "abc"
    assert [run.content for run in history.runs_of_model(own.workload)] == ["abc", None]


def test_settings_of_the_first_version_are_read_and_new_ones_have_their_defaults(tmp_path: Path):
    folders = Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config")
    folders.config_dir.mkdir()
    shutil.copyfile(RECORDED / "settings_1.json", folders.config_dir / "settings.json")
    settings = Settings.load(folders)
    assert settings.notice is None
    assert (settings.theme, settings.interpreter, settings.bench_seconds) == ("dark", "/opt/train/bin/python", 45.0)
    assert settings.reserve_ram_bytes == 2 * 2**30
    assert settings.cache_limit_bytes == DEFAULT_CACHE_LIMIT_BYTES
    settings.save()
    stored = json.loads(settings.settings_path.read_text())
    then = json.loads((RECORDED / "settings_1.json").read_text())
    assert then.items() <= stored.items()
