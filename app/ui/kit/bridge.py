"""One thread per running task: the only place where the window meets blocking work.

A `Task` runs a function off the main thread, forwards its events in order and ends exactly once with an
`Outcome`.  All three signals are emitted in the thread that owns the task, so that slots may touch
widgets.  Cancelling is asking: the function sees ``cancel.is_set()`` and returns.  A task has a `QThread` of its
own, or takes its turn in one that lives on (`Turns`).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
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


def _outcome(job: Job, sink: EventSink, cancel: threading.Event) -> Outcome:
    """Run a job to its end; whatever is no error of the user's goes to the exception hook."""
    try:
        with cancelled_by(cancel.is_set):
            return Outcome("succeeded", value=job(sink, cancel))
    except Cancelled:
        return Outcome("cancelled")
    except WillItTrainError as error:
        return Outcome("failed", error=error)
    except BaseException as error:  # noqa: BLE001 (told by the hook, and the thread goes on)
        sys.excepthook(type(error), error, error.__traceback__)
        return Outcome("broken", error=error)


class _Thread(QThread):
    """Runs the job and keeps its outcome."""

    event_seen = Signal(object)

    def __init__(self, job: Job, cancel: threading.Event) -> None:
        super().__init__()
        self._job = job
        self._cancel = cancel
        self.outcome: Outcome | None = None

    def run(self) -> None:
        """Thread body."""
        self.outcome = _outcome(self._job, self.event_seen.emit, self._cancel)


class Turns:
    """A thread that lives on, for tasks that come many times a second.

    To start a thread stops the window's own until that one has begun, which was the longest of what it did for a
    move of the slider.  It starts with the first of them.
    """

    def __init__(self) -> None:
        self._waiting: SimpleQueue[_Turn | None] = SimpleQueue()
        self._thread = threading.Thread(target=_take_turns, args=(self._waiting,), name="turns", daemon=True)

    def put(self, turn: _Turn) -> None:
        """Line up."""
        if self._thread.ident is None:
            self._thread.start()
        self._waiting.put(turn)

    def leave(self) -> bool:
        """End the thread; True if it is over."""
        self._waiting.put(None)
        if self._thread.ident is not None:
            self._thread.join(STOP_TIMEOUT_MS / 1000)
        return not self._thread.is_alive()


def _take_turns(waiting: SimpleQueue[_Turn | None]) -> None:
    """Thread body: job after job, until there is none."""
    while (turn := waiting.get()) is not None:
        turn.take()


class _Turn(QObject):
    """A job for a thread that lives on; as a `_Thread` to whoever waits for it.

    It has a parent, so that it is destroyed in the window's thread, whoever speaks of it last.
    """

    event_seen = Signal(object)
    finished = Signal()

    def __init__(self, job: Job, cancel: threading.Event, turns: Turns, parent: QObject) -> None:
        super().__init__(parent)
        self._job, self._cancel, self._turns = job, cancel, turns
        self._over = threading.Event()
        self.outcome: Outcome | None = None

    def start(self) -> None:
        """Line up."""
        self._turns.put(self)

    def take(self) -> None:
        """In the thread that lives on."""
        self.outcome = _outcome(self._job, self.event_seen.emit, self._cancel)
        self.finished.emit()
        self._over.set()

    def wait(self, timeout_ms: int | None = None) -> bool:
        """Block until it is over."""
        return self._over.wait(None if timeout_ms is None else timeout_ms / 1000)


class Task(QObject):
    """One run of a function in a thread."""

    started = Signal()
    progressed = Signal(object)
    ended = Signal(object)

    def __init__(self, name: str, job: Job, parent: QObject | None = None, turns: Turns | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.cancel_event = cancel = threading.Event()
        self._thread = _Thread(job, cancel) if turns is None else _Turn(job, cancel, turns, self)
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
        self._turns = Turns()
        self._stopping = False

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Tasks that have not ended."""
        return tuple(self._tasks)

    def run(
        self,
        name: str,
        job: Job,
        ended: Callable[[Outcome], None],
        progressed: Callable[[Any], None] | None = None,
        *,
        in_turn: bool = False,
    ) -> Task:
        """Start a job; nothing is started any more once the window closes.

        Args:
            name: For tests and messages.
            job: Called with an event sink and a cancel event, in a thread of its own.
            ended: Called once, in this thread; not called any more while the window closes, nor a method of a
                widget or presenter that is gone, as of a dialog that was closed.
            progressed: Called in this thread for each event, under the same conditions.
            in_turn: In the one thread that lives on, after the others of this kind.
        """
        task = Task(name, job, self, self._turns if in_turn else None)
        if progressed is not None:
            task.progressed.connect(lambda event: self._tell(progressed, event))
        task.ended.connect(lambda outcome: self._on_ended(task, outcome, ended))
        if not self._stopping:
            self._tasks.append(task)
            task.start()
        return task

    def call(
        self, name: str, function: Callable[[], Any], ended: Callable[[Outcome], None], *, in_turn: bool = False
    ) -> Task:
        """Start a plain function that neither reports nor can be cancelled."""
        return self.run(name, lambda _sink, _cancel: function(), ended, in_turn=in_turn)

    def stop(self) -> bool:
        """Cancel everything and wait for it; True if every thread is over."""
        self._stopping = True
        for task in self._tasks:
            task.cancel()
        over = [task.wait() for task in tuple(self._tasks)]
        return all([*over, self._turns.leave()])

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
