"""The child process: one request in, any number of messages, exactly one terminal message out.

The process ends when its parent does: the pipe to it closes, and on Linux the guard between both ends it besides.  It
ends without a framework's tear-down (`os._exit`), which can take seconds or hang and has nothing left to save.
"""

from __future__ import annotations

import contextlib
import dataclasses
import faulthandler
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from types import FrameType
from typing import NoReturn

from app.core.types.messages import Done, Failed, Request
from app.core.types.text import join, phrase, verbatim
from app.worker.channel import Channel, JobCancelled, ProtocolError
from app.worker.failures import describe_failure

JOBS: Mapping[str, str] = {
    "trace": "app.worker.own_files:run",
    "script": "app.worker.script.run:run",
    "bench": "app.worker.benchmark.run:run",
    "rates": "app.worker.rates.measure:run",
    "calibrate": "app.worker.rates.calibrate:run",
    "frameworks": "app.worker.backends.frameworks:run",
    "refine": "app.worker.refining.refine:run",
    "scan": "app.worker.scanning.scan:run",
    "whole": "app.worker.whole.run:run",
}
"""Job name to ``module:function``, imported when asked for."""


def main(jobs: Mapping[str, str] = JOBS) -> NoReturn:
    """Serve one request on standard input and output, then end the process."""
    channel = Channel.claim()
    _tell_where_it_crashed()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = 0
    try:
        code = _serve(channel, jobs)
    except BrokenPipeError:
        code = 1
    finally:
        _leave(code)


def _serve(channel: Channel, jobs: Mapping[str, str]) -> int:
    """Read the request, run its job and send the terminal message."""
    channel.hello()
    try:
        request = channel.read_request()
    except EOFError:
        return 1
    except ProtocolError as error:
        channel.end(Failed("error", verbatim(str(error)), hint=phrase("parent and child must be of the same version")))
        return 2
    threading.Thread(target=_watch_parent, args=(channel,), name="parent-watch", daemon=True).start()
    signal.signal(signal.SIGTERM, _raise_cancelled)
    _end(channel, run_job(request, channel, jobs))
    return 0


def run_job(request: Request, channel: Channel, jobs: Mapping[str, str]) -> Done | Failed:
    """Run one job; whatever it raises becomes a `Failed`."""
    if request.job not in jobs:
        return Failed("error", phrase("unknown job"), expected=join(", ", jobs), received=verbatim(repr(request.job)))
    try:
        module, _, function = jobs[request.job].partition(":")
        return Done(getattr(importlib.import_module(module), function)(request.arguments, channel))
    except BaseException as error:  # noqa: BLE001 - the child's outermost edge: user code may raise anything
        traceback.print_exc(file=sys.stderr)
        failed = describe_failure(error, phase=channel.current_phase, arguments=request.arguments)
        return dataclasses.replace(failed, partial=failed.partial or channel.partial)


def _end(channel: Channel, message: Done | Failed) -> None:
    """Send the terminal message; one that JSON cannot carry becomes a failure that says so."""
    try:
        channel.end(message)
    except (TypeError, ValueError) as error:
        channel.end(
            Failed("error", phrase("the result cannot be sent: {error}", error=error), phase=channel.current_phase)
        )


def _tell_where_it_crashed() -> None:
    """Write all stacks to standard error at a crash, and when the parent asks where it hangs (SIGUSR2)."""
    faulthandler.enable(file=2)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR2, file=2)


def _watch_parent(channel: Channel) -> None:
    """Obey the parent's lines; when it is gone, end this process and those it started."""
    channel.listen()
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _raise_cancelled(number: int, frame: FrameType | None) -> NoReturn:
    """SIGTERM ends the job like a cancel line; a second one ends the process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise JobCancelled


def _leave(code: int) -> NoReturn:
    """End the process at once."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
