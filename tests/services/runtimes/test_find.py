import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.errors import MachineUnavailable, UsageError
from app.services.runtimes import find
from app.services.runtimes.find import (
    CHOSEN,
    MADE,
    OWN,
    Runtime,
    ask,
    ask_all,
    checked_runtime,
    find_runtimes,
    python_of,
)
from app.services.settings import Folders, Settings

pytestmark = pytest.mark.skipif(os.name == "nt", reason="makes shell scripts that stand for a Python")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"))


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(find, "elsewhere", lambda: iter(()))


def pretend(path: Path, packages: dict[str, str], *, bits: int = 64, version: str = "3.12.1") -> Path:
    """A program that answers like a Python with these packages."""
    answer = {
        "path": str(path),
        "prefix": str(path.parent),
        "version": version,
        "bits": bits,
        "packages": packages,
        "parts": [],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho banner of a site\necho '{json.dumps(answer)}'\n")
    path.chmod(0o755)
    return path


COMPLETE = {"tensorflow": "2.21.0", "keras": "3.15.1", "numpy": "2.4.6"}


def test_a_real_python_says_what_it_is():
    found = ask(sys.executable, OWN)
    assert found.problem is None
    assert found.python_version == "{}.{}.{}".format(*sys.version_info)
    assert Path(found.prefix) == Path(sys.prefix)
    assert "numpy" in dict(found.packages)


def test_a_package_is_where_an_import_would_look(tmp_path: Path):
    # A module of that name in the working folder is not the framework.
    (tmp_path / "tensorflow.py").write_text("raise SystemExit('imported')")
    code = f"from app.services.runtimes.find import ask; print(dict(ask({sys.executable!r}).packages).get('jax'))"
    (tmp_path / "jax.py").write_text("")
    root = Path(find.__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() != ""
    assert "imported" not in done.stderr


@pytest.mark.parametrize(
    ("packages", "backends", "lacks"),
    [
        (COMPLETE, ("tensorflow",), None),
        ({"torch": "2.13", "jax": "0.10", "keras": "3.15", "numpy": "2"}, ("jax", "torch"), None),
        ({"tensorflow": "2.15", "numpy": "1"}, (), "TensorFlow, but no Keras 3"),
        ({"torch": "2.13", "keras": "3.15"}, (), "PyTorch, but no NumPy"),
        ({"numpy": "2"}, (), "no TensorFlow, JAX or PyTorch"),
    ],
)
def test_what_a_python_can_train_with(tmp_path: Path, packages, backends, lacks):
    found = ask(str(pretend(tmp_path / "python", packages)))
    assert (found.backends, found.lacks) == (backends, lacks)


def test_a_32_bit_python_cannot_train(tmp_path: Path):
    found = ask(str(pretend(tmp_path / "python", COMPLETE, bits=32)))
    assert found.lacks is not None
    assert "32-bit" in found.lacks


@pytest.mark.parametrize(
    ("script", "problem"),
    [("exit 127", "exit code 127"), ("echo nonsense", "no Python that works"), ("sleep 60", "did not answer")],
)
def test_what_is_no_python_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, problem: str):
    monkeypatch.setattr(find, "ASK_TIMEOUT_S", 0.3)
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    found = ask(str(path), CHOSEN)
    assert problem in str(found.lacks)
    assert ask(str(tmp_path / "nothing")).problem == "it cannot be started: No such file or directory"


def test_two_names_of_one_environment_count_once(tmp_path: Path):
    first = pretend(tmp_path / "bin" / "python", COMPLETE)
    again = pretend(tmp_path / "bin" / "python3", COMPLETE)
    other = pretend(tmp_path / "other" / "python", {})
    found = ask_all([("PATH", str(first)), ("conda", str(again)), ("PATH", str(other))])
    assert [one.path for one in found] == [str(first), str(other)]


def test_the_one_in_use_comes_first_and_then_those_that_can_train(settings: Settings, tmp_path: Path, monkeypatch):
    able = pretend(tmp_path / "able" / "python", COMPLETE)
    monkeypatch.setattr(find, "elsewhere", lambda: iter([("PATH", str(able)), ("PATH", "/nothing/here")]))
    chosen = pretend(tmp_path / "chosen" / "python", {})
    made = pretend(python_of(settings.data_dir / "runtime"), COMPLETE)
    found = find_runtimes(replace(settings, interpreter=str(chosen)), own=False)
    assert [(one.path, one.origin, one.in_use) for one in found] == [
        (str(chosen), CHOSEN, True),
        (str(made), MADE, False),
        (str(able), "PATH", False),
    ]


def test_a_chosen_python_that_is_gone_is_shown_with_the_reason(settings: Settings, tmp_path: Path, nowhere):
    found = find_runtimes(replace(settings, interpreter=str(tmp_path / "gone")), own=False)
    assert [one.problem for one in found] == ["it cannot be started: No such file or directory"]


def test_without_a_choice_the_programs_own_trains(settings: Settings, nowhere):
    (own,) = find_runtimes(settings, own=True)
    assert own.in_use
    assert find_runtimes(settings, own=False) == ()


def test_where_other_tools_keep_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("VIRTUAL_ENV", "PYENV_ROOT", "WORKON_HOME", "UV_PYTHON_INSTALL_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path / "conda"))
    monkeypatch.setenv("PATH", "")
    places = {
        "the active conda environment": tmp_path / "conda",
        "conda": tmp_path / "conda" / "envs" / "train",
        "pyenv": tmp_path / ".pyenv" / "versions" / "3.12.1",
        "virtualenvwrapper": tmp_path / ".virtualenvs" / "work",
    }
    for place in places.values():
        pretend(place / "bin" / "python", {})
    (tmp_path / ".conda").mkdir()
    (tmp_path / ".conda" / "environments.txt").write_text(f"{places['conda']}\n/gone\n\n")
    assert dict(find.elsewhere()) == {name: str(place / "bin" / "python") for name, place in places.items()}


def test_a_choice_must_be_able_to_train(tmp_path: Path):
    able = pretend(tmp_path / "env" / "bin" / "python", COMPLETE)
    assert checked_runtime(str(able)).path == str(able)
    assert checked_runtime(str(tmp_path / "env")).path == str(able)
    unable = pretend(tmp_path / "bare" / "python", {})
    with pytest.raises(MachineUnavailable, match=r"no TensorFlow, JAX or PyTorch.*pip install tensorflow"):
        checked_runtime(str(unable))
    with pytest.raises(UsageError, match="no such interpreter"):
        checked_runtime(str(tmp_path / "nothing"))


def test_an_unasked_runtime_lacks_what_its_problem_says():
    assert Runtime("/x", "PATH", problem="gone").lacks == "gone"


def test_what_lies_in_the_working_folder_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    planted = pretend(tmp_path / "downloads" / "python3", COMPLETE)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(planted.parent))
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "WORKON_HOME", "UV_PYTHON_INSTALL_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert [path for _, path in find.elsewhere()] == [str(planted)]
    monkeypatch.chdir(planted.parent)
    assert list(find.elsewhere()) == []


def test_places_that_cannot_be_read_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An environment of another user's, which `sudo` and containers leave in the environment's variables."""
    closed, no_folder = tmp_path / "theirs", tmp_path / "a file"
    (closed / "versions" / "3.11.7" / "bin").mkdir(parents=True)
    no_folder.touch()
    closed.chmod(0)
    monkeypatch.setattr(Path, "home", lambda: closed)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(closed))
    monkeypatch.setenv("WORKON_HOME", str(no_folder))
    monkeypatch.setenv("VIRTUAL_ENV", str(closed / "versions" / "3.11.7"))
    for name in ("CONDA_PREFIX", "UV_PYTHON_INSTALL_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert list(find.elsewhere()) == []
    with pytest.raises(UsageError):
        find.checked_runtime(str(closed / "versions"))
    closed.chmod(0o700)
