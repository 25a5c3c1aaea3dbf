"""The ``script`` job: run the author's own program up to its ``fit``, and answer from there.

The answer is sent and the process group ended inside that call: no ``except``, ``finally`` or ``atexit`` of the
program, and no thread of it, runs after it.
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
from app.core.types.text import phrase
from app.worker.failures import describe_failure
from app.worker.models.own.beside import loaded_beside
from app.worker.script.capture import traced_call
from app.worker.script.fit_call import FitCall
from app.worker.script.imports import when_imported
from app.worker.script.keras_changes import KerasChanges
from app.worker.script.program import Program
from app.worker.tracing.trace import to_json

if TYPE_CHECKING:
    from app.worker.channel import Channel


def run(arguments: dict[str, Any], channel: Channel) -> NoReturn:
    """Run the program that ``arguments`` describe; its ``fit`` answers, or this raises.

    Args:
        arguments: ``model``, and the traced options of a plan; without ``precision`` that is the author's.
        channel: To the parent.

    Raises:
        BadModel: The program may not run, or ended without training.
        JobFailed: It left with an exit code, or asked for input.
    """
    model = arguments["model"]
    if not model.get("trusted"):
        raise BadModel(
            phrase("a script is code, and code runs only with your consent"),
            expected=phrase("your consent for this file"),
            received=model["name"],
            hint=phrase("allow it only if you trust its author (--trust)"),
        )
    program = Program(
        model["path"],
        tuple(model.get("consent") or ()),
        tuple(model.get("arguments") or ()),
        model.get("function"),
        model.get("folder"),
    )
    channel.phase("script")
    channel.progress(0.1, phrase("running {name}", name=model["name"]))
    when_imported(Trap(program, arguments, channel).changes.by_module())
    program.run()
    raise BadModel(
        phrase("the script ended without training a Keras model"),
        expected=phrase("a call of fit"),
        received=model["name"],
        hint=phrase("a function that returns a model is asked for as {path}:function", path=Path(program.path).name),
    )


class Trap:
    """Waits in place of ``fit``.

    Args:
        program: What is run.
        arguments: Of the job.
        channel: To the parent.

    Attributes:
        changes: What is changed in Keras so that it is reached.
    """

    def __init__(self, program: Program, arguments: dict[str, Any], channel: Channel) -> None:
        self.changes = KerasChanges(self._answer, arguments.get("precision"))
        self._program = program
        self._arguments = arguments
        self._channel = channel
        self._begun_s = time.perf_counter()
        self._one_at_a_time = threading.Lock()
        self._worker = os.getpid()

    def _answer(self, called: Callable[[], FitCall]) -> NoReturn:
        """Say what would be trained and end; a second thread waits for that end."""
        self._one_at_a_time.acquire()
        prepared_s = time.perf_counter() - self._begun_s
        try:
            self._channel.phase("trace")
            self._channel.progress(0.7, phrase("tracing one step"))
            graph = traced_call(called(), plan_from_json(self._arguments), self.changes.backend)
            self._channel.end(Done(self._told(graph, prepared_s)))
        except BaseException as error:  # noqa: BLE001 - nothing may go back to the program
            traceback.print_exc(file=sys.stderr)
            self._channel.end(describe_failure(error, phase="trace", arguments=self._arguments))
        finally:
            end_all(self._worker)

    def _told(self, graph: StepGraph, prepared_s: float) -> dict[str, Any]:
        """The answer, with what has been imported of the user's own."""
        assert graph.model.captured is not None
        captured = dataclasses.replace(graph.model.captured, prepared_s=prepared_s)
        model = dataclasses.replace(graph.model, captured=captured)
        answer = to_json(dataclasses.replace(graph, model=model, trace_s=time.perf_counter() - self._begun_s))
        answer["own_files"] = loaded_beside(Path(self._program.path))
        return answer


def end_all(worker: int) -> NoReturn:
    """End the worker and all that it started, at once; this may be a process that the program forked."""
    if sys.platform != "win32" and os.getpgid(worker) == worker:
        os.killpg(worker, signal.SIGKILL)
    os._exit(0)
