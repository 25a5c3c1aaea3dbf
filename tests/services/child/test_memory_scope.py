"""The kernel's own limit: asked for where a user may have it, with a stand-in for systemd-run."""

import os
import sys
from pathlib import Path

import pytest

from app.core.types.messages import Done, Request
from app.services.child import memory_scope
from app.services.child.child_options import ChildOptions
from app.services.child.memory_scope import in_scope, scope_program
from app.services.child.worker_process import run_worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")
STAND_IN = """#!/bin/sh
echo "$@" >> {log}
[ -e {broken} ] && exit 1
while [ "$1" != "--" ]; do shift; done
shift
exec "$@"
"""
DONE = """import sys; sys.stdout.write('{"v":1,"kind":"done","body":{"result":{"x":1}}}' + chr(10))"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desktop whose user may limit memory."""
    manager = tmp_path / f"sys/fs/cgroup/user.slice/user-{os.getuid()}.slice/user@{os.getuid()}.service"
    manager.mkdir(parents=True)
    (manager / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "run/user/systemd").mkdir(parents=True)
    (tmp_path / "run/user/systemd/private").touch()
    program = tmp_path / "bin/systemd-run"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(log=tmp_path / "log", broken=tmp_path / "broken"))
    program.chmod(0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    memory_scope._works.cache_clear()
    return tmp_path


def test_the_command_runs_in_a_scope_with_the_limit(machine: Path):
    command = in_scope([sys.executable, "-c", DONE], 1000, root=machine)
    assert command[0] == str(machine / "bin/systemd-run")
    assert command[-4:] == ["--", sys.executable, "-c", DONE]
    assert "MemoryMax=1050" in command
    assert run_worker(Request("x"), ChildOptions(command=command)) == Done({"x": 1})
    asked = (machine / "log").read_text().splitlines()
    assert asked[0].endswith("-- true")
    assert asked[1].startswith("--user --scope")


def test_where_it_is_refused_the_command_stays(machine: Path):
    (machine / "broken").touch()
    assert in_scope([sys.executable], 1000, root=machine) == [sys.executable]


def test_without_a_limit_or_a_program_the_command_stays(machine: Path):
    assert in_scope([sys.executable], None, root=machine) == [sys.executable]
    assert in_scope(["/no/such/python"], 1000, root=machine) == ["/no/such/python"]


def test_a_user_who_may_not_limit_memory(machine: Path, monkeypatch: pytest.MonkeyPatch):
    assert scope_program(os.environ, machine) is not None
    next(machine.glob("sys/fs/cgroup/user.slice/*/*/cgroup.controllers")).write_text("cpu pids\n")
    assert scope_program(os.environ, machine) is None
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert scope_program(os.environ, machine) is None
