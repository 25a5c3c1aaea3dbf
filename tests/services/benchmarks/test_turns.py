"""Pausing and resuming a real child: turns, cancels, and a parent that dies."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from app.core.types.measurement import RunResult
from app.core.types.messages import Done, Failed, Paused, Phase, Request, Resume
from app.services.benchmarks.turns import Seat
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import LiveMessage, run_worker
from tests.patience import SOON_S

ROOT = Path(__file__).parents[3]
CHILD = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]
from app.worker.main import main
main({{"x": "turning_jobs:takes_turns"}})
"""
PARENT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from app.core.types.messages import Paused, Request
from app.services.child.child_options import ChildOptions
from app.services.child.worker_process import run_worker
def tell(message):
    if isinstance(message, Paused):
        print("paused", flush=True)
run_worker(Request("x", {{"step_s": 0.01}}), ChildOptions(command=[sys.executable, "-c", {CHILD!r}]), on_message=tell,
           on_started=lambda pid: print(pid, flush=True))
"""


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    others = set(psutil.Process().children(recursive=True))
    yield
    assert set(psutil.Process().children(recursive=True)) <= others


def turn(
    seconds: Sequence[float | Resume], *, step_s: float = 0.01, group: int = 1, cancel: threading.Event | None = None
) -> tuple[Done | Failed, list[LiveMessage]]:
    """Give a child some turns."""
    turns: queue.SimpleQueue[Resume] = queue.SimpleQueue()
    said: list[LiveMessage] = []
    left = iter(seconds)

    def listen(message: LiveMessage) -> None:
        said.append(message)
        if isinstance(message, Paused):
            following = next(left, None)
            if following is not None:
                turns.put(following if isinstance(following, Resume) else Resume(following))
            elif cancel is not None:
                cancel.set()

    request = Request("x", {"step_s": step_s, "group": group})
    command = [sys.executable, "-c", CHILD]
    return run_worker(
        request, ChildOptions(command=command, timeout_s=60), on_message=listen, turns=turns, cancel=cancel
    ), said


def test_a_child_measures_only_in_its_turns():
    ended, said = turn([0.1, 0.8, 0.0])
    assert isinstance(ended, Done)
    pauses = [message for message in said if isinstance(message, Paused)]
    assert pauses[0] == Paused()
    assert [p.steps > 2 for p in pauses[1:]] == [True, True]
    assert sum(p.steps for p in pauses) == ended.result["steps"]
    assert all(p.seconds == pytest.approx(0.01 * p.steps) for p in pauses)
    assert pauses[2].seconds > pauses[1].seconds
    names = [message.name for message in said if isinstance(message, Phase)]
    assert names == ["paused", "measure", "paused", "measure", "paused"]
    assert ended.result["paused_s"] > 0


def test_a_long_step_makes_a_turn_of_one_step():
    ended, said = turn([0.01, 0.01, 0.0], step_s=0.1)
    assert [p.steps for p in said if isinstance(p, Paused)] == [0, 1, 1]
    assert isinstance(ended, Done)


def test_a_lead_does_not_count():
    turns = [Resume(0.8, lead_s=0.7), Resume(0.8), Resume(0.0)]
    ended, said = turn(turns)
    assert isinstance(ended, Done)
    led, plain = [p for p in said if isinstance(p, Paused) and p.steps]
    assert led.steps < plain.steps


def test_turns_hold_whole_updates():
    _, said = turn([0.2, 0.0], group=4)
    steps = next(p.steps for p in said if isinstance(p, Paused) and p.steps)
    assert steps % 4 == 0


def test_a_paused_child_is_cancelled_at_once_and_keeps_what_it_has():
    cancel, begun = threading.Event(), time.monotonic()
    ended, said = turn([0.1], cancel=cancel)
    assert isinstance(ended, Failed)
    assert ended.kind == "cancelled"
    assert ended.partial == {"steps": next(p.steps for p in said if isinstance(p, Paused) and p.steps)}
    assert time.monotonic() - begun < 10


def test_a_paused_child_obeys_a_cancel_within_two_seconds():
    cancel, at = threading.Event(), [0.0]

    def late() -> None:
        at[0] = time.monotonic()
        cancel.set()

    timer = threading.Timer(1.0, late)
    timer.start()
    turns: queue.SimpleQueue[Resume] = queue.SimpleQueue()
    command = [sys.executable, "-c", CHILD]
    ended = run_worker(Request("x", {"step_s": 0.01}), ChildOptions(command=command), cancel=cancel, turns=turns)
    assert time.monotonic() - at[0] < 2
    assert isinstance(ended, Failed)
    timer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_paused_child_dies_with_its_parent():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert parent.stdout.readline() == "paused\n"
        assert psutil.pid_exists(pid)
        os.kill(parent.pid, signal.SIGKILL)
    deadline = time.monotonic() + SOON_S
    while psutil.pid_exists(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_seat_that_was_never_taken_was_cancelled():
    seat = Seat(lambda turns, on_paused: RunResult("succeeded"))
    assert seat.leave().outcome == "cancelled"
    seat.join()


def test_a_seat_whose_child_ends_early_says_so():
    seat = Seat(lambda turns, on_paused: RunResult("failed"))
    assert seat.start() is None
    assert seat.leave().outcome == "failed"


def test_a_seat_passes_errors_on():
    def run(turns: object, on_paused: object) -> RunResult:
        raise ZeroDivisionError

    seat = Seat(run)
    assert seat.start() is None
    with pytest.raises(ZeroDivisionError):
        seat.leave()
