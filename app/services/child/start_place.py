"""Where the Pythons that we start begin, so that no file of the folder in which the user stands becomes part of them.

``python -c`` and ``python -m`` look for modules in the folder where they begin before they look anywhere else, and
some do so before the first line of ours can forbid it (``-m`` imports ``types`` and ``contextlib``, 3.13 imports
``linecache`` to run ``-c``).  ``-P`` is no remedy: it came with 3.11, and does not keep out an empty or relative
entry of ``PYTHONPATH``.  So every one of them, of whatever version, begins in a folder of ours.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import app

_SEARCH_PATHS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")


def start_folder() -> Path:
    """The folder of our package: always there, and nothing in it has the name of another's module."""
    return Path(app.__file__).resolve().parent


def working_folder() -> str:
    """Where the user stands; empty if that folder is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def without_relative_paths(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with search paths that mean the same wherever one stands.

    An empty entry means the working folder; ``LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/usr/local/cuda/lib64`` often has one.
    """
    kept = dict(environment)
    for name in kept.keys() & set(_SEARCH_PATHS):
        entries = os.pathsep.join(_absolute(kept[name]))
        if entries or not kept[name]:
            kept[name] = entries
        else:
            del kept[name]
    return kept


def program_path(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The full path of a program named by its path, or by a name that is on ``PATH``.

    None for a name that is nowhere on it; a program of the working folder must be named by its path.
    """
    named = os.path.expanduser(name)
    if os.path.dirname(named):
        return os.path.abspath(named)
    places = (os.path.join(folder, named) for folder in _absolute(environment.get("PATH", os.defpath)))
    return next((found for found in map(shutil.which, places) if found), None)


def found_program(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The same, if there is a program that may be run."""
    path = program_path(name, environment)
    return None if path is None else shutil.which(path)


def _absolute(search_path: str) -> Iterator[str]:
    """The entries that do not depend on where one stands."""
    return (entry for entry in search_path.split(os.pathsep) if os.path.isabs(entry.strip('"')))
