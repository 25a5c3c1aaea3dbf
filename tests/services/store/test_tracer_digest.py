"""What makes traced graphs old, and what does not: tried on a copy of the child's code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import app
from app.services.store.graph_key import tracer_digest

WORKER = Path(app.__file__).parent / "worker"


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """A copy of the child's code, of which the digest is asked."""
    shutil.copytree(WORKER, tmp_path / "app" / "worker", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(app, "__file__", str(tmp_path / "app" / "__init__.py"))
    return tmp_path / "app" / "worker"


def digests() -> tuple[str, str]:
    """Of the catalog's networks, and of the user's own."""
    return tracer_digest.__wrapped__(), tracer_digest.__wrapped__(own_model=True)


def append(path: Path, line: str) -> None:
    path.write_text(f"{path.read_text()}{line}\n")


def test_where_a_file_lies_makes_no_graph_old(worker):
    before = digests()
    (worker / "tracing" / "loops.py").rename(worker / "models" / "turns.py")
    append(worker / "tracing" / "trace.py", "from app.worker.models.turns import loop_turns")
    assert digests() == before


def test_a_change_of_the_tracer_makes_every_graph_old(worker):
    before = digests()
    append(worker / "tracing" / "trace.py", "LIMIT = 1")
    assert all(now != then for now, then in zip(digests(), before, strict=True))


def test_a_change_of_how_own_models_are_read_leaves_the_catalogs_graphs(worker):
    before = digests()
    append(worker / "models" / "own" / "files.py", "LIMIT = 1")
    after = digests()
    assert (after[0] == before[0], after[1] == before[1]) == (True, False)


def test_a_change_elsewhere_in_the_child_leaves_all(worker):
    before = digests()
    append(worker / "benchmark" / "run.py", "LIMIT = 1")
    assert digests() == before
