"""Starts the window: first paint first, everything heavy after it and in a thread."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.core.types.units import format_number
from app.presentation.problem import error_state
from app.ui.kit import language, style
from app.ui.kit.bridge import Outcome, Runner
from app.ui.kit.speech import speaker
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell.garbage import MainThreadGarbage
from app.ui.shell.main_window import MainWindow
from app.ui.shell.screen import screen_needed

if TYPE_CHECKING:
    from app.services.advisor import Advisor

APPLICATION_NAME = "willittrain"
DESKTOP_FILE = "io.github.willittrain.WillItTrain"
"""By this name Wayland finds the icon and groups the windows (packaging/linux)."""
SWITCH_INTERVAL_S = 0.001


def make_advisor() -> Advisor:
    """The façade, made in a thread because importing it takes a while, as does what wires the window to it."""
    import app.ui.shell.wiring  # noqa: F401
    from app.services.advisor import Advisor
    from app.services.settings import Settings
    from app.services.store.history import History

    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


def warm_up() -> None:
    """Load what numbers and dates need in a thread, so that the first use does not stop the window."""
    speaker().say(format_number(0.5, ".1f"))


def make_application(arguments: list[str]) -> QApplication:
    """The application object with its name; it alone collects garbage from then on."""
    existing = QApplication.instance()
    with screen_needed():
        app = existing if isinstance(existing, QApplication) else QApplication(arguments)
    if existing is None:
        MainThreadGarbage(app).start()
    app.setApplicationName(APPLICATION_NAME)
    app.setApplicationDisplayName("Will It Train?")
    app.setDesktopFileName(DESKTOP_FILE)
    return app


def run(arguments: list[str] | None = None) -> int:
    """Open the window and stay until it is closed.

    Args:
        arguments: Of the program; Qt takes its own out of them.

    Returns:
        The exit code.
    """
    # A thread that computes gives way to the window after 1 ms instead of 5.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = make_application(arguments if arguments is not None else sys.argv)
    settings = WindowSettings()
    language.install(app, settings.language, decimal_sizes=settings.decimal_sizes)
    theme = settings.theme
    style.apply(app, style.system_theme() if theme == "system" else theme)  # type: ignore[arg-type]
    window = MainWindow(settings)
    window.show()
    runner = Runner(window)
    QTimer.singleShot(0, window, lambda: _start(window, runner))
    # Ctrl+C in a terminal, its end and a request to end close the window, with all that it started; Python sees the
    # signal when it next runs, as it does with every turn of the collector's timer.
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, lambda _number, _frame: window.close())
    code = app.exec()
    return code if runner.stop() else _leave_at_once(code)


def _start(window: MainWindow, runner: Runner) -> None:
    """After the first paint: make the façade in a thread, then wire the window."""
    runner.call("warm up", warm_up, lambda _outcome: MainThreadGarbage.keep_what_is_there())
    runner.call("advisor", make_advisor, lambda outcome: _on_advisor(window, runner, outcome))


def _on_advisor(window: MainWindow, runner: Runner, outcome: Outcome) -> None:
    """Wire the window to the façade."""
    if outcome.ending != "succeeded":
        window.error.set_error(error_state(outcome.error))
        return
    from app.ui.machine.live import sampler_source
    from app.ui.shell.wiring import Wiring

    Wiring(window, outcome.value, runner, sampler_source).start()
    MainThreadGarbage.keep_what_is_there()


def _leave_at_once(code: int) -> int:
    """A thread does not end: leave without tearing down what it still uses."""
    import os

    sys.stdout.flush()
    os._exit(code)
