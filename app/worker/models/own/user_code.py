"""Import a function of the user's own file.  Only files that the user trusts come here."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.types.errors import BadDataset, BadModel
from app.core.types.text import phrase

Refusal = type[BadModel] | type[BadDataset]
_MODULE = "willittrain_user_model"


def find_function(path: Path, name: str, refuse: Refusal = BadModel) -> Callable[..., Any]:
    """The function of a file; the file is imported once, and modules beside it can be imported by it.

    Args:
        path: A Python file.
        name: Of the function.
        refuse: The error to raise.

    Raises:
        BadModel: Or ``refuse``: there is no such file or function.
    """
    module = _load(path, refuse)
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


def _load(path: Path, refuse: Refusal) -> Any:
    """The file as a module; a second function of the same file comes from the same one."""
    known = sys.modules.get(_MODULE)
    if known is not None and getattr(known, "__file__", None) == str(path):
        return known
    specification = importlib.util.spec_from_file_location(_MODULE if known is None else f"{_MODULE}_data", path)
    if specification is None or specification.loader is None or not path.is_file():
        raise refuse(phrase("the file cannot be imported"), expected=phrase("a Python file"), received=str(path))
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    specification.loader.exec_module(module)
    return module
