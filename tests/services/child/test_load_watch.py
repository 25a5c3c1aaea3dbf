"""What others use of the processor while a child measures, on a real machine with a real child."""

import subprocess
import sys
import time

import pytest

from app.core.types.messages import Phase, Progress
from app.services.child.load_watch import LoadWatch


@pytest.fixture
def child():
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    yield started.pid
    started.kill()
    started.wait()


def test_only_the_measuring_counts_and_everything_is_passed_on(child):
    heard = []
    watch = LoadWatch(heard.append)
    watch.on_started(child)
    events = [Phase("import", 0.0), Progress(0.1), Phase("measure", 1.0)]
    for event in events:
        watch.on_event(event)
    assert watch.others_percent() is None
    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(1.0)
    finally:
        watch.on_event(Progress(0.5))
        spinning.kill()
        spinning.wait()
    assert heard == [*events, Progress(0.5)]
    assert watch.others_percent() > 0


def test_readings_keep_a_distance(child):
    now = [0.0]
    watch = LoadWatch(clock=lambda: now[0])
    watch.on_started(child)
    watch.on_event(Phase("measure", 0.0))
    for _ in range(5):
        now[0] += 0.01
        watch.on_event(Progress(0.5))
    assert watch.others_percent() is None


def test_without_a_child_nothing_is_known():
    watch = LoadWatch()
    watch.on_event(Phase("measure", 0.0))
    watch.on_event(Phase("done", 1.0))
    assert watch.others_percent() is None
