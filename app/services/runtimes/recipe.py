"""What an environment for training is made of: which packages, from which Python, and whether there is room for it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from app.core.types.errors import MachineUnavailable
from app.core.types.text import phrase
from app.core.types.units import GIB, MIB, format_number
from app.services.child.start_place import program_path
from app.services.runtimes.find import Answer, answer_of, elsewhere, made_folder
from app.services.settings import Settings

SUPPORTED = ((3, 13), (3, 12), (3, 11))
"""Versions of Python for which the newest TensorFlow that we take is built, newest first."""
NEEDED_BYTES = {"tensorflow": 3 * GIB, "cuda": 9 * GIB}
"""Free space on disk, with the download beside the unpacked packages (2.1 GiB are left without CUDA)."""
FETCHED_BYTES = {"tensorflow": 700 * MIB, "cuda": 3 * GIB}
"""About what is downloaded; only the progress bar depends on it."""
_NO_PYTHON = {
    "linux": phrase(
        "install one, for example with `sudo apt install python3 python3-venv`, or install uv and try again"
    ),
    "darwin": phrase("install one from python.org or with `brew install python@3.12`, or install uv and try again"),
    "win32": phrase(
        "install one from python.org or with `winget install Python.Python.3.12`, or install uv and try again"
    ),
}


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
                phrase("this program is not installed, so that it does not know what training needs"),
                hint=phrase("start it by `python3 packaging/launch.py`, or install it with pip"),
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
    base, uv = find_base(), program_path("uv")
    if base is None and uv is None:
        versions = ", ".join("{}.{}".format(*version) for version in reversed(SUPPORTED))
        raise MachineUnavailable(
            phrase("there is no Python on this machine from which to make an environment"),
            expected=phrase("Python {versions}, 64 bits, with its venv module", versions=versions),
            received=phrase("none was found"),
            hint=_NO_PYTHON.get(sys.platform, _NO_PYTHON["linux"]),
        )
    fetched = max(FETCHED_BYTES.get(extra, 0) for extra in extras)
    return Recipe(folder, requirements, base, None if base else uv, fetched, renew_pip=base is not None)


def find_base(others: Iterable[tuple[str, str]] | None = None) -> str | None:
    """A Python that can make environments in which TensorFlow runs: this program's own, or the first other one.

    Args:
        others: Where it was found, and its path; by default what `app.services.runtimes.find.elsewhere` finds.
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


def venv_command(recipe: Recipe) -> list[str]:
    """The command that makes the empty environment; a shell that uses it shows its final name."""
    folder = [os.path.abspath(recipe.folder), "--prompt", recipe.folder.stem]
    if recipe.base is not None:
        return [recipe.base, "-m", "venv", "--clear", *folder]
    assert recipe.uv is not None
    return [recipe.uv, "venv", "--seed", "--python", "{}.{}".format(*SUPPORTED[1]), *folder]


def pip_command(python: Path) -> list[str]:
    """The start of every command to the pip of an environment."""
    return [os.path.abspath(python), "-m", "pip"]


def _check_room(folder: Path, needed_bytes: int) -> None:
    """Is there room on the disk?

    Raises:
        MachineUnavailable: There is not.
    """
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free = shutil.disk_usage(place).free
    if free < needed_bytes:
        raise MachineUnavailable(
            phrase("too little room on the disk for an environment"),
            expected=f"{needed_bytes / GIB:.0f} GiB",
            received=phrase("{free} GiB free at {place}", free=format_number(free / GIB, ".1f"), place=place),
            hint=phrase("free some, or set WILLITTRAIN_DATA_DIR"),
        )
