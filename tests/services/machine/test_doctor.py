"""The doctor asks every interpreter, and one bad one never hides the others."""

from __future__ import annotations

import json
import sys
import textwrap
import threading
from functools import partial

import pytest

from app.catalog import typed_json
from app.core.types.errors import Cancelled
from app.core.types.machine import FrameworkBuild, Gpu, Machine
from app.core.types.messages import Done, Failed
from app.services.child.worker_process import run_worker
from app.services.machine.doctor import Doctor, ask_interpreter, examine

CARD = Gpu(0, "NVIDIA", "NVIDIA A100", memory_total_bytes=40 * 1024**3, compute_capability=(8, 0))
MACHINE = Machine(os="Linux", gpus=(CARD,), nvidia_driver="580.95", cuda_version="13.0")
TORCH = """
    __version__ = "2.9.0"
    class version: cuda = None
    class backends: pass
    class _C: pass
    class cuda: pass
"""


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Packages that stand before the real ones; the others cannot be imported at all."""

    def write(**sources):
        for name in ("tensorflow", "jax", "torch", "keras"):
            (tmp_path / name).mkdir()
            source = sources.get(name, "raise ImportError('left out of this test')")
            (tmp_path / name / "__init__.py").write_text(textwrap.dedent(source))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return write


def test_own_interpreter(packages):
    packages(torch=TORCH)
    found = examine(run_worker, (), MACHINE)
    (interpreter,) = found.interpreters
    assert interpreter.path == sys.executable
    assert interpreter.framework("torch") == FrameworkBuild("torch", "2.9.0", devices=("CPU:0",))
    torch = next(s for s in found.support if s.framework == "torch")
    assert (torch.usable, torch.interpreter) == (False, sys.executable)
    assert "for the CPU only" in torch.reason


def test_a_crash_is_traced_to_its_framework(packages):
    packages(torch=TORCH, jax="import os; os.abort()")
    found = ask_interpreter(run_worker, sys.executable)
    assert found.problem is None
    assert found.framework("torch").version == "2.9.0"
    jax = next(b for b in found.frameworks if b.name == "jax")
    assert "signal" in jax.problem.lower() or "SIGABRT" in jax.problem
    assert found.python_version is not None


def test_interpreters_that_do_not_answer(packages, tmp_path):
    packages(torch=TORCH)
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 3\n")
    silent.chmod(0o755)
    found = examine(run_worker, ("/no/such/python", str(silent), sys.executable), MACHINE)
    missing, crashed, fine = found.interpreters
    assert missing.problem == "there is no interpreter at /no/such/python"
    assert "exit code 3" in crashed.problem
    assert fine.framework("torch") is not None
    assert [s.usable for s in found.support if s.interpreter == "/no/such/python"] == [None]


def test_an_answer_of_another_shape_is_a_problem():
    found = ask_interpreter(lambda request, options: Done({"path": 1}), None)
    assert "cannot be read" in found.problem


def test_a_failure_with_a_hint():
    found = ask_interpreter(lambda request, options: Failed("missing", "cannot start", hint="give a path"), None)
    assert found.problem == "cannot start; give a path"


def test_each_interpreter_is_asked_once():
    asked = []

    def worker(request, options):
        asked.append(options.interpreter)
        return Failed("missing", "no")

    examine(worker, (sys.executable, sys.executable), Machine())
    assert asked == [sys.executable]


def test_the_answer_survives_json(packages):
    packages(torch=TORCH)
    found = examine(run_worker, (), MACHINE)
    text = typed_json.encode(found)
    assert json.loads(text)["schema"] == 1
    assert typed_json.decode(text, Doctor) == found


def test_who_wants_no_answer_any_more_gets_none():
    wish = threading.Event()
    wish.set()
    with pytest.raises(Cancelled):
        examine(partial(run_worker, cancel=wish), (), MACHINE)
