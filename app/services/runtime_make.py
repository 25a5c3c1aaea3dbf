"""Make a Python environment for training: a virtual environment in the user's data folder, filled by pip.

For a program that carries no framework.  The environment counts only once everything in it is installed and
TensorFlow has answered from it; a cancelled or failed attempt is removed.  Needs the network, and is never begun
unless the user asks.
"""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

from app.core.errors import Cancelled, MachineUnavailable, WorkerFailed
from app.core.machine import Interpreter
from app.core.units import GIB, MIB
from app.services.child.child_tree import kill_tree
from app.services.child.worker_process import run_worker
from app.services.datasets.images import Report
from app.services.doctor import ask_interpreter
from app.services.runtimes import Answer, answer_of, elsewhere, made_folder, python_of
from app.services.settings import Settings

SUPPORTED = ((3, 13), (3, 12), (3, 11))
"""Versions of Python for which the newest TensorFlow that we take is built, newest first."""
PIP = "pip>=24.1"
"""The first with ``--progress-bar raw``, which says how far a download is."""
NEEDED_BYTES = {"tensorflow": 3 * GIB, "cuda": 9 * GIB}
"""Free space on disk, with the download beside the unpacked packages (2.1 GiB are left without CUDA)."""
FETCHED_BYTES = {"tensorflow": 700 * MIB, "cuda": 3 * GIB}
"""About what is downloaded; only the progress bar depends on it."""
_MAKE, _FETCH, _UNPACK = 0.03, 0.85, 0.97
"""Where on the progress bar a part of the work ends."""
_POLL_S = 0.1
_END_S = 1.0
"""How long the pipe of a killed program may take to close; a stray of its may hold it."""
_LAST_LINES = 8
_NETWORK = re.compile(r"name resolution|Failed to establish|unreachable|getaddrinfo|Read timed out|ConnectionError")
_NO_PYTHON = {
    "linux": "install one, for example with `sudo apt install python3 python3-venv`, or install uv and try again",
    "darwin": "install one from python.org or with `brew install python@3.12`, or install uv and try again",
    "win32": "install one from python.org or with `winget install Python.Python.3.12`, or install uv and try again",
}

Ask = Callable[[str], Interpreter]


@dataclass(frozen=True)
class Recipe:
    """What to install, and with which Python."""

    folder: Path
    requirements: tuple[str, ...]
    base: str | None = None
    """A Python with ``venv`` and ``ensurepip``; None to let ``uv`` fetch one."""
    uv: str | None = None
    fetched_bytes: int = FETCHED_BYTES["tensorflow"]
    renew_pip: bool = True
    """Get a pip that tells how far a download is; the one that comes with a Python may be years old."""
    pip_options: tuple[str, ...] = ()


def requirements_of(extra: str, declared: Sequence[str] | None = None) -> tuple[str, ...]:
    """What an extra of this program asks for, as pyproject.toml says it.

    Args:
        extra: Such as ``tensorflow``.
        declared: Requirements with markers; by default those of the installed program.

    Raises:
        MachineUnavailable: The program runs from a folder in which it was not installed.
    """
    if declared is None:
        try:
            declared = metadata.requires("willittrain") or ()
        except metadata.PackageNotFoundError:
            raise MachineUnavailable(
                "this program is not installed, so that it does not know what training needs",
                hint="start it by `python3 packaging/launch.py`, or install it with pip",
            ) from None
    marked = re.compile(rf"""extra\s*==\s*['"]{re.escape(extra)}['"]""")
    return tuple(line.partition(";")[0].strip() for line in declared if marked.search(line))


def extras_for(nvidia_driver: str | None, *, hub: bool = False, system: str = sys.platform) -> tuple[str, ...]:
    """Which extras suit a machine: NVIDIA's libraries come as packages for Linux only."""
    framework = "cuda" if nvidia_driver is not None and system == "linux" else "tensorflow"
    return (framework, "hub") if hub else (framework,)


def plan_runtime(settings: Settings, extras: Sequence[str]) -> Recipe:
    """Decide how the environment is made.

    Args:
        settings: In whose data folder.
        extras: ``tensorflow`` or ``cuda``, and others of this program's besides.

    Raises:
        MachineUnavailable: No suitable Python, too little room on disk, or this system has no TensorFlow.
    """
    folder = made_folder(settings)
    _check_room(folder, max(NEEDED_BYTES.get(extra, 0) for extra in extras))
    requirements = tuple(dict.fromkeys(line for extra in extras for line in requirements_of(extra)))
    base, uv = find_base(), shutil.which("uv")
    if base is None and uv is None:
        versions = ", ".join("{}.{}".format(*version) for version in reversed(SUPPORTED))
        raise MachineUnavailable(
            "there is no Python on this machine from which to make an environment",
            expected=f"Python {versions}, 64 bits, with its venv module", received="none was found",
            hint=_NO_PYTHON.get(sys.platform, _NO_PYTHON["linux"]),
        )  # fmt: skip
    fetched = max(FETCHED_BYTES.get(extra, 0) for extra in extras)
    return Recipe(folder, requirements, base, None if base else uv, fetched, renew_pip=base is not None)


def find_base(others: Iterable[tuple[str, str]] | None = None) -> str | None:
    """A Python that can make environments in which TensorFlow runs: this program's own, or the first other one.

    Args:
        others: Where it was found, and its path; by default what `app.services.runtimes.elsewhere` finds.
    """
    own = [] if getattr(sys, "frozen", False) else [sys.executable]
    for path in dict.fromkeys([*own, *(path for _, path in (elsewhere() if others is None else others))]):
        answer = answer_of(path)
        if isinstance(answer, Answer) and can_make(answer):
            return answer.path
    return None


