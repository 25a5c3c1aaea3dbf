"""Runs from files: printed by bench, or written by hand."""

import json
import sys

import pytest

from app.cli.machine_file import read_machine
from app.cli.measured_file import read_measured
from app.cli.output import bench_json
from app.core.types.errors import UsageError
from tests.cli import answers


def written(tmp_path, document):
    path = tmp_path / "run.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return str(path)


def test_what_bench_printed_comes_back(tmp_path):
    found = read_measured(written(tmp_path, bench_json(answers.run())), answers.PLAN.batch_size)
    assert found.step == answers.MEASURED.step
    assert found.shares == answers.MEASURED.shares
    assert found.memory == answers.MEASURED.memory


def test_a_step_time_is_enough_by_hand(tmp_path):
    found = read_measured(written(tmp_path, {"step_s": {"median": 0.5}, "gpu_percent": 11}), 64)
    assert found.samples_per_s == 128
    assert found.gpu_percent == 11


@pytest.mark.parametrize("document", ["nonsense", "[]", {}, {"step_s": {"median": 0}}, {"step_s": {"median": "1 s"}}])
def test_what_is_no_run_is_refused(tmp_path, document):
    with pytest.raises(UsageError):
        read_measured(written(tmp_path, document), 64)


def test_a_run_of_another_batch_size_is_refused(tmp_path):
    run = {"plan": {"batch_size": 32}, "measured": {"step_s": {"median": 1.0}}}
    with pytest.raises(UsageError, match="--batch-size 32"):
        read_measured(written(tmp_path, run), 64)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_measured(str(tmp_path / "none.json"), 64)


@pytest.mark.skipif(sys.platform == "win32", reason="devices are files elsewhere")
def test_a_file_without_end_is_refused():
    with pytest.raises(UsageError, match="too long"):
        read_measured("/dev/zero", 64)
    with pytest.raises(UsageError, match="too long"):
        read_machine("/dev/zero")
