"""Run a program that takes minutes, line by line, so that it can be cancelled at any moment."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import threading
from collections.abc import Callable
from typing import IO

from app.core.types.errors import Cancelled, WorkerFailed
from app.core.types.text import Text, phrase, verbatim
from app.services.child.guarded import start_guarded
from app.services.child.start_place import start_folder, without_relative_paths
from app.services.child.worker_endings import above_limit

_POLL_S = 0.1
_END_S = 1.0
"""How long the pipe of a killed program may take to close; a stray of its may hold it."""
_LAST_LINES = 8
_NETWORK = re.compile(r"name resolution|Failed to establish|unreachable|getaddrinfo|Read timed out|ConnectionError")


def run_command(command: list[str], failure: str, on_line: Callable[[str], None], cancel: threading.Event) -> None:
    """Run a command, passing its lines on, and end it with all it started if the user cancels.

    It runs in a folder of ours (`app.services.child.start_place`), so that paths in the command are absolute.

    Raises:
        Cancelled: The user cancelled.
        WorkerFailed: It cannot be started, or its exit code was not 0.
    """
    try:
        guarded = start_guarded(
            command,
            _environment(),
            start_folder(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        raise WorkerFailed(verbatim(failure), received=f"{command[0]}: {error.strerror or error}") from error
    said, lines = guarded.process.stdout, queue.SimpleQueue[str | None]()
    assert said is not None
    reader = threading.Thread(target=_read, args=(said, lines), name="pip-output", daemon=True)
    reader.start()
    told: list[str] = []
    try:
        while (line := _next(lines, cancel)) is not None:
            if line:
                on_line(line)
                told = [*told[1 - _LAST_LINES :], line] if not line.startswith("Progress ") else told
        code = guarded.process.wait()
    finally:
        guarded.end()
        reader.join(_END_S)
    if guarded.held_bytes is not None:
        ended = above_limit(guarded.held_bytes, guarded.limit_bytes)
        raise WorkerFailed(verbatim(failure), received=ended.message, hint=ended.hint)
    if code != 0:
        received = " / ".join(line.strip() for line in told[-3:])
        raise WorkerFailed(verbatim(failure), received=received, hint=_hint("\n".join(told)))


def _hint(told: str) -> Text:
    """What to do about what a program said last."""
    if "No space left" in told:
        place = phrase("set WILLITTRAIN_DATA_DIR to a folder that you may write")
        return phrase("free some space, or {place}", place=place)
    if _NETWORK.search(told):
        return phrase("connect this machine to the network and try again")
    return phrase("the last lines say more")


def _next(lines: queue.SimpleQueue[str | None], cancel: threading.Event) -> str | None:
    """The next line, "" if there is none yet, None at the end.

    Raises:
        Cancelled: The user cancelled.
    """
    if cancel.is_set():
        raise Cancelled(verbatim("cancelled"))
    try:
        return lines.get(timeout=_POLL_S)
    except queue.Empty:
        return ""


def _read(pipe: IO[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Pass a process's lines on, and None at the end."""
    with pipe:
        for raw in pipe:
            lines.put(raw.decode("utf-8", "replace").rstrip() or " ")
    lines.put(None)


def _environment() -> dict[str, str]:
    """Our environment with what pip may need (proxies, certificates), less what would redirect its Python."""
    ours = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**without_relative_paths(ours), "PYTHONIOENCODING": "utf-8"}
