"""What an exception in the child means to the user.

Decided by the exception's *type* first; frameworks are looked up in ``sys.modules``, never imported here.
Texts are read only of a framework's own errors, whose types are status codes with many causes each
(`app.core.runs.fault_text`).
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import Any

from app.core.runs.fault_text import framework_cause, torch_speaks
from app.core.runs.oom_text import requested_bytes
from app.core.types.errors import (
    BadDataset,
    Cancelled,
    InvalidWorkload,
    MachineUnavailable,
    NeedsConsent,
    WillItTrainError,
    WrongShape,
)
from app.core.types.faults import fault
from app.core.types.messages import Failed
from app.core.types.notebook import SUFFIX, place_of
from app.core.types.text import Text, phrase, verbatim
from app.worker.channel import JobCancelled, JobFailed
from app.worker.error_text import said_by
from app.worker.whose_file import is_installed

OUT_OF_MEMORY_HINT = fault("out_of_memory").hint
MEMORY_CAUSES = ("out_of_memory", "workspace", "host_memory")
_FRAMEWORKS = ("tensorflow", "keras", "numpy", "keras_hub", "jax", "torch")
_MADE_BY_AUTOGRAPH = "__autograph_generated_file"
_MESSAGE_LIMIT = 2000
_CALL = re.compile(r'^\s*File "(.+)", line (\d+), in (\S+)', re.MULTILINE)
_NODE = re.compile(r"^\{\{function_node [^}]*\}\} ")
_PREAMBLE = re.compile(r"Graph execution error|<stack traces|Detected at node|File \"|Traceback \(most recent")


def describe_failure(error: BaseException, *, phase: str | None, arguments: dict[str, Any]) -> Failed:
    """Turn what a job raised into the message that ends it."""
    if isinstance(error, JobFailed):
        below = error.__cause__
        where = user_location(below, arguments) if below is not None else None
        fields = {"phase": phase, "where": where, **error.fields}
        return JobFailed(error.kind, str(error), **fields).as_message()
    if isinstance(error, JobCancelled):
        return Failed("cancelled", verbatim("cancelled"), phase=phase)
    where = user_location(error, arguments)
    if isinstance(error, WillItTrainError):
        return Failed(
            _kind(error),
            error.message,
            hint=error.hint,
            phase=phase,
            where=where,
            expected=verbatim(error.expected),
            received=verbatim(error.received),
        )
    cause = cause_of(error)
    if cause in MEMORY_CAUSES:
        text = first_line(error) or phrase("out of memory")
        needed = requested_bytes(str(error))
        return Failed(cause, verbatim(text), hint=fault(cause).hint, phase=phase, where=where, needed_bytes=needed)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _FRAMEWORKS:
        missing = phrase("{error} is not installed", error=error.name)
        return Failed("missing", missing, hint=_ways_to_have((error.name or "").partition(".")[0]), phase=phase)
    if cause is not None:
        return Failed(cause, verbatim(_text(error)), hint=fault(cause).hint, phase=phase, where=where)
    if where is not None:
        kind = "bad_dataset" if _is_the_datas(error, arguments) else "bad_model"
        lacking = error.name if isinstance(error, ModuleNotFoundError) else None
        hint = _from_where(error, where)
        return Failed(kind, verbatim(_text(error)), hint=hint, phase=phase, where=where, missing_module=lacking)
    return Failed("error", verbatim(_text(error)), phase=phase)


def _from_where(error: BaseException, where: str) -> Text:
    """Where an error of the user's code comes from, and what may install a module that it lacks."""
    if not isinstance(error, ModuleNotFoundError) or not error.name or getattr(sys, "frozen", False):
        return phrase("the error comes from {where}", where=where)
    command = f"{sys.executable} -m pip install {error.name.partition('.')[0]}"
    return phrase(
        "the error comes from {where}; if its package has that name: `{command}`", where=where, command=command
    )


def _ways_to_have(module: str) -> Text:
    """Another Python that has a package, or the command that puts it into this one; a built program takes none."""
    if getattr(sys, "frozen", False):
        return phrase("a Python that has it is listed, or made, by `willittrain runtime`")
    command = f"{sys.executable} -m pip install {module.replace('_', '-')}"
    return phrase("`willittrain runtime` lists the Pythons that have it; into this one: `{command}`", command=command)


def is_out_of_memory(error: BaseException) -> bool:
    """Did the host or the device run out of memory?"""
    return cause_of(error) in MEMORY_CAUSES


