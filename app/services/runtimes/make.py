"""Make a Python environment for training: a virtual environment in the user's data folder, filled by pip.

For a program that carries no framework.  It is made beside the one that is there, and takes its place only once
everything in it is installed and TensorFlow has answered from it; a cancelled or failed attempt is removed, what a
killed one left goes with the next.  Needs the network, and is never begun unless the user asks.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.core.types.errors import Cancelled, WorkerFailed
from app.core.types.machine import Interpreter
from app.core.types.text import phrase, verbatim
from app.core.types.units import MIB, format_number
from app.services.child.worker_process import run_worker
from app.services.datasets.scan import Report
from app.services.file_lock import file_lock
from app.services.machine.doctor import ask_interpreter
from app.services.runtimes.command import run_command
from app.services.runtimes.find import python_of, set_aside, settle
from app.services.runtimes.recipe import Recipe, pip_command, venv_command
from app.services.whole_write import cannot_write

PIP = "pip>=24.1"
"""The first with ``--progress-bar raw``, which says how far a download is."""
_MAKE, _FETCH, _UNPACK = 0.03, 0.85, 0.97
"""Where on the progress bar a part of the work ends."""

Ask = Callable[[str], Interpreter]


def make_and_ask(recipe: Recipe, report: Report, cancel: threading.Event) -> Path:
    """Make the environment, and let a child of its Python import TensorFlow; see `make_runtime`."""
    return make_runtime(recipe, partial(ask_interpreter, partial(run_worker, cancel=cancel)), report, cancel)


def make_runtime(recipe: Recipe, ask: Ask, report: Report, cancel: threading.Event) -> Path:
    """Make the environment, prove it, and let it take the place of an older one.

    Args:
        recipe: From `plan_runtime`.
        ask: Asks an interpreter for its frameworks by importing them (`app.services.machine.doctor.ask_interpreter`).
        report: Called with (share done, words).
        cancel: Ends it within a second; what was made so far is removed, and the older one works on.

    Returns:
        The environment's Python.

    Raises:
        Cancelled: The user cancelled.
        WorkerFailed: A step failed; its last lines are in the error.
        StoreError: The folder cannot be written, or the older environment not be moved.
    """

    def wait() -> None:
        report(None, phrase("waiting: another window makes an environment"))
        if cancel.is_set():
            raise Cancelled(verbatim("cancelled"))

    new = recipe.folder.with_name(recipe.folder.name + ".new")
    try:
        with file_lock(recipe.folder, wait):
            settle(recipe.folder)
            try:
                _fill(replace(recipe, folder=new), ask, report, cancel)
                _take_place(new, recipe.folder)
            finally:
                shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise cannot_write(recipe.folder, error, own=True) from error
    report(1.0, "ready")
    return python_of(recipe.folder)


def _fill(recipe: Recipe, ask: Ask, report: Report, cancel: threading.Event) -> None:
    """Make an environment, install into it, and let its TensorFlow answer."""
    python = python_of(recipe.folder)
    shutil.rmtree(recipe.folder, ignore_errors=True)
    report(0.0, phrase("making the environment"))
    run_command(venv_command(recipe), phrase("the environment could not be made"), lambda _line: None, cancel)
    pip = [*pip_command(python), "install", "--disable-pip-version-check", "--no-input", *recipe.pip_options]
    if recipe.renew_pip:
        run_command([*pip, "--quiet", "--upgrade", PIP], "pip could not be renewed", lambda _line: None, cancel)
    report(_MAKE, phrase("looking up packages"))
    bar = DownloadBar(recipe.fetched_bytes, report)
    newest = recipe.renew_pip or recipe.uv is not None
    install = [*pip, "--progress-bar", "raw" if newest else "off", *recipe.requirements]
    run_command(install, phrase("not everything could be installed"), bar.on_line, cancel)
    report(_UNPACK, phrase("asking TensorFlow"))
    found = ask(str(python))
    if found.framework("tensorflow") is None:
        problem = found.problem or next((f.problem for f in found.frameworks if f.problem), None)
        raise WorkerFailed(phrase("TensorFlow was installed but does not run"), received=problem or phrase("no answer"))
    if cancel.is_set():
        raise Cancelled(verbatim("cancelled"))


def _take_place(new: Path, folder: Path) -> None:
    """Swap; who starts between the two names finds the old environment again by `settle`."""
    for script in python_of(new).parent.iterdir():  # such as pip, whose first line names the environment's Python
        content = b"" if script.is_symlink() or script.suffix == ".exe" else script.read_bytes()
        if os.fsencode(new) in content:
            script.write_bytes(content.replace(os.fsencode(new), os.fsencode(folder)))
    if folder.exists():
        folder.rename(set_aside(folder))
    try:
        new.rename(folder)
    finally:
        settle(folder)


class DownloadBar:
    """Turns pip's lines into a share of the whole and words."""

    def __init__(self, expected_bytes: int, report: Report) -> None:
        self._expected_bytes = expected_bytes
        self._report = report
        self._before = 0
        self._now = 0
        self._what = "packages"

    def on_line(self, line: str) -> None:
        """Take a line of pip."""
        started = re.match(r"\s*Downloading (?:\S*/)?([A-Za-z0-9_.]+?)-\d", line)
        running = re.match(r"Progress (\d+) of (\d+)", line)
        if started:
            self._before, self._now, self._what = self._before + self._now, 0, started.group(1)
        elif running:
            self._now = int(running.group(1))
        elif line.startswith("Installing collected packages"):
            self._report(_FETCH, "unpacking")
            return
        else:
            return
        done = self._before + self._now
        share = min(1.0, done / self._expected_bytes)
        self._report(
            _MAKE + (_FETCH - _MAKE) * share,
            phrase("fetching {what} · {done} MiB", what=self._what, done=format_number(done / MIB, ".0f")),
        )
