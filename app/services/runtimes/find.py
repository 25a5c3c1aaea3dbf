"""Pythons on this machine that could train: which there are, and which frameworks each has.

The window and the command line run without a framework; the child that traces and trains needs one, in this
program's own Python or in another one.  Here a Python is only asked what is installed in it, which takes some
hundredths of a second; whether a framework works, and on which card, `app.services.machine.doctor` finds out.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from app.catalog import typed_json
from app.core.types.backends import BACKENDS, TITLES
from app.core.types.errors import MachineUnavailable, UsageError
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import format_number
from app.services.child.guarded import start_guarded
from app.services.child.start_place import found_program, program_path, start_folder, working_folder
from app.services.child.worker_command import worker_environment
from app.services.file_lock import file_lock
from app.services.settings import Settings

OWN = phrase("this program's own")
CHOSEN = phrase("chosen in the settings")
MADE = phrase("made by this program")
ASK_TIMEOUT_S = 20.0
"""A Python on a cold network disk; one that is a shim of a version manager can take a second as well."""
_AT_ONCE = 4
_ASK = """\
import os, sys
sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != os.getcwd()]
import importlib.util, json, platform, struct
try:
    from importlib import metadata
except ImportError:
    metadata = None
names = {"tensorflow": ("tensorflow", "tensorflow-cpu", "tensorflow-rocm", "tensorflow-macos", "tf-nightly"),
         "keras": ("keras", "keras-nightly"), "jax": ("jax",), "torch": ("torch",), "numpy": ("numpy",),
         "keras-hub": ("keras-hub",)}
found = {}
for name in names:
    spec = importlib.util.find_spec(name.replace("-", "_"))
    if spec is None or spec.origin is None:
        continue
    found[name] = ""
    for distribution in names[name] if metadata else ():
        try:
            found[name] = metadata.version(distribution)
            break
        except metadata.PackageNotFoundError:
            pass
parts = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name)]
print(json.dumps({"path": sys.executable, "prefix": sys.prefix, "version": platform.python_version(),
                  "bits": 8 * struct.calcsize("P"), "packages": found, "parts": parts}))
"""
"""Understood by every Python since 3.6.  Nothing is imported: a package is looked for where an import would look."""


class Answer(msgspec.Struct, frozen=True):
    """What a Python said of itself."""

    path: str
    prefix: str
    version: str
    bits: int
    packages: dict[str, str]
    parts: list[str]


@dataclass(frozen=True)
class Runtime:
    """A Python that could train."""

    path: str
    origin: str
    """Where it was found, in words."""
    python_version: str = ""
    packages: tuple[tuple[str, str], ...] = ()
    """Name and version of what is installed of frameworks, Keras, NumPy and keras-hub."""
    problem: str | None = None
    """Why it could not be asked."""
    prefix: str = ""
    in_use: bool = False

    @property
    def backends(self) -> tuple[str, ...]:
        """Frameworks on which Keras could train here."""
        names = dict(self.packages)
        return tuple(name for name in BACKENDS if name in names) if {"keras", "numpy"} <= names.keys() else ()

    @property
    def lacks(self) -> Text | None:
        """What is missing for training, in words; None if nothing is."""
        if self.problem is not None or self.backends:
            return None if self.problem is None else verbatim(self.problem)
        names = dict(self.packages)
        frameworks = [TITLES[name] for name in BACKENDS if name in names]
        if not frameworks:
            return phrase(
                "no {backends} or {titles}",
                backends=join(", ", (TITLES[name] for name in BACKENDS[:-1])),
                titles=TITLES[BACKENDS[-1]],
            )
        return phrase(
            "{frameworks}, but no {value}",
            frameworks=frameworks[0],
            value="Keras 3" if "keras" not in names else "NumPy",
        )


def made_folder(settings: Settings) -> Path:
    """Where this program makes a Python environment of its own for training."""
    return settings.data_dir / "runtime"


def python_of(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def set_aside(folder: Path) -> Path:
    """Where an older environment waits while a new one takes its place."""
    return folder.with_name(folder.name + ".old")


def settle(folder: Path) -> None:
    """Put an environment back that was moved aside by a program that ended before the new one took its place.

    Whoever calls it holds the lock of the folder.
    """
    old = set_aside(folder)
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def find_runtimes(settings: Settings, *, own: bool | None = None) -> tuple[Runtime, ...]:
    """Every Python that this program can find without searching disks, those that can train first.

    Looks at this program's own, the chosen one, the one that this program made, the active virtual or conda
    environment, ``PATH``, and where conda, pyenv, virtualenvwrapper and uv keep theirs.  A Python of which nobody
    asked to be told and that does not answer is left out.

    Args:
        settings: The choice, and where a made one lies.
        own: Is this program a Python itself?  Not if it is a built one; None to look.
    """
    own = not getattr(sys, "frozen", False) if own is None else own
    named = [(CHOSEN, settings.interpreter)] if settings.interpreter else []
    if own:
        named.append((OWN, sys.executable))
    folder = made_folder(settings)
    if set_aside(folder).exists() and not folder.exists():
        with contextlib.suppress(OSError), file_lock(folder):
            settle(folder)
    if python_of(folder).exists():
        named.append((MADE, str(python_of(folder))))
    asked = ask_all([*named, *elsewhere()])
    wanted = {origin for origin, _ in named}
    used = settings.interpreter or (sys.executable if own else None)
    known = [replace(one, in_use=one.path == used) for one in asked if one.problem is None or one.origin in wanted]
    return tuple(sorted(known, key=lambda one: (not one.in_use, not one.backends)))


def ask_all(candidates: Iterable[tuple[str, str]]) -> tuple[Runtime, ...]:
    """Ask each (origin, path); of two names for one environment the first counts."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        asked = tuple(pool.map(lambda item: ask(item[1], item[0]), dict.fromkeys(candidates)))
    seen: set[str] = set()
    kept = []
    for found in asked:
        if found.prefix not in seen or not found.prefix:
            kept.append(found)
        seen.add(found.prefix)
    return tuple(kept)


