"""The callback in a real training under a real limit: a leak is stopped before the wall, a clean program is let be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOM_BYTES = 1024**3
"""What `guarded_programs` leaves itself."""
MIB = 1024**2

pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(sys.platform == "win32", reason="the limit of the test is one of POSIX"),
]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the programs said, and where their reports lie."""
    folder = tmp_path_factory.mktemp("guarded")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": "-1", "KERAS_BACKEND": "tensorflow"}
    command = [sys.executable, "-m", "tests.willittrain.guarded_programs", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stderr.count("willittrain: stopped after step") == 1
    return json.loads(ended.stdout.splitlines()[-1]), folder


def test_there_is_a_wall(trained):
    told, _ = trained
    assert told["unguarded"] == "out of memory"


def test_a_leak_is_stopped_before_the_wall_with_its_headroom_left(trained):
    told, folder = trained
    report = json.loads((folder / "leak.json").read_text())
    (host,) = report["memory"]
    assert told["leak_epochs"] == 1
    assert 0 < told["left_when_stopped"] < told["unguarded_kept"]
    assert (report["stopped"], report["steps"], report["epochs"]) == (True, told["left_when_stopped"], 1)
    assert report["why"].startswith("host: ")
    assert host["headroom_bytes"] == 200 * MIB
    assert host["limit"] == "address space"
    assert host["least_room_bytes"] >= 100 * MIB
    # TensorFlow's threads may map an arena or two of the same room meanwhile.
    assert host["peak_bytes"] - host["first_bytes"] > 0.5 * (ROOM_BYTES - host["headroom_bytes"])
    assert len(host["samples"]) >= 3


def test_a_clean_program_is_not_touched_and_its_growth_is_told(trained):
    told, folder = trained
    report = json.loads((folder / "clean.json").read_text())
    assert told["clean_epochs"] == 3
    assert (report["stopped"], report["why"], report["steps"], report["epochs"]) == (False, "", 60, 3)
    assert len(report["memory"][0]["grown_bytes"]) == 2
    assert max(report["memory"][0]["grown_bytes"]) < 32 * MIB
