"""A workload that took the window down at the last start is not opened again without asking."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.core.types.workload import ModelRef, Plan, Workload
from app.services.store.owner import is_running, this_process
from app.ui.kit.resources import window_dir
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell.last_start import SETTLED_MS
from app.ui.shell.main_window import BENCHMARK
from tests.patience import SOON_S

ROOT = Path(__file__).parents[3]
BAD = Workload(ModelRef("file", "bad.keras", "/nowhere/bad.keras"), plan=Plan(batch_size=48))
WINDOW = """
import sys
from pathlib import Path
from tests.ui.gallery import Scene
from app.ui.shell import application
app = application.make_application([])
scene = Scene(Path(sys.argv[1]), {"trace_s": 600.0})
scene.window.show()
scene.wiring.start()
scene.camera.wait(lambda: scene.wiring.session.workload is not None)
print(scene.wiring.session.workload.model.name, flush=True)
app.exec()
"""


def remember(workload):
    settings = WindowSettings()
    settings.workload = workload
    settings.flush()


@contextmanager
def waiting_window(folder):
    """A window in a process of its own that waits for its answer; it is killed at the end."""
    command = [sys.executable, "-c", WINDOW, str(folder)]
    variables = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True) as program:
        try:
            yield program
        finally:
            program.kill()


def start_and_kill(folder):
    """A window that is killed while it waits for its answer; what it opened."""
    with waiting_window(folder) as program:
        return program.stdout.readline().strip()


@pytest.fixture
def second(own_folder, open_window):
    """The start after one that was killed with the bad workload."""
    remember(BAD)
    assert start_and_kill(own_folder) == "bad.keras"
    story = open_window()
    story.answered()
    return story


def test_a_start_that_was_killed_is_not_repeated(second):
    assert second.wiring.session.workload.model.name == "fashion_mnist_cnn"
    error = second.window.error
    assert error.isVisible()
    assert error.message() == "The last start with bad.keras did not end well"
    assert error.action_button().text() == "Open it again"


def test_it_can_be_opened_again_and_is_asked_for_again_if_that_ends_badly(second, qtbot):
    second.until(lambda: not WindowSettings().unanswered)
    qtbot.mouseClick(second.window.error.action_button(), Qt.MouseButton.LeftButton)
    assert second.wiring.session.workload == BAD
    assert not second.window.error.isVisible()
    assert WindowSettings().unanswered
    assert WindowSettings().workload == BAD
    second.answered()
    second.until(lambda: not WindowSettings().unanswered)


def test_the_offer_stays_while_the_plan_changes_and_goes_with_another_model(second):
    second.wiring.session.set_batch_size(16)
    assert second.window.error.isVisible()
    second.wiring.session.fail(error := second.window.error._error)
    assert second.window.error._error is error
    second.wiring.pick.choose_model("resnet50")
    assert not second.window.error.isVisible()
    second.wiring.act("reopen")
    assert second.wiring.session.workload.model.name == "resnet50"
    second.answered()


def test_a_window_that_still_waits_for_its_answer_did_not_end_badly(own_folder, open_window):
    remember(BAD)
    with waiting_window(own_folder) as first:
        assert first.stdout.readline().strip() == "bad.keras"
        story = open_window()
        story.answered()
        assert not story.window.error.isVisible()
        assert story.wiring.session.workload == BAD
        story.until(lambda: len(WindowSettings().unanswered) == 1)
        first.kill()
        first.wait()
    assert [waited.model.name for waited in WindowSettings().unanswered.values()] == ["bad.keras"]
    story.wiring.pick.choose_model("resnet50")
    story.answered()
    story.window.close()
    later = open_window()
    later.answered()
    assert later.window.error.message() == "The last start with bad.keras did not end well"


def test_a_number_that_another_process_has_now_is_not_the_one_that_waits():
    name = this_process()
    number, _, start = name.partition("-")
    assert is_running(name)
    assert not is_running(f"{number}-{int(start) - 3600}")
    assert not any(map(is_running, ("", "yes", "1", "-", f"{10**30}-1", "x-y")))


def test_a_third_start_opens_what_the_second_did(second, open_window):
    second.window.close()
    third = open_window()
    third.answered()
    assert third.wiring.session.workload.model.name == "fashion_mnist_cnn"
    assert not third.window.error.isVisible()


def test_a_window_that_is_closed_before_its_answer_ended_well(open_window):
    remember(BAD)
    first = open_window(trace_s=600.0)
    first.until(lambda: first.window.verdict.state.stage == "textbook")
    assert WindowSettings().unanswered
    first.window.close()
    assert not WindowSettings().unanswered
    again = open_window(trace_s=0.0)
    again.answered()
    assert again.wiring.session.workload == BAD
    assert not again.window.error.isVisible()


@pytest.mark.parametrize("name", ["bad.keras", "broken_net"])
def test_an_answer_or_its_failure_that_stands_ends_the_doubt(open_window, name):
    remember(replace(BAD, model=ModelRef("file", name, f"/nowhere/{name}")))
    story = open_window()
    assert not story.window.error.isVisible()
    story.until(lambda: story.window.verdict.state.stage in ("predicted", "failed"))
    assert WindowSettings().unanswered, f"only after {SETTLED_MS} ms, when it has been drawn"
    story.until(lambda: not WindowSettings().unanswered)
    story.until(lambda: not story.wiring.machine.busy)


def test_the_mark_is_on_disk_before_anything_is_shown_of_the_workload(open_window):
    remember(BAD)
    story = open_window()
    seen = []

    def look(state):
        if state.model[1] == BAD.model.name:
            seen.append("[unanswered]" in (window_dir() / "window.ini").read_text("utf-8"))

    story.wiring.pick.changed.connect(look)
    story.answered()
    assert seen[0]


def test_a_slider_writes_no_mark(story):
    story.until(lambda: not WindowSettings().unanswered)
    story.wiring.session.set_batch_size(64)
    assert not WindowSettings().unanswered
    story.answered()
    story.page(BENCHMARK)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_the_program_itself_starts_with_the_sample_after_it_was_killed(own_folder):
    remember(BAD)
    command, variables = [sys.executable, "-m", "app"], os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=ROOT, env=variables) as program:
        wait_until(lambda: WindowSettings().unanswered)
        program.kill()
    assert WindowSettings().workload == BAD
    with subprocess.Popen(command, cwd=ROOT, env=variables) as program:
        try:
            wait_until(lambda: WindowSettings().workload.model.kind == "catalog" and not WindowSettings().unanswered)
            program.send_signal(signal.SIGINT)
            assert program.wait(SOON_S) == 0
        finally:
            program.kill()


def wait_until(condition):
    """Until something is true of the settings that another process writes."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
