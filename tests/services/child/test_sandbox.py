"""A copy of a script's folder: what is in it, what may be written, what an answer says of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.types.errors import BadModel
from app.core.types.messages import Request
from app.core.types.text import phrase
from app.core.types.workload import ModelRef
from app.services.child import sandbox
from app.services.child.child_options import ChildOptions
from app.services.child.sandbox import needs_sandbox, sandboxed

ROOT = Path(__file__).parents[3]
WRITER = """
import sys, os
from app.worker.script.kept_inside import keep_inside
print(keep_inside([sys.argv[1]]))
for place in sys.argv[1:]:
    try:
        os.makedirs(os.path.join(place, "a", "b"))
        with open(os.path.join(place, "a", "file"), "w") as file:
            file.write("x")
        os.rename(os.path.join(place, "a", "file"), os.path.join(place, "a", "b", "file"))
        print("wrote")
    except PermissionError:
        print("refused")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A script with what projects have around it."""
    for name, content in {
        "proj/train.py": "1",
        "proj/sub/table.csv": "2",
        "data/x.npz": "3",
        "proj/.git/HEAD": "4",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (tmp_path / "proj" / "large.bin").write_bytes(b"0" * 2000)
    return tmp_path / "proj"


def script(project: Path, **asked: object) -> ModelRef:
    """The project's script."""
    return ModelRef("script", "train.py", str(project / "train.py"), folder=str(project), **asked)  # type: ignore[arg-type]


def test_small_files_are_copied_and_large_ones_and_surroundings_linked(project, monkeypatch):
    monkeypatch.setattr(sandbox, "SMALL_BYTES", 1000)
    with sandboxed(script(project, sandbox=True)) as made:
        assert made is not None
        assert (made.folder / "sub" / "table.csv").read_text() == "2"
        assert not (made.folder / "train.py").is_symlink()
        assert [(made.folder / name).is_symlink() for name in ("large.bin", ".git", "sub")] == [True, True, False]
        assert (made.folder / ".." / "data" / "x.npz").read_text() == "3"
        (made.folder / "sub" / "table.csv").write_text("changed")
        root = made.root
    assert not root.exists()
    assert (project / "sub" / "table.csv").read_text() == "2"


def test_the_child_is_sent_into_the_copy_and_its_answer_names_the_original(project):
    with sandboxed(script(project, fit=2)) as made:
        assert made is not None
        model = {"path": str(project / "train.py"), "folder": str(project), "kind": "script"}
        asked = made.request(Request("script", {"model": model})).arguments
        assert asked["model"]["folder"] == str(made.folder)
        assert asked["model"]["path"] == str(made.folder / "train.py")
        home = made.options(ChildOptions(environment={"A": "b", "KERAS_HOME": "/x"})).environment
        assert (home["HOME"], home["A"], home["KERAS_HOME"]) == (str(made.home), "b", "")
        answer = {"file": str(made.folder / "train.py"), "told": [{"text": f"in {made.folder}"}], "n": 3}
        assert made.told(answer) == {"file": str(project / "train.py"), "told": [{"text": f"in {project}"}], "n": 3}


def fails_inside(project: Path) -> None:
    """Raise an error that names the copy."""
    with sandboxed(script(project, sandbox=True)) as made:
        assert made is not None
        raise BadModel(phrase("no file {path}", path=f"{made.folder}/x"), received=f"{made.folder}/y")


def test_an_error_names_the_original(project):
    with pytest.raises(BadModel) as error:
        fails_inside(project)
    assert (error.value.message, error.value.received) == (f"no file {project}/x", f"{project}/y")


def test_a_script_runs_on_a_copy_where_asked_or_where_it_goes_on_with_made_up_results(project):
    assert [needs_sandbox(script(project, **asked)) for asked in ({}, {"fit": 2}, {"count_fits": True})] == [
        False,
        True,
        True,
    ]
    with sandboxed(script(project)) as made:
        assert made is None


def test_where_one_stands_elsewhere_files_there_are_linked_and_new_ones_are_not_written_there(project, tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    (away / "conf.txt").write_text("5")
    with sandboxed(replace(script(project, sandbox=True), folder=str(away))) as made:
        assert made is not None
        model = {"path": str(project / "train.py"), "folder": str(away)}
        asked = made.request(Request("script", {"model": model})).arguments["model"]
        stands = Path(asked["folder"])
        assert (stands / "conf.txt").read_text() == "5"
        (stands / "new.txt").write_text("new")
        assert made.told(f"wrote {stands}/new.txt") == f"wrote {away}/new.txt"
    assert [one.name for one in away.iterdir()] == ["conf.txt"]


def test_a_whole_home_is_not_copied(project, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: project)
    with pytest.raises(BadModel, match="no folder of its own"), sandboxed(script(project, sandbox=True)):
        pass


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's own way is Linux's")
def test_the_kernel_refuses_what_is_written_outside(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "way-out").symlink_to(outside)
    places = [str(inside), str(outside), str(inside / "way-out")]
    done = subprocess.run(
        [sys.executable, "-c", WRITER, *places],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    held, *said = done.stdout.split()
    if held == "False":
        pytest.skip("this kernel has no Landlock")
    assert said == ["wrote", "refused", "refused"]
    assert not list(outside.iterdir())


SIGNALLER = """
import os, signal, sys
from app.worker.script.kept_inside import _SCOPES_SINCE, keep_inside
import ctypes
print(keep_inside([sys.argv[1]]) and ctypes.CDLL(None).syscall(444, None, 0, 1) >= _SCOPES_SINCE)
child = os.fork() or os.execlp("sleep", "sleep", "60")
os.kill(child, signal.SIGKILL)
print(os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL)
try:
    os.kill(os.getppid(), signal.SIGCONT)
    print("sent")
except PermissionError:
    print("refused")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's own way is Linux's")
def test_programs_outside_get_no_signal_and_those_inside_do(tmp_path):
    command = [sys.executable, "-c", SIGNALLER, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    held, own, parents = done.stdout.split()
    if held == "False":
        pytest.skip("this kernel's Landlock knows no scopes")
    assert (own, parents) == ("True", "refused")
