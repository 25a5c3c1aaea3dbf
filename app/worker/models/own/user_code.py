"""Import a function of the user's own file.  Only files that the user trusts come here."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from types import ModuleType
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.worker.models.own.beside import Refusal, run_file

_MODULE = "willittrain_user_model"


def find_function(path: Path, name: str, consent: Collection[str], refuse: Refusal = BadModel) -> Callable[..., Any]:
    """The function of a file; the file is imported once, and modules beside it can be imported by it.

    Args:
        path: A Python file.
        name: Of the function.
        consent: SHA-256 of what the user let run.
        refuse: The error to raise.

    Raises:
        BadModel: Or ``refuse``: there is no such file or function, or it is not what the user let run.
    """
    module = _load(path, consent, refuse)
    function = getattr(module, name, None)
    if not callable(function):
        own = [n for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__]
        raise refuse(
            phrase("{path} has no function {name}", path=path.name, name=name),
            expected=", ".join(own) or phrase("a function in the file"),
            received=name,
        )
    found: Callable[..., Any] = function
    return found


def _load(path: Path, consent: Collection[str], refuse: Refusal) -> ModuleType:
    """The file as a module; a second function of the same file comes from the same one."""
    known = sys.modules.get(_MODULE)
    if known is not None and getattr(known, "__file__", None) == str(path):
        return known
    return run_file(_MODULE if known is None else f"{_MODULE}_data", path, consent, refuse)
