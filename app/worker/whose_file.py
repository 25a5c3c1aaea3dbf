"""Whose file it is that a line of code stands in: the user's own, or an installed one."""

from __future__ import annotations

import os
import sysconfig

import app


def is_below(path: str, folder: str) -> bool:
    """Does a path lie in a folder or deeper."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def is_installed(path: str) -> bool:
    """Does a file, by its real path, belong to an installed package, to Python or to this program?"""
    places = {os.path.realpath(place) for place in sysconfig.get_paths().values()}
    own = os.path.realpath(os.path.dirname(app.__file__))
    return (
        "site-packages" in path.split(os.sep)
        or "dist-packages" in path.split(os.sep)
        or any(is_below(path, place) for place in (own, *places))
    )
