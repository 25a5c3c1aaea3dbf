"""Programs run one after the other from a process that has loaded Keras already: a second each instead of five.

Each runs in a fork of that process, as the leader of its group; what leaves the group is not ended here but by the
guard of a real child (`app.services.child.warden`), which other tests start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.services.child.variables import child_variables
from app.services.models.own_code import read_own

ROOT = Path(__file__).parents[3]
_SERVES = """
import json, os, sys, tempfile, faulthandler
from app.core.types.messages import Request
import keras
import app.worker.script.run
for line in sys.stdin:
    asked = json.loads(line)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(60, exit=True)
        from app.worker.channel import Channel
        from app.worker.main import _end, run_job, JOBS
        os.setpgid(0, 0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        tempfile.tempdir = asked["temporary"]
        channel = Channel(os.fdopen(writer, "wb", buffering=0), open(os.devnull, "rb"))
        _end(channel, run_job(Request("script", asked["arguments"]), channel, JOBS))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as messages:
        last = ""
        for message in messages:
            last = message
            if json.loads(message)["kind"] in ("done", "failed"):
                break
    os.waitpid(child, 0)
    print(last.strip() or "{}", flush=True)
"""


class Warm:
    """The process, and what it answers."""

    def __init__(self, temporary: Path) -> None:
        self._temporary = temporary
        environment = {**os.environ, **child_variables("tensorflow", "cpu"), "PYTHONPATH": str(ROOT)}
        environment |= {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "Agg"}
        environment.pop("DISPLAY", None)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVES],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ran(self, folder: Path, source: str, *arguments: str, **of_model: Any) -> dict[str, Any]:
        """The body of the last message of a program that runs in its folder."""
        path = folder / "train.py"
        path.write_text(source)
        model = {"kind": "script", "name": path.name, "path": str(path), "folder": str(folder), "trusted": True}
        model |= {"arguments": arguments, "consent": list(read_own(str(path)).digests.values()), **of_model}
        pipes = self._process.stdin, self._process.stdout
        assert pipes[0] is not None
        assert pipes[1] is not None
        pipes[0].write(json.dumps({"arguments": {"model": model}, "temporary": str(self._temporary)}) + "\n")
        pipes[0].flush()
        body: dict[str, Any] = json.loads(pipes[1].readline()).get("body", {})
        return body

    def end(self) -> None:
        """Let it go."""
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    """One for all tests of a file."""
    if sys.platform == "win32":
        pytest.skip("there is no fork")
    made = Warm(tmp_path_factory.mktemp("temporary"))
    yield made
    made.end()