def ask(path: str, origin: str = "") -> Runtime:
    """Ask one Python what is installed in it."""
    answer = answer_of(path)
    if isinstance(answer, str):
        return Runtime(path, origin, problem=answer)
    problem = (
        phrase("a {bits}-bit Python, for which there are no frameworks", bits=answer.bits) if answer.bits < 64 else None
    )
    # A shim of a version manager is another Python tomorrow; what it stands for today is what was asked.
    own_name = path if origin in (OWN, CHOSEN, MADE, "") else answer.path
    return Runtime(own_name, origin, answer.version, tuple(answer.packages.items()), problem, answer.prefix)


def answer_of(path: str) -> Answer | str:
    """What a Python says of itself, or why it says nothing."""
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    command = [program_path(path) or path, "-c", _ASK]
    try:
        with start_guarded(
            command, worker_environment(path), start_folder(), stdin=null, stdout=pipe, stderr=null
        ) as guarded:
            said, _ = guarded.process.communicate(timeout=ASK_TIMEOUT_S)
        return typed_json.decode(said.splitlines()[-1], Answer)
    except subprocess.TimeoutExpired:
        return phrase("it did not answer within {ask_timeout} s", ask_timeout=format_number(ASK_TIMEOUT_S, "g"))
    except OSError as error:
        return phrase("it cannot be started: {strerror}", strerror=error.strerror or error)
    except (IndexError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return phrase("it is no Python that works (exit code {returncode})", returncode=guarded.process.returncode)


def checked_runtime(text: str) -> Runtime:
    """The Python that a user named by path, by its environment's folder or by a name on PATH; it can train.

    Raises:
        UsageError: There is nothing of that name.
        MachineUnavailable: It is no Python, or it has nothing to train with.
    """
    place = Path(os.path.expanduser(text))
    found = str(python_of(place)) if os.path.isdir(place) else found_program(text)
    if found is None or not os.path.exists(found):
        raise UsageError(
            phrase("no such interpreter"), expected=phrase("a Python, or the folder of an environment"), received=text
        )
    runtime = ask(os.path.abspath(found))
    if runtime.lacks:
        raise MachineUnavailable(
            phrase("this Python cannot train"),
            expected=phrase("Keras 3 and TensorFlow, JAX or PyTorch"),
            received=f"{runtime.path}: {runtime.lacks}",
            hint=phrase("install them there: {install}", install=install_words(runtime.path)),
        )
    return runtime


def install_words(path: str) -> str:
    """The command that puts TensorFlow into a Python."""
    return f"{path} -m pip install tensorflow"


def elsewhere() -> Iterator[tuple[str, str]]:
    """Pythons that other tools made, as (origin, path); paths exist."""
    active = {"VIRTUAL_ENV": phrase("the active environment"), "CONDA_PREFIX": phrase("the active conda environment")}
    for variable, tool in active.items():
        if os.environ.get(variable):
            yield from _in_folder(Path(os.environ[variable]), tool)
    names = ("python", "python3", *(f"python3.{minor}" for minor in range(13, 9, -1)))
    for name in names:
        path = program_path(name)
        if path is not None and not _is_no_installation(path):
            yield "PATH", path
    for folder, origin in _environment_folders():
        yield from _in_folder(folder, origin)


def _is_no_installation(path: str) -> bool:
    """Windows offers links to its shop; and a folder in which we stand may be on PATH by its full name."""
    return "WindowsApps" in path or os.path.dirname(path) == working_folder()


def _environment_folders() -> Iterator[tuple[Path, str]]:
    """Folders of environments, where the tools that make them keep or list them."""
    home = Path.home()
    listed = home / ".conda" / "environments.txt"  # conda's own list of all environments it has made
    with contextlib.suppress(OSError):
        for line in listed.read_text("utf-8", "replace").splitlines():
            yield Path(line.strip()), "conda"
    kept = (
        (os.environ.get("PYENV_ROOT", home / ".pyenv"), "versions", "pyenv"),
        (os.environ.get("WORKON_HOME", home / ".virtualenvs"), "", "virtualenvwrapper"),
        (os.environ.get("UV_PYTHON_INSTALL_DIR", home / ".local" / "share" / "uv" / "python"), "", "uv"),
        (os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"), "Programs/Python", "python.org"),
    )
    for root, below, origin in kept:
        places: list[Path] = []
        with contextlib.suppress(OSError):  # it is not there, or another user's
            places = sorted((Path(root) / below).iterdir())
        for place in places:
            yield place, origin


def _in_folder(folder: Path, origin: str) -> Iterator[tuple[str, str]]:
    """The Python of an environment, of venv's or conda's layout, if it is there."""
    for path in (python_of(folder), folder / "python.exe"):
        if os.path.isfile(path):  # `Path.is_file` raises where a folder may not be read
            yield origin, str(path)
            return
