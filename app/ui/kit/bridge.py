"""One `QThread` per running task: the only place where the window meets blocking work.

A `Task` runs a function off the main thread, forwards its events in order and ends exactly once with an
`Outcome`.  All three signals are emitted in the thread that owns the task, so that slots may touch
widgets.  Cancelling is asking: the function sees ``cancel.is_set()`` and returns.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import shiboken6
from PySide6.QtCore import QObject, Qt, QThread, Signal

from app.core.types.cancelling import cancelled_by
from app.core.types.errors import Cancelled, WillItTrainError

EventSink = Callable[[Any], None]
Job = Callable[[EventSink, threading.Event], Any]
Ending = Literal["succeeded", "failed", "cancelled", "broken"]

STOP_TIMEOUT_MS = 4000
"""The façade returns within 2 s of a cancel; twice that before the window stops waiting."""


@dataclass(frozen=True)
class Outcome:
    """How a task ended.  ``broken`` means an error of the program itself."""

    ending: Ending
    value: Any = None
    error: BaseException | None = None


class _Thread(QThread):
    """Runs the job and keeps its outcome."""

    event_seen = Signal(object)

    def __init__(self, job: Job, cancel: threading.Event) -> None:
        super().__init__()
        self._job = job
        self._cancel = cancel
        self.outcome: Outcome | None = None

    def run(self) -> None:
        """Thread body; whatever is no error of the user's leaves through the exception hook."""
        try:
            with cancelled_by(self._cancel.is_set):
                self.outcome = Outcome("succeeded", value=self._job(self.event_seen.emit, self._cancel))
        except Cancelled:
            self.outcome = Outcome("cancelled")
        except WillItTrainError as error:
            self.outcome = Outcome("failed", error=error)
        finally:
            if self.outcome is None:
                self.outcome = Outcome("broken", error=sys.exc_info()[1])


class Task(QObject):
    """One run of a function in a thread of its own."""

    started = Signal()
    progressed = Signal(object)
    ended = Signal(object)

    def __init__(self, name: str, job: Job, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.cancel_event = threading.Event()
        self._thread = _Thread(job, self.cancel_event)
        self._thread.event_seen.connect(self.progressed, Qt.ConnectionType.QueuedConnection)
        self._thread.finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)
        self._over = False

    @property
    def running(self) -> bool:
        """Has not ended yet."""
        return not self._over

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()
        self.started.emit()

    def cancel(self) -> None:
        """Ask the job to stop; `ended` follows."""
        self.cancel_event.set()

    def wait(self, timeout_ms: int = STOP_TIMEOUT_MS) -> bool:
        """Block until the thread is over; only for closing the window and for tests."""
        return self._thread.wait(timeout_ms)

    def _on_finished(self) -> None:
        """Tell the outcome, once."""
        if self._over:
            return
        self._over = True
        self._thread.wait()
        self.ended.emit(self._thread.outcome or Outcome("broken"))


class Runner(QObject):
    """Starts tasks and keeps them until they end."""

    idle_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: list[Task] = []
        self._stopping = False

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Tasks that have not ended."""
        return tuple(self._tasks)

    def run(
        self, name: str, job: Job, ended: Callable[[Outcome], None], progressed: Callable[[Any], None] | None = None
    ) -> Task:
        """Start a job; nothing is started any more once the window closes.

        Args:
            name: For tests and messages.
            job: Called with an event sink and a cancel event, in a thread of its own.
            ended: Called once, in this thread; not called any more while the window closes, nor a method of a
                widget or presenter that is gone, as of a dialog that was closed.
            progressed: Called in this thread for each event, under the same conditions.
        """
        task = Task(name, job, self)
        if progressed is not None:
            task.progressed.connect(lambda event: self._tell(progressed, event))
        task.ended.connect(lambda outcome: self._on_ended(task, outcome, ended))
        if not self._stopping:
            self._tasks.append(task)
            task.start()
        return task

    def call(self, name: str, function: Callable[[], Any], ended: Callable[[Outcome], None]) -> Task:
        """Start a plain function that neither reports nor can be cancelled."""
        return self.run(name, lambda _sink, _cancel: function(), ended)

    def stop(self) -> bool:
        """Cancel everything and wait for it; True if every thread is over."""
        self._stopping = True
        for task in self._tasks:
            task.cancel()
        over = [task.wait() for task in tuple(self._tasks)]
        return all(over)

    def _on_ended(self, task: Task, outcome: Outcome, ended: Callable[[Outcome], None]) -> None:
        """Forget the task and pass its outcome on."""
        if task in self._tasks:
            self._tasks.remove(task)
        task.deleteLater()
        self._tell(ended, outcome)

    def _tell(self, receiver: Callable[[Any], None], value: Any) -> None:
        """Call who waits for it, unless nobody does any more."""
        owner = getattr(receiver, "__self__", None)
        gone = isinstance(owner, QObject) and not shiboken6.isValid(owner)
        if not self._stopping and not gone:
            receiver(value)
