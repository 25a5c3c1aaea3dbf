"""``python -m tests.accuracy.NAME`` and ``python -m tests.benchmarks.NAME`` run the files of `studies`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def runs(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module as the main one."""
    command = [sys.executable, "-m", name, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("room", ["accuracy", "benchmarks"])
def test_every_study_is_found_by_its_older_name(room):
    names = {path.stem for path in (ROOT / "studies" / room).glob("*.py")} - {"__init__"}
    code = f"import importlib.util as u; print(*(n for n in {names!r} if not u.find_spec('tests.{room}.' + n)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(names) > 20
    assert done.stdout.split() == []


def test_a_table_takes_its_arguments_and_ends_alike_under_both_names(tmp_path):
    older = runs("tests.accuracy.time_timm", "--json", "--data", str(tmp_path))
    newer = runs("studies.accuracy.time_timm", "--json", "--data", str(tmp_path))
    assert (older.returncode, older.stdout, older.stderr) == (newer.returncode, newer.stdout, newer.stderr)
    assert older.returncode == 1
    assert str(tmp_path) in older.stderr


def test_a_benchmark_answers_under_its_older_name():
    assert runs("tests.benchmarks.sampling", "--help").stdout.startswith("usage: sampling.py")