def can_make(answer: Answer) -> bool:
    """Has a Python the right version, 64 bits, and the modules that make environments?"""
    version = tuple(int(part) for part in answer.version.split(".")[:2])
    return version in SUPPORTED and answer.bits == 64 and {"venv", "ensurepip"} <= set(answer.parts)


def make_and_ask(recipe: Recipe, report: Report, cancel: threading.Event) -> Path:
    """Make the environment, and let a child of its Python import TensorFlow; see `make_runtime`."""
    return make_runtime(recipe, partial(ask_interpreter, partial(run_worker, cancel=cancel)), report, cancel)


def make_runtime(recipe: Recipe, ask: Ask, report: Report, cancel: threading.Event) -> Path:
    """Make the environment and prove it.

    Args:
        recipe: From `plan_runtime`.
        ask: Asks an interpreter for its frameworks by importing them (`app.services.doctor.ask_interpreter`).
        report: Called with (share done, words).
        cancel: Ends it within a second; what was made so far is removed.

    Returns:
        The environment's Python.

    Raises:
        Cancelled: The user cancelled.
        WorkerFailed: A step failed; its last lines are in the error.
    """
    python = python_of(recipe.folder)
    shutil.rmtree(recipe.folder, ignore_errors=True)
    try:
        report(0.0, "making the environment")
        _run(_venv_command(recipe), "the environment could not be made", lambda _line: None, cancel)
        pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *recipe.pip_options]
        if recipe.renew_pip:
            _run([*pip, "--quiet", "--upgrade", PIP], "pip could not be renewed", lambda _line: None, cancel)
        report(_MAKE, "looking up packages")
        bar = DownloadBar(recipe.fetched_bytes, report)
        newest = recipe.renew_pip or recipe.uv is not None
        install = [*pip, "--progress-bar", "raw" if newest else "off", *recipe.requirements]
        _run(install, "not everything could be installed", bar.on_line, cancel)
        report(_UNPACK, "asking TensorFlow")
        found = ask(str(python))
        if found.framework("tensorflow") is None:
            problem = found.problem or next((f.problem for f in found.frameworks if f.problem), None)
            raise WorkerFailed("TensorFlow was installed but does not run", received=problem or "no answer")
        if cancel.is_set():
            raise Cancelled("cancelled")
    except BaseException:
        shutil.rmtree(recipe.folder, ignore_errors=True)
        raise
    report(1.0, "ready")
    return python


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
        self._report(_MAKE + (_FETCH - _MAKE) * share, f"fetching {self._what} · {done / MIB:.0f} MiB")


def _venv_command(recipe: Recipe) -> list[str]:
    """The command that makes the empty environment."""
    if recipe.base is not None:
        return [recipe.base, "-m", "venv", "--clear", str(recipe.folder)]
    assert recipe.uv is not None
    return [recipe.uv, "venv", "--seed", "--python", "{}.{}".format(*SUPPORTED[1]), str(recipe.folder)]


def _run(command: list[str], failure: str, on_line: Callable[[str], None], cancel: threading.Event) -> None:
    """Run a command, passing its lines on, and end it with all it started if the user cancels.

    Raises:
        Cancelled: The user cancelled.
        WorkerFailed: It cannot be started, or its exit code was not 0.
    """
    try:
        process = subprocess.Popen(
            command, env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=sys.platform != "win32", creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
    except OSError as error:
        raise WorkerFailed(failure, received=f"{command[0]}: {error.strerror or error}") from error
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process, lines), name="pip-output", daemon=True)
    reader.start()
    told: list[str] = []
    try:
        while (line := _next(lines, cancel)) is not None:
            if line:
                on_line(line)
                told = [*told[1 - _LAST_LINES :], line] if not line.startswith("Progress ") else told
        code = process.wait()
    finally:
        kill_tree(process.pid, alive=process.poll() is None)
        process.wait()
        reader.join(_END_S)
    if code != 0:
        text = "\n".join(told)
        offline = _NETWORK.search(text) is not None
        hint = "connect this machine to the network and try again" if offline else "the last lines say more"
        raise WorkerFailed(failure, received=" / ".join(line.strip() for line in told[-3:]), hint=hint)


def _next(lines: queue.SimpleQueue[str | None], cancel: threading.Event) -> str | None:
    """The next line, "" if there is none yet, None at the end.

    Raises:
        Cancelled: The user cancelled.
    """
    if cancel.is_set():
        raise Cancelled("cancelled")
    try:
        return lines.get(timeout=_POLL_S)
    except queue.Empty:
        return ""


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Pass a process's lines on, and None at the end."""
    assert process.stdout is not None
    with process.stdout:
        for raw in process.stdout:
            lines.put(raw.decode("utf-8", "replace").rstrip() or " ")
    lines.put(None)


def _environment() -> dict[str, str]:
    """Our environment with what pip may need (proxies, certificates), less what would redirect its Python."""
    ours = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**ours, "PYTHONIOENCODING": "utf-8"}


def _check_room(folder: Path, needed_bytes: int) -> None:
    """Is there room on the disk?

    Raises:
        MachineUnavailable: There is not.
    """
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free = shutil.disk_usage(place).free
    if free < needed_bytes:
        raise MachineUnavailable(
            "too little room on the disk for an environment", expected=f"{needed_bytes / GIB:.0f} GiB",
            received=f"{free / GIB:.1f} GiB free at {place}", hint="free some, or set WILLITTRAIN_DATA_DIR",
        )  # fmt: skip
