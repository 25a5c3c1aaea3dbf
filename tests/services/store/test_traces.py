"""Raw traces are kept with their runs, limited, and exported for XProf and Perfetto."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.errors import UsageError
from app.services.store import traces
from app.services.store.history import History
from app.services.store.traces import CHROME_FILE, XPLANE_FILE, TraceStore
from tests.cli import answers

CHROME = {"displayTimeUnit": "ms", "traceEvents": []}


def written(folder: Path, size: int = 100) -> None:
    """What a child leaves."""
    (folder / XPLANE_FILE).write_bytes(b"x" * size)
    (folder / CHROME_FILE).write_bytes(gzip.compress(json.dumps(CHROME).encode()))


def kept(store: TraceStore, run_id: int, living: tuple[int, ...], size: int = 100) -> None:
    with store.place() as folder:
        assert folder is not None
        written(folder, size)
        store.keep(run_id, folder, lambda: living)


def test_a_trace_is_kept_with_its_run_and_the_place_is_cleared(tmp_path: Path):
    history = History(tmp_path / "data" / "history.sqlite3")
    with history.traces.place() as folder:
        assert folder is not None
        written(folder)
        run = history.add(answers.run(), trace=folder)
    assert history.traces.kept() == (run.run_id,)
    assert [path.name for path in history.traces.folder.iterdir()] == [f"run-{run.run_id}"]


def test_a_run_without_a_trace_leaves_nothing(tmp_path: Path):
    history = History(tmp_path / "history.sqlite3")
    with history.traces.place() as folder:
        history.add(answers.run(), trace=folder)
    assert history.traces.kept() == ()
    assert list(history.traces.folder.iterdir()) == []


def test_a_deleted_runs_trace_goes_when_the_next_is_kept(tmp_path: Path):
    history = History(tmp_path / "history.sqlite3")
    for number in (1, 2, 3):
        with history.traces.place() as folder:
            assert folder is not None
            written(folder)
            history.add(replace(answers.run(), note=str(number)), trace=folder)
        if number == 1:
            history.delete(1)
            assert history.traces.kept() == (1,)
    assert sorted(history.traces.kept()) == [2, 3]


def test_only_the_newest_and_not_too_much_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = TraceStore(tmp_path)
    monkeypatch.setattr(traces, "MOST_TRACES", 3)
    for run_id in range(1, 6):
        kept(store, run_id, tuple(range(1, 6)))
    assert sorted(store.kept()) == [3, 4, 5]
    monkeypatch.setattr(traces, "MOST_BYTES", 1000)
    kept(store, 6, tuple(range(1, 7)), size=5000)
    assert store.kept() == (6,)


def test_an_export_lies_where_xprof_looks_and_as_plain_json(tmp_path: Path):
    store = TraceStore(tmp_path / "traces")
    kept(store, 7, (7,))
    xplane, chrome = store.export(7, tmp_path / "out")
    assert xplane == tmp_path / "out" / "plugins" / "profile" / "run_7" / "host.xplane.pb"
    assert json.loads(chrome.read_text()) == CHROME


def test_a_run_without_a_trace_cannot_be_exported(tmp_path: Path):
    with pytest.raises(UsageError, match="no trace"):
        TraceStore(tmp_path / "none").export(1, tmp_path)


_WINDOW = """
import sys
from pathlib import Path
from app.services.store.history import History
from app.services.store.traces import CHROME_FILE, XPLANE_FILE
from tests.cli import answers
history = History(Path(sys.argv[1]))
for _ in range(30):
    with history.traces.place() as folder:
        (folder / XPLANE_FILE).write_bytes(b"x" * 100)
        (folder / CHROME_FILE).write_bytes(b"")
        run = history.add(answers.run(), folder)
    print(run.run_id, flush=True)
"""


def test_two_windows_that_keep_traces_lose_none_of_the_newest(tmp_path: Path):
    path = tmp_path / "data" / "history.sqlite3"
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", _WINDOW, str(path)]
    both = [subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    stored = sorted(int(line) for window in both for line in window.communicate()[0].split())
    assert [window.returncode for window in both] == [0, 0]
    assert stored == list(range(1, 61))
    store = History(path).traces
    assert sorted(store.kept()) == stored[-traces.MOST_TRACES :]
    assert sorted(p.name for p in store.folder.iterdir()) == sorted(f"run-{run_id}" for run_id in store.kept())


def test_a_trace_that_somebody_removes_meanwhile_is_no_reason_to_lose_a_run(tmp_path: Path, monkeypatch):
    history = History(tmp_path / "history.sqlite3")
    gone = history.traces.folder / "run-7"
    monkeypatch.setattr(TraceStore, "kept", lambda self: (1, 7))
    with history.traces.place() as folder:
        assert folder is not None
        written(folder)
        assert history.add(answers.run(), folder).run_id == 1
    assert not gone.exists()
    assert (history.traces.folder / "run-1").is_dir()