def cause_of(error: BaseException) -> str | None:
    """The kind of problem that an error of Python's or a framework's own types stands for; None for any other."""
    if isinstance(error, MemoryError):
        return "host_memory"
    if isinstance(error, _types("tensorflow", "errors.ResourceExhaustedError") + _torch_ran_out()):
        return "out_of_memory"
    if isinstance(error, _types("tensorflow", "errors.OpError") + _types("jax", "errors.JaxRuntimeError")):
        unimplemented = isinstance(error, _types("tensorflow", "errors.UnimplementedError"))
        unimplemented = unimplemented or str(error).startswith("UNIMPLEMENTED")  # JAX has one type for every status
        return framework_cause(str(error)) or ("missing_op" if unimplemented else None)
    if isinstance(error, RuntimeError) and "torch" in sys.modules:
        uncompiled = isinstance(error, _types("torch._dynamo.exc", "TorchDynamoException"))
        told = framework_cause(str(error)) if uncompiled or torch_speaks(str(error)) else None
        return told or ("compile_failed" if uncompiled else None)
    return None


def _torch_ran_out() -> tuple[type[BaseException], ...]:
    """PyTorch's type for a card without memory, under its newer and its older name."""
    return _types("torch", "OutOfMemoryError") + _types("torch", "cuda.OutOfMemoryError")


def _types(module: str, name: str) -> tuple[type[BaseException], ...]:
    """A framework's exception type, if its module is loaded and has it."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return () if found is None else (found,)


def user_location(error: BaseException, arguments: dict[str, Any]) -> str | None:
    """``file:line`` of the innermost frame in the user's own code, imported modules included, if there is one."""
    files = _files(arguments, "model") | _files(arguments, "dataset")
    behind: BaseException | None = error
    while files and behind is not None:
        if isinstance(behind, SyntaxError) and behind.filename and _is_the_users(behind.filename, files):
            return place(behind.filename, behind.lineno)
        mine = [place(file, line) for file, line, _ in _calls(behind) if _is_the_users(file, files)]
        if mine:
            return mine[-1]
        behind = behind.__cause__ or (None if behind.__suppress_context__ else behind.__context__)
    return None


def place(name: str, line: int | None) -> str:
    """A line of a file, or of a notebook's cell."""
    file, cell = place_of(name)
    return f"{name}:{line}" if cell is None else f"{file}, cell {cell}, line {line}"


def _is_the_users(file: str, named: set[str]) -> bool:
    """Is a file one that the request names, or another one that nobody has installed?"""
    path = os.path.realpath(place_of(file)[0] or file)
    made = os.path.basename(path).startswith(_MADE_BY_AUTOGRAPH)
    return path in named or (os.path.isfile(path) and not made and not is_installed(path))


def _is_the_datas(error: BaseException, arguments: dict[str, Any]) -> bool:
    """Does the error come from the user's data file; or from the data's function, if the model is in the same file?"""
    files, models = _files(arguments, "dataset"), _files(arguments, "model")
    described = arguments.get("dataset")
    function = described.get("function") if isinstance(described, dict) else None
    mine = [name for file, _, name in _calls(error) if os.path.realpath(file) in files]
    return bool(mine) and (files != models or function in mine)


def _files(arguments: dict[str, Any], part: str) -> set[str]:
    """The user's own Python file of a part of the request."""
    described = arguments.get(part)
    path = described.get("path") if isinstance(described, dict) else None
    return {os.path.realpath(path)} if isinstance(path, str) and path.endswith((".py", SUFFIX)) else set()


def _calls(error: BaseException) -> list[tuple[str, int, str]]:
    """File, line and function of each call, outermost first."""
    calls = [(frame.filename, frame.lineno or 0, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    # An error of an operation, or of AutoGraph, brings the calls of user code below it along as text.
    operation = isinstance(error, _types("tensorflow", "errors.OpError")) or "in user code:" in str(error)
    return calls + [(c[1], int(c[2]), c[3]) for c in _CALL.finditer(str(error))] if operation else calls


def first_line(error: BaseException) -> str:
    """The first line of the exception's text that says something; of a graph's error that is below its calls."""
    lines = [line.strip() for line in said_by(error).splitlines() if line.strip()]
    telling = [line for line in lines if not _PREAMBLE.match(line)] if _from_graph(error) else []
    return _NODE.sub("", (telling or lines or [""])[0])[:_MESSAGE_LIMIT]


def _from_graph(error: BaseException) -> bool:
    """Was it raised while TensorFlow executed a graph?"""
    return str(error).startswith("Graph execution error") and isinstance(error, _types("tensorflow", "errors.OpError"))


def _text(error: BaseException) -> str:
    """Type and text of an exception, bounded."""
    said = first_line(error) if isinstance(error, _types("tensorflow", "errors.OpError")) else said_by(error)
    return f"{type(error).__name__}: {said}"[:_MESSAGE_LIMIT].rstrip(": ")


def _kind(error: WillItTrainError) -> str:
    """The message's kind for an error of ours."""
    if isinstance(error, WrongShape):
        return "data_shape"
    if isinstance(error, BadDataset):
        return "bad_dataset"
    if isinstance(error, NeedsConsent):
        return "needs_consent"
    if isinstance(error, InvalidWorkload):
        return "bad_model"
    if isinstance(error, MachineUnavailable):
        return "missing"
    return "cancelled" if isinstance(error, Cancelled) else "error"
