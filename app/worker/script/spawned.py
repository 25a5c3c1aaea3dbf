"""Pythons that the program starts, by ``multiprocessing`` or as a command of its own: their ``fit`` answers too.

Each of them finds our ``sitecustomize`` before all others (docs of `site`), and waits with its answer in the journal
until the worker has sent it and ends everything.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import app
from app.core.types.messages import Done, Failed
from app.core.types.text import to_plain
from app.worker.script.imports import when_imported
from app.worker.script.journal import Journal

_POLL_S = 0.05
_FIRST_OF_KERAS = "keras.src.backend.config"
"""Imported before anything that we change."""
_SITECUSTOMIZE = """\
import importlib.util, sys
sys.path[:] = [place for place in sys.path if place != {journal!r}]
ours = sys.modules.pop("sitecustomize")
try:
    import sitecustomize
except ImportError:
    pass
sys.modules["sitecustomize"] = ours
spec = importlib.util.spec_from_file_location("app", {app!r} + "/__init__.py", submodule_search_locations=[{app!r}])
sys.modules["app"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from app.worker.script.spawned import join
join({journal!r})
"""


def expect(journal: Journal, arguments: dict[str, Any], begun_s: float, on_last: Callable[[Any], None]) -> None:
    """Let every Python that this process starts from now on come to its ``fit``, and hear of the first that does.

    Args:
        journal: Of this program.
        arguments: Of the job.
        begun_s: When the program began, by `time.perf_counter`.
        on_last: Called in a thread with the last word of another process.
    """
    journal.write("request", {"arguments": arguments, "begun_s": begun_s})
    made = _SITECUSTOMIZE.format(journal=journal.folder, app=os.path.dirname(os.path.abspath(app.__file__)))
    journal.keep_text("sitecustomize.py", made)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([journal.folder, *([before] if before else [])])
    for name in ("execv", "execve"):
        setattr(os, name, _instead_of_exec)
    threading.Thread(target=_listen, args=(journal, on_last), name="spawned", daemon=True).start()


def join(folder: str) -> None:
    """In a Python that the program has started: wait for Keras, and stand in place of its ``fit``."""

    def changed(config: Any) -> None:
        from app.worker.script.trap import Trap

        journal = Journal(folder)
        asked = journal.read("request")
        trap = Trap(asked["arguments"], Relay(journal), journal=journal, begun_s=asked["begun_s"])
        changes = dict(trap.changes.by_module())
        changes.pop(_FIRST_OF_KERAS)(config)
        when_imported(changes)

    when_imported({_FIRST_OF_KERAS: changed})


def _instead_of_exec(path: Any, words: Any, variables: Any = None) -> NoReturn:
    """Run another program and leave with its code: one that took this process's place could answer to nobody."""
    raise SystemExit(subprocess.call(list(words), executable=path, env=variables))


class Relay:
    """Stands for the channel to the parent in a process that has none: leaves the last word in the journal.

    Args:
        journal: That of the program.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def phase(self, name: str) -> None:
        """Nobody hears of phases."""

    def progress(self, fraction: float, text: str = "") -> None:
        """Nor of progress."""

    def end(self, message: Done | Failed) -> None:
        """Leave the last word and wait for the end, which the worker brings; nothing goes back to the program."""
        body = {field.name: to_plain(getattr(message, field.name)) for field in dataclasses.fields(message)}
        self._journal.write("last", {"done": isinstance(message, Done), "body": body})
        while True:
            time.sleep(_POLL_S)


def _listen(journal: Journal, on_last: Callable[[Any], None]) -> None:
    """In the worker: wait for another process's last word."""
    while not journal.has("last"):
        time.sleep(_POLL_S)
    found = journal.read("last")
    on_last((Done if found["done"] else Failed)(**found["body"]))
