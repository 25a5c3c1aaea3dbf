"""Which Python files are scripts that train, and what running one means; a file is parsed here and not run."""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from pathlib import Path

from app.core.types.errors import BadModel
from app.core.types.notebook import SUFFIX
from app.core.types.source_text import Unreadable, parsed
from app.core.types.text import phrase
from app.core.types.workload import ModelRef
from app.services.models.own_code import read_own

RUN_SUFFIXES = (".py", SUFFIX)
"""Files that can be run as they are."""


def find_script(
    path: Path, arguments: Sequence[str] = (), *, module: str | None = None, trust: bool = False, fit: int = 1
) -> ModelRef:
    """A script that is run as ``python FILE ARGUMENTS`` or ``python -m MODULE ARGUMENTS`` in the folder where we are.

    A notebook is run where it lies, as Jupyter does.

    Args:
        path: The file that is run.
        arguments: The script's own.
        module: Its name, if it is run by that.
        trust: The user allows it to run.
        fit: Which of its trainings is meant.
    """
    name = " ".join([module or path.name, *arguments])
    return ModelRef(
        "script",
        name,
        path=str(path.resolve()),
        function=module,
        trusted=trust,
        arguments=tuple(arguments),
        folder=str(path.resolve().parent) if path.suffix.lower() == SUFFIX else os.getcwd(),
        fit=fit,
    )


def require_script(path: Path) -> None:
    """Refuse a file that does nothing when it is run: it only defines things.

    Raises:
        BadModel: Likewise, or it cannot be read.
    """
    own = read_own(str(path))
    if path.suffix.lower() == SUFFIX:
        return
    if not runs_something(own.text):
        functions = own.functions()
        raise BadModel(
            phrase("which function of the file? Running it would do nothing"),
            expected="file.py:function",
            received=str(path),
            hint=phrase("for example {path}:{function}", path=path.name, function=functions[0]),
        )


def runs_something(source: str) -> bool:
    """Does a file do more than import, define and name things?  One that is no Python does as Python says of it."""
    try:
        body = parsed(source).body
    except Unreadable:
        return True
    return any(_acts(statement) for statement in body)


def _acts(statement: ast.stmt) -> bool:
    """Is a statement of the top level more than a definition?"""
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return any(isinstance(node, ast.Attribute) and node.attr == "fit" for node in ast.walk(statement))
    definitions = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)
    return not isinstance(statement, definitions)


def file_of_module(name: str) -> Path:
    """The file that ``python -m NAME`` runs here.

    Raises:
        BadModel: There is none below the folder where we are.
    """
    place = Path(*name.split("."))
    for path in (place.with_suffix(".py"), place / "__main__.py"):
        if path.is_file():
            return path
    raise BadModel(
        phrase("there is no such module below this folder"),
        expected=str(place.with_suffix(".py")),
        received=name,
        hint=phrase("go to the folder from which `python -m {name}` works", name=name),
    )
