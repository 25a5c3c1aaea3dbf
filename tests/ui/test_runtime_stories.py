"""Choosing the Python that trains, and having one made."""

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from shiboken6 import isValid

from app.core.types.errors import Cancelled, WorkerFailed
from app.core.types.machine import Interpreter
from app.services.machine.doctor import Doctor
from app.services.runtimes.find import Runtime
from app.ui.workload.code_presenter import CodeChoice
from app.ui.workload.runtime_dialog import RuntimeDialog, open_runtimes
from app.ui.workload.runtime_maker import RuntimeMaker
from tests.ui.conftest import Story

PACKAGES = (("tensorflow", "2.21.0"), ("keras", "3.15.1"), ("numpy", "2.4"))
ABLE = Runtime("/opt/train/bin/python", "conda", "3.12.1", PACKAGES)
BARE = Runtime("/usr/bin/python3", "PATH", "3.11.2")
OWN = Runtime("/srv/app/bin/python", "this program's own", "3.13.0", in_use=True)


class Dialog:
    """The dialog over a window, and what was chosen in it."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.maker = RuntimeMaker(story.wiring.session, story.wiring)
        self.made: list[str] = []
        self.chosen: list[str] = []
        self.maker.made.connect(self.made.append)
        self.widget: RuntimeDialog = open_runtimes(story.window, self.maker, self.chosen.append)

    def found(self) -> None:
        self.story.until(lambda: not self.maker.state.looking)

    def rows(self) -> list[list[str]]:
        table = self.widget.table
        return [[table.item(r, c).text() for c in range(table.columnCount())] for r in range(table.rowCount())]


@pytest.fixture
def opened(story: Story) -> Iterator[Callable[..., Dialog]]:
    dialogs: list[Dialog] = []

    def open_one(found: tuple[Runtime, ...] = (OWN, ABLE, BARE), make: Any = None) -> Dialog:
        story.advisor.runtimes.find = lambda: found
        story.advisor.runtimes.make = make
        dialogs.append(Dialog(story))
        dialogs[-1].found()
        return dialogs[-1]

    yield open_one
    for dialog in dialogs:
        dialog.maker.cancel()
        story.until(lambda maker=dialog.maker: not maker.state.making)
        if isValid(dialog.widget):
            dialog.widget.reject()


def test_pythons_are_listed_with_what_is_in_them_or_missing(opened):
    assert opened().rows() == [
        ["3.13.0 · in use", "no TensorFlow, JAX or PyTorch", "/srv/app/bin/python"],
        ["3.12.1", "tensorflow 2.21.0 · keras 3.15.1", "/opt/train/bin/python"],
        ["3.11.2", "no TensorFlow, JAX or PyTorch", "/usr/bin/python3"],
    ]


def test_only_a_python_that_can_train_can_be_chosen(opened):
    dialog = opened()
    assert not dialog.widget.use.isEnabled()
    dialog.widget.select(2)
    assert not dialog.widget.use.isEnabled()
    dialog.widget.select(1)
    dialog.widget.use.click()
    assert dialog.chosen == [ABLE.path]
    assert not dialog.widget.isVisible()


def test_if_none_can_train_the_dialog_says_what_making_one_costs(opened):
    dialog = opened((BARE,))
    assert "700 MB" in dialog.widget.hint.text()
    assert dialog.widget.make.isEnabled()
    assert "700 MB" not in opened((ABLE,)).widget.hint.text()


def test_one_is_made_with_progress_and_used(opened, story: Story):
    go_on = threading.Event()

    def make(report: Callable[[float | None, str], None], cancel: threading.Event) -> str:
        report(0.25, "fetching tensorflow · 200 MiB")
        assert go_on.wait(5)
        return ABLE.path

    dialog = opened((BARE,), make)
    assert not dialog.widget.bar.isVisible()
    dialog.widget.make.click()
    story.until(lambda: dialog.maker.state.share == 0.25)
    assert dialog.widget.bar.isVisible()
    assert dialog.widget.words.text() == "Fetching tensorflow · 200 MiB"
    assert dialog.widget.progress.value() == 250
    assert not dialog.widget.make.isEnabled()
    go_on.set()
    story.until(lambda: dialog.made == [ABLE.path])
    assert not dialog.widget.bar.isVisible()


def test_making_one_can_be_stopped(opened, story: Story):
    def make(report: Callable[[float | None, str], None], cancel: threading.Event) -> str:
        assert cancel.wait(5)
        raise Cancelled("cancelled")

    dialog = opened((BARE,), make)
    dialog.widget.make.click()
    story.until(lambda: dialog.maker.state.making)
    dialog.widget.stop.click()
    story.until(lambda: not dialog.maker.state.making)
    assert dialog.made == []
    assert dialog.maker.state.error is None


def test_what_cannot_be_made_is_told_in_the_dialog(opened, story: Story):
    def make(report: Callable[[float | None, str], None], cancel: threading.Event) -> str:
        raise WorkerFailed("not everything could be installed", received="no space left on device", hint="free some")

    dialog = opened((BARE,), make)
    dialog.widget.make.click()
    story.until(lambda: dialog.maker.state.error is not None)
    assert dialog.widget.error.isVisible()
    assert dialog.widget.make.isEnabled()


def test_closing_the_dialog_does_not_stop_what_is_made(opened, story: Story):
    go_on = threading.Event()

    def make(report: Callable[[float | None, str], None], cancel: threading.Event) -> str:
        assert go_on.wait(5)
        return ABLE.path

    dialog = opened((BARE,), make)
    dialog.widget.make.click()
    story.until(lambda: dialog.maker.state.making)
    dialog.widget.reject()
    again = open_runtimes(story.window, dialog.maker, dialog.chosen.append)
    assert again.bar.isVisible()
    go_on.set()
    story.until(lambda: dialog.made == [ABLE.path])
    again.reject()


def test_the_form_leads_to_the_dialog_and_the_choice_trains(story: Story):
    able = replace(ABLE, path=sys.executable)
    story.advisor.runtimes.find = lambda: (OWN, able)
    fields = story.window.form.more.runtime
    fields.interpreter.setCurrentIndex(fields.interpreter.findData("?"))
    fields.interpreter.activated.emit(fields.interpreter.currentIndex())
    dialog = story.window.findChild(RuntimeDialog)
    assert fields.interpreter.currentData() == ""
    story.until(lambda: dialog.table.rowCount() == 2)
    dialog.select(1)
    dialog.use.click()
    story.until(lambda: story.wiring.session.advisor.settings.interpreter == sys.executable)
    story.until(lambda: fields.interpreter.currentData() == sys.executable)


def test_a_python_without_any_framework_is_told_with_the_way_to_one(open_window, advisor):
    bare = Doctor(advisor.script.real_machine, (Interpreter("/usr/bin/python3", "3.11"),))
    story = open_window(doctor=bare)
    story.answered()
    story.advisor.runtimes.find = lambda: (BARE,)
    story.until(lambda: "No TensorFlow" in story.window.toast.text.text())
    story.window.toast.action.click()
    dialog = story.window.findChild(RuntimeDialog)
    story.until(lambda: dialog.table.rowCount() == 1)
    dialog.reject()


def test_the_python_that_has_what_the_code_imports_is_one_click_away(open_window, tmp_path):
    path = tmp_path / "needs_pandas.py"
    path.write_text("import pandas\n\n\ndef build():\n    return None\n")
    story = open_window(ask=lambda _file: CodeChoice("build", "model"))
    story.answered()
    story.window.form.take_path(str(path))
    card = story.window.error
    story.until(card.isVisible)
    assert card.message() == "The file needs pandas"
    assert card.hint() == f"{sys.executable} has all that the file imports"
    assert card.action_button().text() == "Train with this Python"
    card.action_button().click()
    story.until(lambda: story.wiring.session.advisor.settings.interpreter == sys.executable)
    story.until(lambda: not card.isVisible())
    story.answered()
    assert story.wiring.estimates.verdict.error is None
