"""Machine, frameworks of each interpreter, and which card each framework can use.

Every interpreter is asked in a child of its own.  One that does not exist, is too old for our worker or
crashes gets an entry that says so; it never hides the others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import msgspec

from app.catalog import typed_json
from app.core.gpu_support.support import gpu_support
from app.core.types.backends import BACKENDS
from app.core.types.errors import Cancelled
from app.core.types.faults import outcome_of
from app.core.types.machine import DeviceProbe, FrameworkBuild, GpuSupport, Interpreter, Machine
from app.core.types.messages import Done, Failed, Request
from app.core.types.text import phrase, verbatim
from app.core.types.track_record import TrackRecord
from app.services.child.child_options import ChildOptions
from app.services.child.start_place import found_program

TIMEOUT_S = 120.0
"""Importing a framework from a cold or network disk can take a minute."""

FRAMEWORKS = (*BACKENDS, "keras")


class RunWorker(Protocol):
    """What `app.services.child.worker_process.run_worker` can do, as far as it is needed here."""

    def __call__(self, request: Request, options: ChildOptions) -> Done | Failed:
        """Run a job in a child and give its terminal message."""
        ...


@dataclass(frozen=True)
class Doctor:
    """The answer of ``willittrain doctor``.

    ``support`` has one entry per interpreter, card and framework; ``probes`` one per device of which tiny steps
    have told something.
    """

    machine: Machine
    interpreters: tuple[Interpreter, ...] = ()
    support: tuple[GpuSupport, ...] = ()
    probes: tuple[DeviceProbe, ...] = ()
    track_record: TrackRecord | None = None
    schema: int = 1


def examine(run_worker: RunWorker, interpreters: Sequence[str], machine: Machine) -> Doctor:
    """Ask each interpreter and judge each card.

    Args:
        run_worker: Starts the children.
        interpreters: Paths or command names; empty for this program's own interpreter.
        machine: The machine with its cards.

    Raises:
        Cancelled: A child was ended because the user wants no answer any more.
    """
    asked: Sequence[str | None] = tuple(dict.fromkeys(interpreters)) or (None,)
    found = tuple(ask_interpreter(run_worker, interpreter) for interpreter in asked)
    support = tuple(entry for interpreter in found for entry in gpu_support(machine, interpreter))
    return Doctor(machine, found, support)


def ask_interpreter(run_worker: RunWorker, interpreter: str | None) -> Interpreter:
    """Ask one interpreter for its frameworks; None is this program's own.

    If the child crashes, each framework is asked in a child of its own, to tell which one it was.
    """
    path = interpreter or sys.executable
    if interpreter is not None and found_program(interpreter) is None:
        return Interpreter(path, problem=phrase("there is no interpreter at {interpreter}", interpreter=interpreter))
    answer = _answer(run_worker(Request("frameworks"), ChildOptions(interpreter=interpreter, timeout_s=TIMEOUT_S)))
    if isinstance(answer, Failed) and outcome_of(answer.kind) in ("crashed", "out_of_memory"):
        return _ask_one_by_one(run_worker, interpreter, path, answer)
    return _decode(answer, path)


def _ask_one_by_one(run_worker: RunWorker, interpreter: str | None, path: str, crash: Failed) -> Interpreter:
    """A child per framework; the first that crashes even alone with nothing to import is the interpreter's fault."""
    together = Interpreter(path)
    answered = False
    for name in FRAMEWORKS:
        request = Request("frameworks", {"frameworks": [name]})
        answer = _answer(run_worker(request, ChildOptions(interpreter=interpreter, timeout_s=TIMEOUT_S)))
        if isinstance(answer, Failed) and answer.phase is None:
            break  # it did not come as far as an import
        if isinstance(answer, Failed):
            builds: tuple[FrameworkBuild, ...] = (FrameworkBuild(name, "", problem=verbatim(_in_words(answer))),)
        else:
            part = _decode(answer, path)
            builds, answered = part.frameworks, True
            together = replace(together, python_version=part.python_version, environment=part.environment)
        together = replace(together, frameworks=together.frameworks + builds)
    return together if answered else Interpreter(path, problem=verbatim(_in_words(crash)))


def _answer(ended: Done | Failed) -> Done | Failed:
    """What a child said, unless the user did not let it speak."""
    if isinstance(ended, Failed) and ended.kind == "cancelled":
        raise Cancelled(ended.message)
    return ended


def _decode(answer: Done | Failed, path: str) -> Interpreter:
    """Turn a terminal message into an interpreter under the name by which the user knows it."""
    if isinstance(answer, Failed):
        return Interpreter(path, problem=verbatim(_in_words(answer)))
    try:
        found = typed_json.convert(answer.result, Interpreter)
    except msgspec.ValidationError as error:
        return Interpreter(path, problem=phrase("the interpreter's answer cannot be read: {error}", error=error))
    return replace(found, path=path)


def _in_words(failed: Failed) -> str:
    """Message and hint in one line."""
    return f"{failed.message}; {failed.hint}" if failed.hint else failed.message
