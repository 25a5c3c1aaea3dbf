"""The ``script`` job: run the author's own program up to its ``fit``, where `app.worker.script.trap` answers."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.channel import JobFailed
from app.worker.error_text import said_by
from app.worker.models.own.beside import loaded_beside
from app.worker.models.own.read_files import ReadFiles
from app.worker.script.file_events import FileEvents
from app.worker.script.imports import when_imported
from app.worker.script.journal import Journal
from app.worker.script.kept_inside import keep_inside
from app.worker.script.own_loops import unreached_loop
from app.worker.script.program import Program
from app.worker.script.spawned import expect
from app.worker.script.trap import Trap

if TYPE_CHECKING:
    from app.worker.channel import Channel


_REFUSED = ("PermissionError", "PermissionDeniedError")
"""How Python and TensorFlow say that a file may not be written."""


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Run the program that ``arguments`` describe; mostly its ``fit`` answers, and this never returns.

    Args:
        arguments: ``model``, and the traced options of a plan; without ``precision`` that is the author's.  With
            ``sandbox`` the program may change files below these folders only.
        channel: To the parent.

    Returns:
        The answer of a program that ran on to its end, so that its trainings could be counted.

    Raises:
        BadModel: The program may not run, or ended without training.
        JobFailed: It left with an exit code, asked for input, or would write outside its sandbox.
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
    events, begun_s, journal = _watched(model, arguments.get("sandbox")), time.perf_counter(), Journal()
    read = ReadFiles(Path(model["path"]), [str(Path.home())] if arguments.get("sandbox") else ())
    trap = Trap(arguments, channel, journal, begun_s, Amended(program, events, read))
    expect(journal, arguments, begun_s, trap.last)
    when_imported(trap.changes.by_module())
    return _ran(program, trap)


class Amended:
    """Adds to an answer, once, what only this process knows, whichever process has made it.

    Args:
        program: What is run.
        events: What it did outside itself.
        read: Which files it has opened.
    """

    def __init__(self, program: Program, events: FileEvents, read: ReadFiles) -> None:
        self._program = program
        self._events = events
        self._read = read

    def __call__(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer with what was done before it, and with what has been imported and read of the user's own."""
        if "own_files" in answer:
            return answer
        captured = answer["model"]["captured"]
        captured["told"] = [*captured["told"], *self._events.told(), *self._program.told()]
        own_files = loaded_beside(Path(self._program.path))
        return {**answer, "own_files": own_files, "read_files": self._read.told()}


def _watched(model: dict[str, Any], sandbox: list[str] | None) -> FileEvents:
    """What the program does to files is seen from now on, and kept within its sandbox if it has one."""
    allowed = None if sandbox is None else [*sandbox, tempfile.gettempdir()]
    if allowed is not None:
        keep_inside([*allowed, "/dev"])
    return FileEvents(model.get("folder") or str(Path(model["path"]).parent), allowed)


def _ran(program: Program, trap: Trap) -> dict[str, Any]:
    """What is answered once the program has ended."""
    try:
        program.run(trap.loops.answer)
    except BaseException as error:
        answer = trap.finish(phrase("behind that the script ended with {error}", error=said_by(error)))
        if answer is None:
            _explain(error, trap)
            raise
        return answer
    answer = trap.finish()
    if answer is not None:
        return answer
    raise _no_training(program, trap)


def _explain(error: BaseException, trap: Trap) -> None:
    """Say what of us has made the program fail."""
    passed = len(trap.journal.trainings())
    if trap.kept_inside and type(error).__name__ in _REFUSED:
        raise JobFailed(
            "bad_model",
            phrase(
                "the script writes outside of its sandbox: {path}",
                path=getattr(error, "filename", None) or said_by(error),
            ),
            hint=phrase("a sandbox is a copy of the script's folder; leave --sandbox out to let it write there"),
        ) from error
    if passed and isinstance(error, Exception):
        raise JobFailed(
            "bad_model",
            phrase("the script failed behind training {passed}, which was only passed over", passed=passed),
            received=said_by(error),
            hint=phrase("--fit {passed} answers for the training before that", passed=passed),
        ) from error


def _no_training(program: Program, trap: Trap) -> BadModel:
    """Why there is no answer."""
    passed = trap.journal.trainings()
    if passed:
        return BadModel(
            phrase("the script trains less often than that"),
            expected=phrase("one of its trainings, from 1 to {last}", last=len(passed)),
            received=f"--fit {trap.wanted}",
        )
    replaced = trap.changes.replaced_by()
    if replaced is not None:
        return BadModel(
            phrase("the script trains by a function of its own in place of Keras's fit"),
            expected=phrase("a call of fit"),
            received=replaced,
            hint=phrase("name a function that returns the model: train.py:function"),
        )
    loop = trap.loops.found() or unreached_loop(program.source())
    if loop is not None:
        return loop
    return BadModel(
        phrase("the script ended without training a Keras model"),
        expected=phrase("a call of fit"),
        received=Path(program.path).name,
        hint=phrase("a function that returns a model is asked for as {path}:function", path=Path(program.path).name),
    )
