"""Import a function of the user's own file.  Only files that the user trusts come here."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import app
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


def loaded_beside(path: Path) -> dict[str, str]:
    """What has been imported from a file's folder, besides the file itself: it decides about the model as well.

    Installed packages count as the framework does, wherever they lie: by who trains, not by their content.

    Args:
        path: A Python file that was imported.

    Returns:
        SHA-256 by the file's path, relative to the folder and with ``/`` between its parts.
    """
    main = os.path.realpath(path)
    folder = os.path.dirname(main)
    found = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str):
            continue
        real = os.path.realpath(file)
        if real == main or not _is_below(real, folder) or _is_installed(real):
            continue
        try:
            with open(real, "rb") as opened:
                content = opened.read()
        except OSError:  # made for the import only, and gone again
            continue
        found[os.path.relpath(real, folder).replace(os.sep, "/")] = hashlib.sha256(content).hexdigest()
    return found


def _is_below(path: str, folder: str) -> bool:
    """Does a real path lie in a folder or deeper."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_installed(path: str) -> bool:
    """Does a file belong to an installed package, to Python or to this program."""
    places = {os.path.realpath(place) for place in sysconfig.get_paths().values()}
    own = os.path.realpath(os.path.dirname(app.__file__))
    return (
        "site-packages" in path.split(os.sep)
        or "dist-packages" in path.split(os.sep)
        or any(_is_below(path, place) for place in (own, *places))
    )
