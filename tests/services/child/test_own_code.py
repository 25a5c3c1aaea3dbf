"""A user's file that takes all memory or leaves processes behind, in every kind of child that runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from app.cli.main import run as command
from app.core.types.errors import WorkerFailed
from app.core.types.units import MIB
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.child.guarded import has_wardens
from app.services.machine.calibrate import calibrate_device
from app.services.models.own_code import read_own
from app.services.settings import Settings
from app.services.store.history import History
from tests.services.child.strays import GROW, STRAY, living, numbers

pytestmark = pytest.mark.worker
warded = pytest.mark.skipif(not has_wardens(), reason="needs a kernel that hands orphans over")
ROOT = Path(__file__).parents[3]
ALLOWED = "app.services.child.child_options.memory_limit_bytes"
LOW_BYTES = 100 * MIB
"""Less than the framework alone takes."""
ROOM_BYTES = 1500 * MIB
"""Enough for the framework."""
GREEDY = f"""
import os
{GROW}
def itself():
    grow()
def grandchild():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            grow()
        os._exit(0)
    os.wait()
    time.sleep(300)
"""
LEAVES = """
import keras, numpy as np, os, signal, time
def build():
    leave_a_stray({told!r})
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(4), keras.layers.Dense(1)])
def batches(batch_size):
    for number in range(10**6):
        if number == 20:
            leave_a_stray({told!r})
        if number == 40:
            {then}
        time.sleep(0.002)
        yield np.zeros((batch_size, 8), "float32"), np.zeros((batch_size, 1), "float32")
"""
PARENT = """
import sys
from tests.services.child.test_own_code import advisor_of, leaving
from pathlib import Path
advisor = advisor_of()
advisor.benchmarks.bench(leaving(Path(sys.argv[1])), advisor.machine.read(), seconds=60)
"""


def advisor_of() -> Advisor:
    """The real façade."""
    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


@pytest.fixture
def advisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Advisor:
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "data"))
    return advisor_of()


@pytest.fixture
def allow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Say how much a child may hold."""
    return lambda size: monkeypatch.setattr(ALLOWED, lambda reserve: size)


def greedy(folder: Path, function: str) -> Workload:
    """A model that takes memory while it is built."""
    (folder / "net.py").write_text(GREEDY)
    return Workload(
        ModelRef("code", function, str(folder / "net.py"), function, trusted=True), None, Plan(batch_size=8)
    )


def leaving(folder: Path, then: str = "pass") -> Workload:
    """A model that leaves a stray while it is built, and data that leave another while it trains."""
    net = folder / "net.py"
    net.write_text(STRAY + LEAVES.format(told=str(folder / "told"), then=then))
    model = ModelRef("code", "build", str(net), "build", trusted=True)
    data = Dataset("batches", "code", str(net), function="batches", trusted=True, real=True)
    return Workload(model, data, Plan(batch_size=16, device="cpu", jit=False))


def trusted(advisor: Advisor, workload: Workload) -> Workload:
    """Its file may run."""
    advisor.catalog.trust.remember(read_own(str(workload.model.path)))
    return workload


@pytest.mark.parametrize("function", ["itself", "grandchild"])
def test_a_model_that_takes_all_memory_while_it_is_built_is_ended_and_told(
    advisor: Advisor, allow: Callable[[int], None], tmp_path: Path, function: str
):
    allow(ROOM_BYTES)
    with pytest.raises(WorkerFailed, match=r"1\.5 GiB is all that can be spared") as error:
        advisor.predictor.graph(trusted(advisor, greedy(tmp_path, function)))
    assert "while it is built" in error.value.hint
    assert psutil.Process().children(recursive=True) == []


def test_the_command_line_says_it_too(
    advisor: Advisor, allow: Callable[[int], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    allow(ROOM_BYTES)
    greedy(tmp_path, "grandchild")
    assert command(["estimate", f"{tmp_path / 'net.py'}:grandchild", "--trust"]) == 4
    said = capsys.readouterr().err
    assert "1.5 GiB is all that can be spared" in said
    assert "close other programs" in said
    assert "Traceback" not in said


def test_every_other_child_is_guarded_as_well(advisor: Advisor, allow: Callable[[int], None]):
    allow(LOW_BYTES)
    workload = Workload(
        ModelRef("catalog", "mlp"), None, Plan(batch_size=8, device="cpu"), input_shape=(12,), classes=3
    )
    machine = advisor.machine.read()
    with pytest.raises(WorkerFailed, match="all that can be spared"):
        calibrate_device(machine, "cpu", interpreter=None, rates=True)
    assert "all that can be spared" in (advisor.machine.doctor().interpreters[0].frameworks[0].problem or "")
    ended = advisor.benchmarks.bench(workload, machine, seconds=1.0).result
    assert (ended.outcome, ended.problem.kind if ended.problem else "") == ("out_of_memory", "memory_limit")


@warded
@pytest.mark.parametrize("then", ["pass", "os.kill(os.getpid(), signal.SIGKILL)"], ids=["its end", "its crash"])
def test_strays_of_the_users_code_end_with_the_run(advisor: Advisor, tmp_path: Path, then: str):
    workload = trusted(advisor, leaving(tmp_path, then))
    result = advisor.benchmarks.bench(workload, advisor.machine.read(), seconds=2.0).result
    assert result.outcome == ("succeeded" if then == "pass" else "crashed"), result.problem
    assert len(numbers(tmp_path / "told")) == 2
    assert living(tmp_path / "told") == []


@warded
def test_strays_of_the_users_code_end_with_a_cancel(advisor: Advisor, tmp_path: Path):
    cancel = threading.Event()

    def on_event(event: object) -> None:
        if len(numbers(tmp_path / "told")) == 2:
            cancel.set()

    workload = trusted(advisor, leaving(tmp_path))
    machine = advisor.machine.read()
    assert advisor.benchmarks.bench(workload, machine, seconds=60, on_event=on_event, cancel=cancel).result.outcome == (
        "cancelled"
    )
    assert living(tmp_path / "told") == []


@warded
def test_strays_of_the_users_code_end_with_this_program(advisor: Advisor, tmp_path: Path):
    trusted(advisor, leaving(tmp_path))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], env=environment) as parent:
        while len(numbers(tmp_path / "told")) < 2:
            assert parent.poll() is None
            time.sleep(0.05)
        parent.send_signal(signal.SIGKILL)
    assert living(tmp_path / "told") == []
