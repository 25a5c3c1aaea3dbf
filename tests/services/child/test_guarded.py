"""Programs under guard: what they may hold, how they end, and what is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.core.types.messages import Failed, Request
from app.core.types.units import MIB
from app.services.child import guarded
from app.services.child.child_options import ChildOptions
from app.services.child.guarded import Guarded, has_wardens, memory_limit_bytes, start_guarded
from app.services.child.worker_process import run_worker
from tests.patience import SOON_S, gone
from tests.services.child.strays import GROW, STRAY, living, numbers

ROOT = Path(__file__).parents[3]
LIMIT_BYTES = 200 * MIB
GRANDCHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {(GROW + 'grow()')!r}])"
CAUGHT_S = 2.0
"""To catch one that runs takes some milliseconds; where only luck caught it, up to nine seconds."""
DAEMON = f"""
import os, time
{GROW}
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 100)
        grow()
    os._exit(0)
os.wait()
time.sleep(300)
"""
warded = pytest.mark.skipif(
    not has_wardens(), reason="a kernel that hands over orphans and tells a process its children"
)


@pytest.fixture(params=[pytest.param(True, marks=warded), False], ids=["by a process", "by a thread"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to guard; the second is that of other systems."""
    monkeypatch.setattr(guarded, "has_wardens", lambda: request.param)


def start(code: str, limit_bytes: int | None = None) -> Guarded:
    """A few lines of Python under guard."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return start_guarded(
        [sys.executable, "-c", code],
        environment,
        limit_bytes=limit_bytes,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def line_of(process: Guarded) -> str:
    """The next line that a program prints."""
    assert process.process.stdout is not None
    return process.process.stdout.readline().decode().strip()


@pytest.mark.parametrize("code", [GROW + "grow()", GRANDCHILD], ids=["itself", "a grandchild"])
def test_who_takes_too_much_is_ended(either: None, code: str):
    with start(code, LIMIT_BYTES) as process:
        process.process.wait(SOON_S)
        held = process.held_bytes
    assert held is not None
    assert LIMIT_BYTES < held < 2 * LIMIT_BYTES
    assert process.held_bytes == held


@warded
def test_a_daemon_that_takes_too_much_is_ended():
    with start(DAEMON, LIMIT_BYTES) as process:
        process.process.wait(SOON_S)
        assert process.held_bytes is not None


def test_who_takes_little_is_left_alone(either: None):
    with start("import time; time.sleep(0.5)", LIMIT_BYTES) as process:
        assert process.process.wait(SOON_S) == 0
        assert process.held_bytes is None


@pytest.mark.parametrize(("code", "left"), [("import os; os._exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)])
def test_its_end_is_told_as_it_was(either: None, code: str, left: int):
    with start(code) as process:
        assert process.process.wait(SOON_S) == left


@warded
def test_a_crash_is_told_as_it_was():
    with start("import os, resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); os.abort()") as process:
        assert process.process.wait(SOON_S) == -signal.SIGABRT


def test_a_program_that_is_not_there_is_an_error(either: None, tmp_path: Path):
    for program in ("/no/such/program", str(tmp_path)):
        with pytest.raises(OSError, match=r"No such|denied"):
            start_guarded([program], {})
    assert psutil.Process().children() == []


def test_its_pipes_close_when_it_closes_them(either: None):
    with start("import os, time; os.close(1); time.sleep(300)") as process:
        assert line_of(process) == ""
        assert process.process.poll() is None


@warded
@pytest.mark.parametrize("ending", ["os._exit(3)", "os.kill(os.getpid(), 9)", "time.sleep(300)"])
def test_a_stray_ends_with_its_program(tmp_path: Path, ending: str):
    told = tmp_path / "told"
    code = f"{STRAY}\nimport time\nleave_a_stray({str(told)!r})\nprint('left', flush=True)\n{ending}"
    with start(code) as process:
        assert line_of(process) == "left"
    assert numbers(told)
    assert living(told) == []


@warded
def test_who_forks_and_forks_is_caught():
    code = "import os\nprint('on the run', flush=True)\nwhile True:\n    if os.fork():\n        os._exit(0)"
    with start(code) as process:
        line_of(process)
        time.sleep(0.3)
    process.process.wait(CAUGHT_S)
    assert psutil.Process().children(recursive=True) == []


PARENT = """
import os, subprocess, sys, time
from app.services.child.guarded import start_guarded
process = start_guarded([sys.executable, "-c", {code!r}], dict(os.environ), limit_bytes={limit})
print(process.pid, process.process.pid, flush=True)
{then}
"""


def parent_of(code: str, then: str = "time.sleep(300)") -> subprocess.Popen[str]:
    """Another process with a child under guard."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = PARENT.format(code=code, limit=LIMIT_BYTES, then=then)
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment)


@warded
def test_a_killed_parent_leaves_no_stray(tmp_path: Path):
    told = tmp_path / "told"
    code = f"{STRAY}\nimport time\nleave_a_stray({str(told)!r})\ntime.sleep(300)"
    with parent_of(code) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline().split()[0])
        while not numbers(told):
            time.sleep(0.02)
        parent.kill()
    assert gone(program)
    assert living(told) == []


@warded
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
def test_a_guard_that_is_ended_takes_its_program_along(signal_number: int):
    with start("import time; time.sleep(300)") as process:
        os.kill(process.process.pid, signal_number)
        assert gone(process.pid)


@warded
def test_a_parent_that_is_stopped_does_not_stop_the_guard():
    with parent_of(f"import time; time.sleep(1)\n{GROW}\ngrow()") as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline().split()[0])
        os.kill(parent.pid, signal.SIGSTOP)
        try:
            assert gone(program)
        finally:
            parent.kill()


@warded
def test_a_built_program_is_its_own_guard(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guarded, "_BUILT", True)
    words = guarded._warden_command()
    assert words == [sys.executable, "--warden"]
    monkeypatch.setattr(guarded, "_warden_command", lambda: [sys.executable, "-m", "app", *words[1:]])
    with start("import os; os._exit(7)") as process:
        assert process.process.wait(SOON_S) == 7


def test_a_limit_is_never_absent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guarded, "memory_limit_bytes", lambda: LIMIT_BYTES)
    with start("import time; time.sleep(300)") as process:
        assert process.limit_bytes == LIMIT_BYTES


def test_the_limit_leaves_a_reserve():
    limit, most = memory_limit_bytes(), memory_limit_bytes(0)
    assert limit is not None
    assert most is not None
    assert 0 < limit <= most
    assert memory_limit_bytes(1 << 60) == pytest.approx(most / 2, rel=0.2)


def test_a_child_that_takes_too_much_is_told_with_what_was_allowed(either: None):
    command = [sys.executable, "-c", GROW + "grow()"]
    ended = run_worker(Request("x"), ChildOptions(command=command, limit_bytes=LIMIT_BYTES))
    assert isinstance(ended, Failed)
    assert (ended.kind, ended.had_bytes) == ("memory_limit", LIMIT_BYTES)
    assert "200.0 MiB is all that can be spared" in ended.message
    assert ended.hint
