"""Which Python of this machine has what the author's code imports, found by looking."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.core.types.errors import MissingModule
from app.core.types.text import phrase
from app.core.types.workload import ModelRef
from app.services.child.guarded import start_guarded
from app.services.child.start_place import program_path, start_folder
from app.services.child.worker_command import worker_environment
from app.services.models.own_code import read_own
from app.services.runtimes.find import ASK_TIMEOUT_S, elsewhere

_TRAINS = ("keras", "tensorflow")
_AT_ONCE = 4
_ASK = """\
import os, sys
sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != os.getcwd()]
import importlib.util
sys.exit(not all(importlib.util.find_spec(name) for name in sys.argv[1:]))
"""
"""Nothing is imported: a package is looked for where an import would look."""


def named_elsewhere(error: MissingModule, model: ModelRef) -> MissingModule:
    """The error with the Python of this machine that has what the author's code imports, if there is one.

    Args:
        error: Which module is missing.
        model: Whose code asks for it.
    """
    assert model.path is not None
    python = python_having(error.module, read_own(model.path).text, Path(model.path).parent)
    if python is not None:
        error.python = python
        error.hint = phrase("{python} has all that the file imports: --python {python}", python=python)
    return error


def python_having(module: str, source: str, folder: Path) -> str | None:
    """The first Python that trains and has a module, and all else that a file imports; None if there is none.

    Args:
        module: What was missing.
        source: The file's text.
        folder: Where it lies: modules of this folder are the author's own.
    """
    wanted = tuple(dict.fromkeys([module, *_TRAINS, *_imported(source, folder)]))
    paths = list(dict.fromkeys(path for _, path in elsewhere()))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        having = pool.map(lambda path: _has(path, wanted), paths)
        return next((path for path, has in zip(paths, having, strict=True) if has), None)


def _imported(source: str, folder: Path) -> Iterable[str]:
    """The packages that a file imports, without Python's own and those beside it."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    tops = dict.fromkeys(name.partition(".")[0] for name in named)
    beside = {path.stem for path in folder.iterdir()}
    return [name for name in tops if name not in sys.stdlib_module_names and name not in beside]


def _has(python: str, modules: tuple[str, ...]) -> bool:
    """Would all of them be found there?"""
    null = subprocess.DEVNULL
    command = [program_path(python) or python, "-c", _ASK, *modules]
    try:
        with start_guarded(
            command, worker_environment(python), start_folder(), stdin=null, stdout=null, stderr=null
        ) as guarded:
            return guarded.process.wait(timeout=ASK_TIMEOUT_S) == 0
    except (subprocess.TimeoutExpired, OSError):
        return False
