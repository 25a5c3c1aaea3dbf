"""The window without a screen, on a recorded advisor, and fixtures that find what a test left behind."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.kit import language, style
from app.ui.kit.bridge import Runner
from app.ui.machine.live import Source
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell.garbage import MainThreadGarbage
from app.ui.shell.main_window import MainWindow
from app.ui.shell.wiring import Wiring
from app.ui.workload.code_presenter import Ask
from tests.fakes.advisor import FakeAdvisor, make

WAIT_MS = 30_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The platform without a screen says what it cannot do; that is no fault of the window."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the user's files."""
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication, own_folder: Path) -> None:
    """Every test starts in English and in the light theme."""
    language.install(qapp, "en")
    if style.current().name != "light" or qapp.style().name() != "fusion":
        style.apply(qapp, "light")


@pytest.fixture(autouse=True, scope="session")
def garbage(qapp: QApplication) -> Iterator[MainThreadGarbage]:
    """The collector of the program: widgets of a test end in this thread."""
    garbage = MainThreadGarbage()
    garbage.start()
    yield garbage
    gc.collect()
    garbage.stop()


@pytest.fixture(autouse=True)
def nothing_left(qapp: QApplication, garbage: MainThreadGarbage) -> Iterator[None]:
    """Fails a test that leaves a top-level widget, a thread, a running timer or a child process."""
    threads = set(threading.enumerate())
    children = set(psutil.Process().children(recursive=True))
    yield
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qapp.processEvents()
    garbage.collect_due()
    assert leaks(qapp, threads, children) == []


def leaks(qapp: QApplication, threads: set[threading.Thread], children: set[psutil.Process]) -> list[str]:
    """What is there now and was not before, in words."""
    found = [f"widget {widget!r}" for widget in qapp.topLevelWidgets() if widget.isVisible()]
    found += [f"thread {thread.name}" for thread in set(threading.enumerate()) - threads if not _of_qt(thread)]
    found += [f"timer {timer!r}" for timer in qapp.findChildren(QTimer) if timer.isActive()]
    found += [f"child {child.pid}" for child in set(psutil.Process().children(recursive=True)) - children]
    return found


def _of_qt(thread: threading.Thread) -> bool:
    """Python's name for a Qt thread that has ended but was once seen by Python; `Runner.stop` waits for those."""
    return isinstance(thread, threading._DummyThread)


@dataclass
class Story:
    """The window as a user has it."""

    qtbot: QtBot
    window: MainWindow
    wiring: Wiring
    advisor: FakeAdvisor

    def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is true."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)

    def answered(self) -> None:
        """Wait for the traced answer to the present question."""
        state = self.window.verdict
        self.until(
            lambda: (
                state.state.stage == "predicted"
                and self.wiring.session.workload is not None
                and state.state.batch_size == self.wiring.session.workload.plan.batch_size
                and not self.wiring.machine.busy
            )
        )

    def page(self, index: int) -> Any:
        """Show a page and return it."""
        self.window.pages.show_page(index)
        return self.window.pages.page(index)


@pytest.fixture
def advisor(tmp_path: Path) -> FakeAdvisor:
    """A recorded advisor."""
    return make(tmp_path)


@pytest.fixture
def open_window(qtbot: QtBot, advisor: FakeAdvisor) -> Iterator[Callable[..., Story]]:
    """Opens windows; they are closed at the end of the test."""
    stories: list[Story] = []

    def open_one(live: Source | None = None, ask: Ask | None = None, **fields: Any) -> Story:
        for name, value in fields.items():
            setattr(advisor.script, name, value)
        window = MainWindow(WindowSettings())
        wiring = Wiring(window, advisor, Runner(window), live, ask)
        window.show()
        wiring.start()
        story = Story(qtbot, window, wiring, advisor)
        stories.append(story)
        return story

    yield open_one
    for story in stories:
        story.window.close()
        story.window.deleteLater()


@pytest.fixture
def story(open_window: Callable[..., Story]) -> Story:
    """A window that has answered its first question."""
    opened = open_window()
    opened.answered()
    return opened
