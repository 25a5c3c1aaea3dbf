"""What an exception in the child means to the user.

Decided by the exception's *type*; frameworks are looked up in ``sys.modules``, never imported here.  The
one text that is read is TensorFlow's "Dst tensor is not initialized", an `InternalError` that stands for
a card without memory for the batch (tensorflow/core/common_runtime/gpu/gpu_util.cc).
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

from app.core.errors import (
    BadDataset,
    Cancelled,
    InvalidWorkload,
    MachineUnavailable,
    WillItTrainError,
)
from app.core.messages import Failed
from app.core.oom_text import requested_bytes
from app.worker.channel import JobCancelled, JobFailed

OUT_OF_MEMORY_HINT = "try a smaller batch; `willittrain advise` lists what else would help"
_FRAMEWORKS = ("tensorflow", "keras", "numpy", "keras_hub", "jax", "torch")
_MESSAGE_LIMIT = 2000


def describe_failure(error: BaseException, *, phase: str | None, arguments: dict[str, Any]) -> Failed:
    """Turn what a job raised into the message that ends it."""
    if isinstance(error, JobFailed):
        fields = {"phase": phase, **error.fields}
        return JobFailed(error.kind, str(error), **fields).as_message()
    if isinstance(error, JobCancelled):
        return Failed("cancelled", "cancelled", phase=phase)
    where = user_location(error, arguments)
    if isinstance(error, WillItTrainError):
        return Failed(
            _kind(error), error.message, hint=error.hint, phase=phase, where=where,
            expected=error.expected, received=error.received,
        )  # fmt: skip
    if is_out_of_memory(error):
        text = first_line(error) or "out of memory"
        needed = requested_bytes(str(error))
        return Failed("out_of_memory", text, hint=OUT_OF_MEMORY_HINT, phase=phase, where=where, needed_bytes=needed)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _FRAMEWORKS:
        hint = f"install {error.name} for {sys.executable}"
        return Failed("missing", f"{error.name} is not installed", hint=hint, phase=phase)
    if where is not None:
        return Failed("bad_model", _text(error), hint=f"the error comes from {where}", phase=phase, where=where)
    return Failed("error", _text(error), phase=phase)


def is_out_of_memory(error: BaseException) -> bool:
    """Did the host or the device run out of memory?"""
    if isinstance(error, MemoryError):
        return True
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        if isinstance(error, tensorflow.errors.ResourceExhaustedError):
            return True
        if isinstance(error, tensorflow.errors.InternalError):
            return "Dst tensor is not initialized" in str(error)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(error, torch.OutOfMemoryError):
        return True
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(error, jax.errors.JaxRuntimeError) and "RESOURCE_EXHAUSTED" in str(error)


def user_location(error: BaseException, arguments: dict[str, Any]) -> str | None:
    """``file:line`` of the innermost frame in the user's own model or data file, if there is one."""
    files = {
        os.path.realpath(path)
        for part in ("model", "dataset")
        if isinstance(described := arguments.get(part), dict)
        and isinstance(path := described.get("path"), str)
        and path.endswith(".py")
    }
    if isinstance(error, SyntaxError) and error.filename and os.path.realpath(error.filename) in files:
        return f"{error.filename}:{error.lineno}"
    found = None
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.realpath(frame.filename) in files:
            found = f"{frame.filename}:{frame.lineno}"
    return found


def first_line(error: BaseException) -> str:
    """The first line of the exception's text that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:_MESSAGE_LIMIT] if lines else ""


def _text(error: BaseException) -> str:
    """Type and text of an exception, bounded."""
    return f"{type(error).__name__}: {error}"[:_MESSAGE_LIMIT].rstrip(": ")


def _kind(error: WillItTrainError) -> str:
    """The message's kind for an error of ours."""
    if isinstance(error, BadDataset):
        return "bad_dataset"
    if isinstance(error, InvalidWorkload):
        return "bad_model"
    if isinstance(error, MachineUnavailable):
        return "missing"
    return "cancelled" if isinstance(error, Cancelled) else "error"
