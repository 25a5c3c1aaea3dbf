import os
import sys
import tempfile
from pathlib import Path

import pytest

from app.core.types.messages import Done, Failed, Request
from app.services import held_folder
from app.services.child import child_folder
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker

LITTER = """
import json, os, signal, tempfile
handle, path = tempfile.mkstemp(prefix="autograph")
print(json.dumps({"v": 1, "kind": "done", "body": {"result": {"path": path}}}), flush=True)
"""
PHASE = """
import os, signal, tempfile
open(os.environ["TOLD"], "w").write(tempfile.mkstemp()[1])
os.kill(os.getpid(), signal.SIGKILL)
"""


def run(code: str, **environment: str) -> Done | Failed:
    return run_worker(
        Request("x"), ChildOptions(command=[sys.executable, "-c", code], environment=environment, timeout_s=20)
    )


def test_what_a_child_leaves_among_temporary_files_goes_with_it():
    ended = run(LITTER + "os._exit(0)")
    assert isinstance(ended, Done)
    left = Path(ended.result["path"])
    assert left.parent.name.startswith(child_folder.PREFIX)
    assert not left.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL of POSIX")
def test_also_of_a_child_that_was_killed(tmp_path: Path):
    told = tmp_path / "told"
    ended = run(PHASE, TOLD=str(told))
    assert isinstance(ended, Failed)
    assert ended.kind == "killed"
    left = Path(told.read_text())
    assert left.parent != Path(tempfile.gettempdir())
    assert not left.parent.exists()


def test_a_full_disk_is_no_reason_not_to_run(monkeypatch: pytest.MonkeyPatch):
    def full(prefix: str, dir: Path) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(held_folder.tempfile, "mkdtemp", full)
    ended = run('print(\'{"v":1,"kind":"done","body":{"result":{}}}\')')
    assert isinstance(ended, Done)
