import sys
from pathlib import Path

import pytest

from app.core.types.errors import MachineUnavailable
from app.core.types.units import MIB
from app.services.runtimes import recipe
from app.services.runtimes.find import Answer
from app.services.runtimes.recipe import Recipe, can_make, find_base, plan_runtime, requirements_of
from app.services.settings import Folders, Settings

DECLARED = [
    "numpy>=1.26",
    'keras>=3.8; extra == "cuda"',
    "tensorflow[and-cuda]<2.22,>=2.18; (sys_platform == 'linux') and extra == 'cuda'",
    "keras>=3.8; extra == 'tensorflow'",
    "tensorflow<2.22,>=2.18; extra == 'tensorflow'",
    "keras-hub>=0.20; extra == 'hub'",
]


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("tensorflow", ("keras>=3.8", "tensorflow<2.22,>=2.18")),
        ("cuda", ("keras>=3.8", "tensorflow[and-cuda]<2.22,>=2.18")),
        ("hub", ("keras-hub>=0.20",)),
        ("unknown", ()),
    ],
)
def test_requirements_are_those_of_the_package(extra: str, expected: tuple[str, ...]):
    assert requirements_of(extra, DECLARED) == expected


def test_the_installed_program_says_what_training_needs():
    assert any(line.startswith("tensorflow") for line in requirements_of("tensorflow"))


@pytest.mark.parametrize(
    ("version", "bits", "parts", "able"),
    [
        ("3.12.1", 64, ["venv", "ensurepip"], True),
        ("3.10.13", 64, ["venv", "ensurepip"], False),
        ("3.14.0", 64, ["venv", "ensurepip"], False),
        ("3.12.1", 32, ["venv", "ensurepip"], False),
        ("3.11.2", 64, ["venv"], False),
    ],
)
def test_which_python_can_make_an_environment(version, bits, parts, able):
    assert can_make(Answer("/p", "/", version, bits, {}, parts)) is able


def test_this_python_can_make_one():
    assert find_base(()) == sys.executable


def test_a_built_program_takes_the_first_other_python_that_can(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert find_base([("PATH", "/nothing/python"), ("pyenv", sys.executable)]) == sys.executable
    assert find_base(()) is None


@pytest.mark.parametrize(
    ("driver", "system", "extras"),
    [
        (None, "linux", ("tensorflow",)),
        ("580.65", "linux", ("cuda",)),
        ("580.65", "win32", ("tensorflow",)),
        (None, "darwin", ("tensorflow",)),
    ],
)
def test_nvidias_libraries_are_taken_where_they_help(driver, system, extras):
    assert recipe.extras_for(driver, system=system) == extras
    assert recipe.extras_for(driver, hub=True, system=system) == (*extras, "hub")


def plan_here(tmp_path: Path) -> Recipe:
    folders = Folders(tmp_path / "d", tmp_path / "c", tmp_path / "s")
    return plan_runtime(Settings(folders=folders), ["tensorflow", "hub"])


def test_without_any_python_the_words_say_where_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recipe, "find_base", lambda: None)
    monkeypatch.setattr(recipe, "program_path", lambda name: None)
    with pytest.raises(MachineUnavailable, match=r"no Python on this machine.*install one"):
        plan_here(tmp_path)


def test_uv_fetches_a_python_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recipe, "find_base", lambda: None)
    monkeypatch.setattr(recipe, "program_path", lambda name: "/bin/uv" if name == "uv" else None)
    planned = plan_here(tmp_path)
    assert (planned.base, planned.uv, planned.renew_pip) == (None, "/bin/uv", False)
    assert recipe.venv_command(planned)[:5] == ["/bin/uv", "venv", "--seed", "--python", "3.12"]
    assert len(planned.requirements) == 3


def test_a_full_disk_is_told_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    usage = type("Usage", (), {"free": 100 * MIB})
    monkeypatch.setattr(recipe.shutil, "disk_usage", lambda place: usage)
    with pytest.raises(MachineUnavailable, match=r"too little room.*0.1 GiB free"):
        plan_here(tmp_path)
