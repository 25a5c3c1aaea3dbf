"""A program that is asked to end takes along what it has started and made for a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.cli.exit_codes import INTERRUPTED
from tests.patience import SOON_S, gone

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
ROOT = Path(__file__).parents[2]
_CHILD = """#!/bin/sh
touch "$TMPDIR/made"
echo "$TMPDIR" > {told}.part
echo $$ >> {told}.part
mv {told}.part {told}
while true; do sleep 0.2; done
"""
_WITH_USUAL_SIGNALS = (
    "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
)


def _wait_for(path: Path) -> list[str]:
    """What a child has told."""
    end = time.monotonic() + 20 * SOON_S
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    return path.read_text().split()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_children_and_leaves_no_temporary_folder(tmp_path: Path, name: str):
    told, places, python = tmp_path / "told", tmp_path / "tmp", tmp_path / "python"
    places.mkdir()
    python.write_text(_CHILD.format(told=told))
    python.chmod(0o755)
    environment = {**os.environ, "TMPDIR": str(places), "WILLITTRAIN_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-m", "app", "doctor", "--python", str(python)]
    # The tests themselves may have been told to ignore a terminal that ends, and a child inherits that.
    command = [sys.executable, "-c", _WITH_USUAL_SIGNALS, *command]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        folder, child = _wait_for(told)
        assert Path(folder).parent == places
        program.send_signal(signal.Signals[name])
        _, errors = program.communicate(timeout=20 * SOON_S)
    assert program.returncode == (INTERRUPTED if name == "SIGINT" else 128 + signal.Signals[name])
    assert b"Traceback" not in errors
    assert (b"stopped" in errors) == (name == "SIGINT")
    assert list(places.iterdir()) == []
    assert gone(int(child))


def test_a_terminal_that_ends_is_nothing_to_a_program_that_was_told_to_ignore_it(tmp_path: Path):
    """As ``nohup`` tells it."""
    code = (
        "import os, signal; from app.cli.main import end_with_signals; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        "end_with_signals(); os.kill(os.getpid(), signal.SIGHUP); print('lives')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "lives\n"
