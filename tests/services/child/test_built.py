"""What differs in a built program, told to the functions as PyInstaller would."""

import sys
from pathlib import Path

import pytest

from app.services.child import built
from app.services.child.built import keep_libraries_to_ourselves
from app.services.child.worker_command import worker_command


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    program = tmp_path / "willittrain.exe"
    program.touch()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "_internal"), raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def test_its_child_is_the_program_itself(frozen: Path):
    assert worker_command() == [str(frozen), "--worker"]
    assert worker_command(str(frozen)) == [str(frozen), "--worker"]


def test_a_console_program_beside_it_serves_as_the_child(frozen: Path):
    console = frozen.with_name("willittrain-console.exe")
    console.touch()
    assert worker_command() == [str(console), "--worker"]


def test_another_python_gets_our_sources(frozen: Path):
    command = worker_command("/usr/bin/python3")
    assert command[:2] == ["/usr/bin/python3", "-c"]
    assert Path(command[-1]).name == "app"


def test_what_it_starts_finds_its_own_libraries(frozen: Path):
    ours = built.sys._MEIPASS
    launched = {"LD_LIBRARY_PATH": f"{ours}:/opt/cuda/lib64", "LD_LIBRARY_PATH_ORIG": "/opt/cuda/lib64", "HOME": "/h"}
    keep_libraries_to_ourselves(launched)
    assert launched == {"LD_LIBRARY_PATH": "/opt/cuda/lib64", "HOME": "/h"}


def test_a_path_that_was_empty_before_is_taken_away(frozen: Path):
    launched = {"LD_LIBRARY_PATH": built.sys._MEIPASS}
    keep_libraries_to_ourselves(launched)
    assert launched == {}


def test_a_users_own_path_stays(frozen: Path):
    launched = {"LD_LIBRARY_PATH": "/opt/cuda/lib64"}
    keep_libraries_to_ourselves(launched)
    assert launched == {"LD_LIBRARY_PATH": "/opt/cuda/lib64"}
