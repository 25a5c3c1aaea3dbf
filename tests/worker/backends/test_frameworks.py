"""What an interpreter has: asked in real children, over packages that stand in for broken installations."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest

from app.catalog import typed_json
from app.core.types.machine import Interpreter
from app.core.types.messages import Done, Failed, Phase, Progress, Request
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
from app.worker.backends.devices import cuda_version

TENSORFLOW = """
    import contextlib
    __version__ = "2.21.0"
    class errors:
        class OpError(Exception): pass
    class sysconfig:
        get_build_info = staticmethod(lambda: {
            "is_cuda_build": True, "is_rocm_build": False, "cuda_version": "12.5.1", "cudnn_version": "no-such",
            "cuda_compute_capabilities": ["sm_80", "compute_90"]})
    CARDS = [("NVIDIA A100", (8, 0)), ("NVIDIA GeForce RTX 5090", (12, 0)), ("NVIDIA A30", (8, 0))]
    class config:
        list_physical_devices = staticmethod(lambda kind: [0, 1, 2])
        class experimental:
            get_device_details = staticmethod(lambda n: {"device_name": CARDS[n][0], "compute_capability": CARDS[n][1]})
    @contextlib.contextmanager
    def device(place):
        if place == "/GPU:2":
            raise errors.OpError("out of memory on card 2\\nsecond line")
        yield
    class constant:
        def __init__(self, values): pass
        def __add__(self, other): return self
        def numpy(self): return 2.0
"""
JAX = """
    __version__ = "0.8.0"
    def devices():
        raise RuntimeError("Unable to initialize backend 'cuda'\\nmore")
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes packages that the child finds before the real ones."""

    def write(**sources: str) -> None:
        for name, source in sources.items():
            (tmp_path / name).mkdir()
            (tmp_path / name / "__init__.py").write_text(textwrap.dedent(source))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return write


def ask(*frameworks: str) -> Interpreter:
    answer = run_worker(Request("frameworks", {"frameworks": list(frameworks)}), ChildOptions(timeout_s=120))
    assert isinstance(answer, Done), answer
    return typed_json.convert(answer.result, Interpreter)


def test_devices_are_tried_and_hopeless_ones_are_not(packages):
    packages(tensorflow=TENSORFLOW)
    (build,) = ask("tensorflow").frameworks
    assert (build.version, build.cuda, build.compute_capabilities) == ("2.21.0", "12.5.1", ("sm_80", "compute_90"))
    assert (build.devices, build.gpu_names) == (("CPU:0", "GPU:0"), ("NVIDIA A100",))
    assert build.notes == (
        "GPU:1: the build carries no code for compute capability 12.0",
        "GPU:2: a trial sum failed: out of memory on card 2",
    )


def test_first_line_of_a_failed_import(packages):
    packages(
        tensorflow="class NotFoundError(Exception): pass\nraise NotFoundError('dlopen failed: symbol\\nlong story')",
        torch="raise ImportError('libfoo.so.1: cannot open shared object file')",
        jax=JAX,
        keras="import no_such_backend",
    )
    found = {build.name: build for build in ask("tensorflow", "jax", "torch", "keras").frameworks}
    assert found["tensorflow"].problem == "NotFoundError: dlopen failed: symbol"
    assert found["torch"].problem == "ImportError: libfoo.so.1: cannot open shared object file"
    assert found["keras"].problem == "ModuleNotFoundError: No module named 'no_such_backend'"
    assert (found["jax"].problem, found["jax"].notes) == (None, ("Unable to initialize backend 'cuda'",))


def test_absent_frameworks_and_mere_folders_are_left_out(tmp_path, monkeypatch):
    (tmp_path / "torch").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    found = ask("torch", "no-such")
    assert found.frameworks == ()
    assert found.environment["CUDA_VISIBLE_DEVICES"] == "-1"
    assert (found.path, found.python_version) == (sys.executable, ".".join(map(str, sys.version_info[:3])))


def test_each_import_is_announced(packages):
    packages(tensorflow=TENSORFLOW, jax=JAX)
    said = []
    request = Request("frameworks", {"frameworks": ["tensorflow", "jax"]})
    run_worker(request, ChildOptions(timeout_s=60), on_message=said.append)
    assert [m.name for m in said if isinstance(m, Phase)] == ["import tensorflow", "import jax"]
    assert [m.fraction for m in said if isinstance(m, Progress)] == [0.0, 0.5]


def test_a_crash_during_import_names_its_phase(packages):
    packages(tensorflow="import os; os.abort()")
    answer = run_worker(Request("frameworks", {"frameworks": ["tensorflow"]}), ChildOptions(timeout_s=60))
    assert isinstance(answer, Failed)
    assert (answer.kind, answer.phase) == ("aborted", "import tensorflow")


@pytest.mark.worker
def test_the_real_tensorflow():
    found = ask("tensorflow", "keras")
    tensorflow, keras = found.frameworks
    assert tensorflow.problem is keras.problem is None
    assert tensorflow.devices[0] == "CPU:0"
    assert keras.notes == (f"backend {os.environ.get('KERAS_BACKEND', 'tensorflow')}",)


@pytest.mark.parametrize(("text", "version"), [("12.5.1", "12.5.1"), ("64_112", "11.2"), (None, None), ("", None)])
def test_cuda_version(text, version):
    assert cuda_version(text) == version
