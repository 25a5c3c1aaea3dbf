"""Several children on one machine, one of which measures at a time.

Each child has a thread of its own here, which waits for the child's end.  The caller gives turns and is told what came
of each.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from app.core.types.measurement import RunResult
from app.core.types.messages import Paused, Resume
from app.services.child.worker_process import Turns


class Seat:
    """One child that takes turns.

    Args:
        run: Runs the child to its end with the turns that are given to it; passes what it says when it pauses to
            its second argument.
    """

    def __init__(self, run: Callable[[Turns, Callable[[Paused], None]], RunResult]) -> None:
        self._run = run
        self._turns: Turns = queue.SimpleQueue()
        self._news: queue.SimpleQueue[Paused | None] = queue.SimpleQueue()
        self._result: RunResult | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, name="seat", daemon=True)

    def start(self) -> Paused | None:
        """Start the child and wait until it is ready to measure; None if it ended before that."""
        self._thread.start()
        return self._news.get()

    def turn(self, turn: Resume) -> Paused | None:
        """Let it measure for a while; None if it ended instead of pausing again."""
        self._turns.put(turn)
        return self._news.get()

    def leave(self) -> RunResult:
        """No more turns: wait for the child's end and its answer, whether it has ended already or not.

        A child that was never started was cancelled.
        """
        if self._thread.ident is None:
            return RunResult("cancelled")
        self._turns.put(Resume(0.0))
        self.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def join(self) -> None:
        """Wait for the child's end, if it was started."""
        if self._thread.ident is not None:
            self._thread.join()

    def _serve(self) -> None:
        """The thread's work."""
        try:
            self._result = self._run(self._turns, self._news.put)
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread by `leave`
            self._error = error
        finally:
            self._news.put(None)
