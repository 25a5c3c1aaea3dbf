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
from typing import TYPE_CHECKING, Any, NoReturn

from app.core.types.errors import BadModel
from app.core.types.messages import Done, Failed
from app.core.types.plans import plan_from_json
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase, to_plain
from app.worker.failures import describe_failure, place
from app.worker.script.batches import Batches, batches_of, validation_of
from app.worker.script.capture import of_the_whole, traced_call, traced_validation, training_of
from app.worker.script.fit_call import FitCall
from app.worker.script.journal import Journal
from app.worker.script.keras_changes import KerasChanges
from app.worker.script.loop_step import fit_call_of
from app.worker.script.own_loops import OwnLoops
from app.worker.script.stand_in import left_out, passed_over
from app.worker.script.step_calls import StepCall
from app.worker.tracing.trace import to_json

if TYPE_CHECKING:
    from app.worker.channel import Channel
    from app.worker.script.spawned import Relay


class Trap:
    """Stands in place of ``fit`` in one process and in those that it forks.

    Args:
        arguments: Of the job.
        channel: To the parent, or to the process that has one.
        journal: The trainings that were reached, in whatever process.
        begun_s: When the program began, by `time.perf_counter`.
        amend: Adds to an answer what only the process knows that runs the program.

    Attributes:
        changes: What is changed in Keras so that it is reached.
        journal: Likewise.
        loops: What trained without ``fit``.
        wanted: Which training is answered, from 1.
        kept_inside: The program may not write where it likes.
    """

    def __init__(
        self,
        arguments: dict[str, Any],
        channel: Channel | Relay,
        journal: Journal,
        begun_s: float,
        amend: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        self.loops = OwnLoops(self._on_own_loop, self._on_step)
        self._measures = "seconds" in arguments
        self.changes = KerasChanges(self._on_fit, self.loops, arguments.get("precision"), self._measures)
        self.journal = journal
        self.wanted = int(arguments["model"].get("fit") or 1)
        self.kept_inside = bool(arguments.get("sandbox"))
        self._arguments = arguments
        self._counts = bool(arguments["model"].get("count_fits"))
        self._channel = channel
        self._amend = amend or (lambda answer: answer)
        self._begun_s = begun_s
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
        answer = self._amend(answer)
        captured = answer["model"]["captured"]
        trainings = self.journal.trainings()
        captured["trainings"] = [dataclasses.asdict(one) for one in trainings]
        captured["of"], captured["of_is"] = len(trainings), "seen"
        captured["told"] += [to_plain(told)] if told else []
        return answer

    def _on_fit(self, called: Callable[[], FitCall]) -> Any:
        """Answer and end, or return what stands for a training; a second thread waits for either."""
        with self._one_at_a_time, self.loops.not_now():
            reached_s, call = time.perf_counter() - self._begun_s, None
            try:
                number = self.journal.begin()
                call = called()
                if not call.is_loop:
                    call.model._assert_compile_called("fit")
                batches = batches_of(call)
                training = training_of(call, batches, number)
                self.journal.add(training)
                if number == self.wanted and self._measures:
                    self.end(Done(self._measured(call, batches, reached_s)))
                if number == self.wanted:
                    self._channel.phase("trace")
                    self._channel.progress(0.7, phrase("tracing one step"))
                    plan = plan_from_json(self._arguments)
                    validation = validation_of(call)
                    whole = of_the_whole(call, validation)
                    graph = traced_call(call, batches, plan, self.changes, training, whole)
                    answer = self._told(graph, call, reached_s)
                    if "validation" in whole and validation is not None:
                        answer["evaluation"] = to_json(traced_validation(call, validation, graph.precision))
                    if call.is_loop or not self._counts:
                        self.end(Done(answer))
                    self.journal.hold(answer)
                self._channel.progress(0.5, phrase("passing over training {number}", number=number))
                self.changes.passed_over = True
                return passed_over(call, batches)
            except BaseException as error:  # noqa: BLE001 - nothing may go back to the program
                traceback.print_exc(file=sys.stderr)
                self.end(self._failed(error, call))

    def _measured(self, call: FitCall, batches: Batches, reached_s: float) -> dict[str, Any]:
        """What some seconds of the training show."""
        from app.worker.script.measured import measured, why_not

        refused = why_not(call, self.changes.backend, self._channel)
        if refused is not None:
            raise refused
        self._channel.phase("build")
        return measured(call, batches, self._arguments, reached_s, self._channel)  # type: ignore[arg-type]

    def _on_step(self, step: StepCall, file: str | None, line: int | None) -> None:
        """A step of a loop of the program's own stands for all of them, if it is that training's turn."""
        if self.wanted != len(self.journal.trainings()) + 1:
            return
        call = fit_call_of(step, file, line)
        if call is not None:
            self._on_fit(lambda: call)

    def end(self, message: Done | Failed) -> NoReturn:
        """Send the last word and end everything."""
        try:
            self._channel.end(message)
        finally:
            end_all(self._worker)

    def last(self, message: Done | Failed) -> NoReturn:
        """The last word of another process of the program."""
        with self._one_at_a_time:
            self.end(Done(self._amend(message.result)) if isinstance(message, Done) else message)

    def _failed(self, error: BaseException, call: FitCall | None) -> Failed:
        """Why there is no answer, with the line that called ``fit`` where no line of the user's is nearer."""
        phase = getattr(self._channel, "current_phase", None) if self._measures else "trace"
        failed = describe_failure(error, phase=phase, arguments=self._arguments)
        failed = dataclasses.replace(failed, partial=failed.partial or getattr(self._channel, "partial", None))
        if failed.where is not None or call is None or call.file is None:
            return failed
        kind = "bad_model" if failed.kind == "error" else failed.kind
        return dataclasses.replace(failed, kind=kind, where=place(call.file, call.line))

    def _on_own_loop(self, found: BadModel) -> None:
        """A loop of the program's own goes on and on: say so and end."""
        with self._one_at_a_time:
            if self.loops.found() is None:
                return  # a ``fit`` has come
            self.end(describe_failure(found, phase="script", arguments=self._arguments))

    def _told(self, graph: StepGraph, call: FitCall, reached_s: float) -> dict[str, Any]:
        """The answer, with what was done before it and what has been imported of the user's own."""
        captured = graph.model.captured
        assert captured is not None
        told = [*captured.told, *left_out(call)]
        if self.kept_inside:
            told.append(phrase("it ran on a copy of its folder, with a home of its own"))
        captured = dataclasses.replace(
            captured, prepared_s=reached_s, told=tuple(told), trainings=self.journal.trainings()
        )
        model = dataclasses.replace(graph.model, captured=captured)
        answer = to_json(dataclasses.replace(graph, model=model, trace_s=time.perf_counter() - self._begun_s))
        return self._amend(answer)


def end_all(worker: int) -> NoReturn:
    """End the worker and all that it started, at once; this may be a process that the program forked."""
    if sys.platform != "win32" and os.getpgid(worker) == worker:
        os.killpg(worker, signal.SIGKILL)
    os._exit(0)
