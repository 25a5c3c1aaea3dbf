"""What a verb needs around its work: the façade, progress on stderr, and Ctrl+C as a polite cancel."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from app.core.types.measurement import Sample
from app.core.types.messages import Phase, Progress
from app.core.types.text import phrase
from app.core.types.units import format_seconds

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from app.services.advisor import Advisor


def open_advisor(interpreter: str | None = None) -> Advisor:
    """The façade, with this user's settings and history; ``interpreter`` overrides the settings'.

    Raises:
        UsageError: There is no such interpreter.
    """
    from app.services.advisor import Advisor
    from app.services.settings import Settings
    from app.services.store.history import History

    settings = Settings.load()
    if settings.notice:
        warn(settings.notice)
    chosen = interpreter or settings.interpreter
    history = History(settings.history_path, on_notice=warn)
    return Advisor(settings, history, checked_interpreter(chosen) if chosen else None)


def checked_interpreter(text: str) -> str:
    """The path of a Python named by path or by a name on PATH.

    Raises:
        UsageError: Nothing that can be run has that name.
    """
    import os
    import shutil

    from app.core.types.errors import UsageError

    found = shutil.which(os.path.expanduser(text))
    if found is None:
        raise UsageError(
            phrase("no such interpreter"),
            expected="the path of a Python",
            received=text,
            hint=phrase("`willittrain runtime` lists those that can train"),
        )
    return os.path.abspath(found)


def warn(text: str) -> None:
    """One line on stderr that does not stop the work."""
    sys.stderr.write(f"warning: {text}\n")


@dataclass
class Live:
    """What a verb hands to the façade: where events go, and the flag that cancels."""

    cancel: threading.Event
    bar: Bar | None = None
    task: TaskID | None = None
    phase: str = ""

    def on_event(self, event: Any) -> None:
        """Show one event, if somebody is looking."""
        if isinstance(event, Phase):
            self.phase = event.name
        if self.bar is None or self.task is None:
            return
        if isinstance(event, Progress):
            self.bar.update(self.task, completed=event.fraction, description=event.text or self.phase)
        elif isinstance(event, Phase):
            self.bar.update(self.task, description=event.name)
        elif isinstance(event, Sample) and event.step_s is not None:
            words = f"{event.phase} · step {event.step} · {format_seconds(event.step_s)}"
            self.bar.update(self.task, description=words)


@contextmanager
def live(title: str) -> Iterator[Live]:
    """Show progress on stderr while something runs, if stderr is a terminal; Ctrl+C sets the cancel flag.

    A second Ctrl+C is the ordinary `KeyboardInterrupt`.
    """
    state = Live(threading.Event())
    with _polite_interrupt(state.cancel):
        if not sys.stderr.isatty():
            yield state
            return
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        text = TextColumn("{task.description}", markup=False)
        with Bar(text, BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
            state.bar, state.task = bar, bar.add_task(title, total=1.0)
            yield state


@contextmanager
def _polite_interrupt(cancel: threading.Event) -> Iterator[None]:
    """Turn the first Ctrl+C into the flag; only the main thread may listen to signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
