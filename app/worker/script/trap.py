"""Waits in place of ``fit``: answers at the training that was asked for, and passes over those before it.

The answer is sent and the process group ended inside that call: no ``except``, ``finally`` or ``atexit`` of the
program, and no thread of it, runs after it.  Only where all trainings are counted the program runs on to its end.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from app.core.types.errors import BadModel
from app.core.types.messages import Done
from app.core.types.plans import plan_from_json
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase, to_plain
from app.worker.failures import describe_failure
from app.worker.models.own.beside import loaded_beside
from app.worker.script.batches import batches_of
from app.worker.script.capture import traced_call, training_of
from app.worker.script.file_events import FileEvents
from app.worker.script.fit_call import FitCall
from app.worker.script.journal import Journal
from app.worker.script.keras_changes import KerasChanges
from app.worker.script.own_loops import OwnLoops
from app.worker.script.program import Program
from app.worker.script.stand_in import passed_over, writers
from app.worker.tracing.trace import to_json

if TYPE_CHECKING:
    from app.worker.channel import Channel


class Trap:
    """Stands in place of ``fit`` in this process and in those that it forks.

    Args:
        program: What is run.
        arguments: Of the job.
        channel: To the parent.
        events: What the program does outside itself.

    Attributes:
        changes: What is changed in Keras so that it is reached.
        journal: The trainings that were reached.
        loops: What trained without ``fit``.
        wanted: Which of them is answered, from 1.
        kept_inside: The program may not write where it likes.
    """

    def __init__(self, program: Program, arguments: dict[str, Any], channel: Channel, events: FileEvents) -> None:
        self.loops = OwnLoops(self._on_own_loop)
        self.changes = KerasChanges(self._on_fit, self.loops, arguments.get("precision"))
        self.journal = Journal()
        self._program = program
        self._arguments = arguments
        self.wanted = int(arguments["model"].get("fit") or 1)
        self.kept_inside = bool(arguments.get("sandbox"))
        self._counts = bool(arguments["model"].get("count_fits"))
        self._channel = channel
        self._events = events
        self._begun_s = time.perf_counter()
        self._one_at_a_time = threading.RLock()
        self._worker = os.getpid()

    def finish(self, told: Text | None = None) -> dict[str, Any] | None:
        """The answer after the program's end, if the training that was asked for was reached and others counted.

        Args:
            told: How the program ended, if not as it should.
        """
        answer = self.journal.held()
        if answer is None:
            return None
        captured = answer["model"]["captured"]
        trainings = self.journal.trainings()
        captured["trainings"] = [dataclasses.asdict(one) for one in trainings]
        captured["of"], captured["of_is"] = len(trainings), "seen"
        captured["told"] += [to_plain(told)] if told else []
        return answer

    def _on_fit(self, called: Callable[[], FitCall]) -> Any:
        """Answer and end, or return what stands for a training; a second thread waits for either."""
        with self._one_at_a_time, self.loops.not_now():
            reached_s = time.perf_counter() - self._begun_s
            try:
                number = self.journal.begin()
                call = called()
                batches = batches_of(call)
                training = training_of(call, batches, number)
                self.journal.add(training)
                if number == self.wanted:
                    self._channel.phase("trace")
                    self._channel.progress(0.7, phrase("tracing one step"))
                    plan = plan_from_json(self._arguments)
                    graph = traced_call(call, batches, plan, self.changes.backend, training)
                    answer = self._told(graph, call, reached_s)
                    if not self._counts:
                        self._end(Done(answer))
                    self.journal.hold(answer)
                self._channel.progress(0.5, phrase("passing over training {number}", number=number))
                self.changes.passed_over = True
                return passed_over(call, batches)
            except BaseException as error:  # noqa: BLE001 - nothing may go back to the program
                traceback.print_exc(file=sys.stderr)
                self._end(describe_failure(error, phase="trace", arguments=self._arguments))

    def _on_own_loop(self, found: BadModel) -> NoReturn:
        """A loop of the program's own goes on and on: say so and end."""
        with self._one_at_a_time:
            self._end(describe_failure(found, phase="script", arguments=self._arguments))

    def _told(self, graph: StepGraph, call: FitCall, reached_s: float) -> dict[str, Any]:
        """The answer, with what was done before it and what has been imported of the user's own."""
        captured = graph.model.captured
        assert captured is not None
        left_out = writers(call)
        told = [*captured.told, *self._events.told(), *self._program.told()]
        if left_out:
            told.append(phrase("callbacks that write, left out here: {callbacks}", callbacks=", ".join(left_out)))
        if self.kept_inside:
            told.append(phrase("it ran on a copy of its folder, with a home of its own"))
        captured = dataclasses.replace(
            captured, prepared_s=reached_s, told=tuple(told), trainings=self.journal.trainings()
        )
        model = dataclasses.replace(graph.model, captured=captured)
        answer = to_json(dataclasses.replace(graph, model=model, trace_s=time.perf_counter() - self._begun_s))
        answer["own_files"] = loaded_beside(Path(self._program.path))
        return answer

    def _end(self, message: Any) -> NoReturn:
        """Send the last word and end everything."""
        try:
            self._channel.end(message)
        finally:
            end_all(self._worker)


def end_all(worker: int) -> NoReturn:
    """End the worker and all that it started, at once; this may be a process that the program forked."""
    if sys.platform != "win32" and os.getpgid(worker) == worker:
        os.killpg(worker, signal.SIGKILL)
    os._exit(0)
