"""Nothing of the working folder is ever imported: every kind of child starts where all names are taken."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.report import write_pdf
from app.cli.session import checked_interpreter
from app.core.types.errors import UsageError
from app.core.types.messages import Done, Failed, Request
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.child.child_options import ChildOptions
from app.services.child.start_place import found_program
from app.services.child.worker_command import worker_environment
from app.services.child.worker_process import run_worker
from app.services.machine.doctor import ask_interpreter
from app.services.runtimes.command import run_command
from app.services.runtimes.find import Answer, answer_of, checked_runtime, elsewhere, python_of
from app.services.runtimes.recipe import Recipe, pip_command, venv_command
from app.services.settings import Settings
from app.services.store.history import History
from tests.cli.answers import run as stored_run
from tests.strangers import NAMES, Strangers, plant

ROOT = Path(__file__).resolve().parents[3]
OTHERS = sorted({shutil.which(f"python3.{minor}") or sys.executable for minor in range(8, 15)} | {sys.executable})
"""Other versions search in other ways: `-P` is of 3.11, and 3.13 imports something before it runs ``-c``."""


@pytest.fixture(params=["", "relative"])
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Strangers]:
    """We stand among strangers; once more with a search path that leads to them."""
    found = plant(tmp_path)
    monkeypatch.chdir(found.folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if request.param:
        monkeypatch.setenv("PYTHONPATH", found.python_path)
    yield found
    assert found.imported == []


@pytest.fixture
def advisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Advisor:
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "data"))
    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


def run_lines(command: list[str]) -> list[str]:
    lines: list[str] = []
    run_command(command, "it failed", lines.append, threading.Event())
    return lines


def test_the_strangers_leave_marks_where_nobody_takes_care(tmp_path: Path):
    found = plant(tmp_path)
    subprocess.run([sys.executable, "-c", "import wave"], cwd=found.folder, capture_output=True, check=False)
    assert found.imported[-1] == "wave"


@pytest.mark.parametrize("python", OTHERS)
def test_a_worker_of_any_python(strangers: Strangers, python: str):
    ended = run_worker(Request("no such job"), ChildOptions(interpreter=python))
    assert isinstance(ended, Failed)
    assert "stranger" not in "\n".join(ended.stderr)
    if python == sys.executable:
        assert ended.message == "unknown job"


@pytest.mark.parametrize("python", OTHERS)
def test_the_search_for_interpreters(strangers: Strangers, python: str):
    answer = answer_of(python)
    assert isinstance(answer, Answer) or "exit code 127" in answer  # a version manager's name with nothing behind it


def test_a_program_of_the_working_folder_is_not_found_by_name(strangers: Strangers, monkeypatch: pytest.MonkeyPatch):
    for folder in (strangers.folder, strangers.folder / "below"):
        (folder / "python3.12").write_text(f"#!/bin/sh\necho python >> {strangers.marks}\n")
        (folder / "python3.12").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".", "below")))
    assert not [path for origin, path in elsewhere() if origin == "PATH"]
    for named in (checked_interpreter, checked_runtime):
        with pytest.raises(UsageError, match="no such interpreter"):
            named("python3.12")
    assert "no interpreter" in str(ask_interpreter(run_worker, "python3.12").problem)
    shutil.copy(strangers.folder / "python3.12", strangers.folder / "systemd-run")
    assert found_program("systemd-run") is None


def test_making_an_environment_and_its_pip(strangers: Strangers, tmp_path: Path):
    recipe = Recipe(tmp_path / "made", (), sys.executable)
    run_lines(venv_command(recipe))
    told = run_lines([*pip_command(python_of(recipe.folder)), "--version"])
    assert told[-1].startswith("pip ")


@pytest.mark.worker
def test_a_trace_a_calibration_and_a_refinement(strangers: Strangers, advisor: Advisor):
    workload = Workload(ModelRef("catalog", "mlp"), None, Plan(batch_size=64, jit=True), input_shape=(12,), classes=3)
    assert advisor.predictor.graph(workload).model.params > 0
    advisor.predictor.refine(workload, advisor.machine.read())
    rates = {"device": "cpu", "rates": False, "reserve_bytes": 0}
    assert isinstance(run_worker(Request("calibrate", rates), ChildOptions(timeout_s=200)), Done)


@pytest.mark.worker
def test_a_benchmark_and_the_frameworks(strangers: Strangers, advisor: Advisor):
    workload = Workload(
        ModelRef("catalog", "mlp"), advisor.catalog.find_dataset("mnist"), Plan(batch_size=64, device="cpu")
    )
    assert advisor.benchmarks.bench(workload, advisor.machine.read(), seconds=1.0).result.outcome == "succeeded"
    assert advisor.machine.doctor().interpreters[0].framework("tensorflow") is not None


def test_a_printed_report(strangers: Strangers, tmp_path: Path):
    write_pdf(stored_run(), tmp_path / "run.pdf")
    assert (tmp_path / "run.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.worker
def test_a_model_file_imports_its_sibling_and_does_not_hide_the_standard_library(
    tmp_path: Path, advisor: Advisor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helper.py").write_text("import json\nUNITS = json.loads('5')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('a stranger')")
    layers = "[keras.Input((8,)), keras.layers.Dense(helper.UNITS)]"
    net = f"import keras, helper\ndef build():\n    return keras.Sequential({layers})\n"
    (tmp_path / "net.py").write_text(net)
    model = ModelRef("code", "build", str(tmp_path / "net.py"), "build", trusted=True)
    assert advisor.catalog.find_model(f"{tmp_path / 'net.py'}:build", trust=True).trusted
    assert advisor.predictor.graph(Workload(model, None, Plan(batch_size=8))).model.params == 45


def test_a_command_by_module_name_needs_nothing_of_the_folder_it_stands_in(tmp_path: Path):
    found = plant(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    listing = [sys.executable, "-c", "import runpy, importlib.util, sys; print(*sys.modules)"]
    before_us = subprocess.run(listing, env=environment, capture_output=True, text=True, check=True).stdout.split()
    for name in {"app", *before_us} & NAMES:  # what `-m` imports before any program begins is not in our hands
        (found.folder / f"{name}.py").unlink()
    command = [sys.executable, "-m", "app", "models", "--json"]
    done = subprocess.run(command, cwd=found.folder, env=environment, capture_output=True, text=True, check=False)
    assert found.imported == []
    assert json.loads(done.stdout), done.stderr


def test_a_users_own_search_path_is_kept_and_what_depends_on_the_place_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "jax.py").write_text("")
    here = os.pathsep.join((str(tmp_path), "", ".", "src"))
    for name in ("PYTHONPATH", "PATH", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, here)
    environment = worker_environment()
    assert [environment[name] for name in ("PYTHONPATH", "PATH", "LD_LIBRARY_PATH")] == [str(tmp_path)] * 3
    answer = answer_of(sys.executable)
    assert isinstance(answer, Answer)
    assert "jax" in answer.packages


def test_a_child_works_in_the_folder_where_the_user_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    stand = tmp_path / "stand"
    stand.mkdir()
    monkeypatch.chdir(stand)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nreal = os._exit\n"
        f"os._exit = lambda code: (open({str(tmp_path / 'seen')!r}, 'w').write(os.getcwd()), real(code))\n"
    )
    run_worker(Request("no such job"))
    assert (tmp_path / "seen").read_text() == str(stand)
