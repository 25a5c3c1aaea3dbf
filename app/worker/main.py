"""The child process: one request in, any number of messages, exactly one terminal message out.

The process ends when its parent does: the pipe to it closes, and Linux sends a signal besides.  It ends
without a framework's tear-down (`os._exit`), which can take seconds or hang and has nothing left to save.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from types import FrameType
from typing import NoReturn

from app.core.messages import Done, Failed, Request
from app.worker.channel import Channel, JobCancelled, ProtocolError
from app.worker.failures import describe_failure

JOBS: Mapping[str, str] = {
    "trace": "app.worker.trace:run",
    "bench": "app.worker.benchmark:run",
    "rates": "app.worker.rates:run",
    "calibrate": "app.worker.calibrate:run",
    "frameworks": "app.worker.frameworks:run",
    "refine": "app.worker.refine:run",
}
"""Job name to ``module:function``, imported when asked for."""

_OOM_SCORE = 800
_PR_SET_PDEATHSIG = 1


def main(jobs: Mapping[str, str] = JOBS) -> NoReturn:
    """Serve one request on standard input and output, then end the process."""
    channel = Channel.claim()
    _die_with_parent()
    _offer_to_the_memory_killer()
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
        channel.end(Failed("error", str(error), hint="parent and child must be of the same version"))
        return 2
    threading.Thread(target=_watch_parent, args=(channel,), name="parent-watch", daemon=True).start()
    signal.signal(signal.SIGTERM, _raise_cancelled)
    _end(channel, run_job(request, channel, jobs))
    return 0


def run_job(request: Request, channel: Channel, jobs: Mapping[str, str]) -> Done | Failed:
    """Run one job; whatever it raises becomes a `Failed`."""
    if request.job not in jobs:
        return Failed("error", "unknown job", expected=", ".join(jobs), received=repr(request.job))
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
        channel.end(Failed("error", f"the result cannot be sent: {error}", phase=channel.current_phase))


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


def _die_with_parent() -> None:
    """Let Linux kill this process when the parent dies, even while C code holds the interpreter.

    The kernel means the *thread* that started us; it waits for our end (`run_worker`), so that is the same.
    """
    if sys.platform.startswith("linux"):
        _signal_at_parents_death(signal.SIGKILL)
        if os.getpgrp() == os.getpid():
            _leave_a_warden()


def _leave_a_warden() -> None:
    """Fork a process that sleeps until this one dies, however it dies, and then ends all that it started."""
    worker = os.getpid()
    if os.fork():
        return
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        _signal_at_parents_death(signal.SIGUSR1)
        os.closerange(0, os.sysconf("SC_OPEN_MAX"))
        if os.getppid() == worker:
            signal.sigwait({signal.SIGUSR1})
        os.killpg(worker, signal.SIGKILL)
    finally:
        os._exit(0)


def _signal_at_parents_death(number: int) -> None:
    """Ask Linux for a signal when the parent dies (prctl(2), PR_SET_PDEATHSIG)."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def _offer_to_the_memory_killer() -> None:
    """When memory runs out, Linux shall end this process and not the desktop."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(str(_OOM_SCORE))


def _leave(code: int) -> NoReturn:
    """End the process at once."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
