"""The open model's file is edited: the window says so, and what is answered next is of the file as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.ui.shell.commands import commands_of
from app.ui.workload.code_presenter import CodeChoice
from tests.ui.conftest import Story

CODE = "def build():\n    return None\n"


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_text(CODE)
    return path


@pytest.fixture
def opened(open_window: Callable[..., Story], net: Path) -> Story:
    """A window with the file's function as its model, answered."""
    story = open_window(ask=lambda _file: CodeChoice("build", "model"))
    story.answered()
    story.window.form.take_path(str(net))
    story.until(lambda: story.wiring.session.workload.model.kind == "code")
    story.until(lambda: traces(story) == 2 and not story.wiring.session.textbook)
    story.answered()
    story.until(lambda: not running(story, "model_files"))
    return story


def traces(story: Story) -> int:
    """How many traces ran; the first is that of the sample workload."""
    return sum(call.startswith("graph") for call in story.advisor.script.calls)


def running(story: Story, name: str) -> bool:
    return any(task.name == name for task in story.wiring.runner.tasks)


def said_edited(story: Story) -> bool:
    return story.window.toast.isVisible() and "net.py was edited" in story.window.toast.text.text()


def test_an_edit_is_noticed_and_the_way_to_a_new_trace_is_offered(opened: Story, net: Path):
    before = traces(opened)
    net.write_text(CODE + "# larger\n")
    opened.until(lambda: said_edited(opened))
    assert traces(opened) == before, "nothing runs without a yes"
    opened.window.toast.action.click()
    opened.until(lambda: traces(opened) == before + 1 and not opened.wiring.session.textbook)
    opened.answered()


def test_an_editor_that_replaces_the_file_is_noticed_each_time(opened: Story, net: Path):
    for times in (1, 2):
        other = net.with_name("net.py.swp")
        other.write_text(CODE + "# larger\n" * times)
        other.replace(net)
        opened.until(lambda: said_edited(opened))
        opened.window.toast.hide()
        opened.until(lambda: str(net) in opened.wiring.watch._watcher.files())


def test_an_edit_that_the_system_did_not_tell_is_seen_when_the_window_gets_the_focus(opened: Story, net: Path):
    opened.wiring.watch._watcher.removePath(str(net))
    net.write_text(CODE + "# larger\n")
    opened.qtbot.wait(300)
    assert not said_edited(opened)
    QGuiApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    opened.until(lambda: said_edited(opened))


def test_an_edit_of_a_settings_file_that_the_code_reads_is_noticed(opened: Story, net: Path):
    settings = net.with_name("sizes.json")
    settings.write_text('{"units": 4}')
    opened.advisor.script.reads = ("sizes.json",)
    net.write_text(CODE + "# reads its sizes\n")
    opened.until(lambda: said_edited(opened))
    opened.window.toast.action.click()
    opened.until(lambda: str(settings) in opened.wiring.watch._watcher.files())
    opened.answered()
    before = traces(opened)
    settings.write_text('{"units": 4000}')
    opened.until(lambda: "sizes.json was edited" in opened.window.toast.text.text())
    opened.wiring.session.set_batch_size(17)
    opened.until(lambda: opened.wiring.session.textbook or opened.window.verdict.state.stage == "failed")
    opened.window.toast.action.click()
    opened.until(lambda: traces(opened) == before + 1 and not opened.wiring.session.textbook)


def test_a_file_that_was_only_touched_is_not_edited(opened: Story, net: Path):
    looked = opened.advisor.script.calls.count("files")
    net.write_text(CODE)
    opened.until(lambda: opened.advisor.script.calls.count("files") > looked and not running(opened, "model_files"))
    assert not said_edited(opened)


def test_an_edited_file_that_is_opened_again_is_traced_again(opened: Story, net: Path):
    before = traces(opened)
    net.write_text(CODE + "# larger\n")
    opened.window.form.take_path(str(net))
    opened.until(lambda: traces(opened) == before + 1 and not opened.wiring.session.textbook)
    opened.answered()


def test_after_an_edit_a_slider_does_not_bring_the_old_answer_back(opened: Story, net: Path):
    net.write_text(CODE + "# larger\n")
    opened.wiring.session.set_batch_size(17)
    opened.until(lambda: opened.window.verdict.state.stage == "failed")
    assert "not the one that you let run" in opened.window.verdict.state.error.message


def test_trace_the_model_again_traces_although_nothing_has_changed(story: Story):
    (command,) = [command for command in commands_of(story.wiring) if command.title == "Trace the model again"]
    assert "graph anew" not in story.advisor.script.calls
    command.do()
    story.until(lambda: "graph anew" in story.advisor.script.calls and not story.wiring.estimates.tracing)
    story.answered()
    assert not story.wiring.session.textbook
