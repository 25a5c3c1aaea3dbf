"""Byte code that travels with sources, so that no first start compiles them.

A folder where programs are installed can rarely be written: without it, each start would compile anew.
"""

from __future__ import annotations

import importlib.util
import py_compile
from pathlib import Path


def compile_beside(source: Path, folder: Path) -> Path:
    """Compile a source into a folder, under the name that this Python looks for in ``__pycache__``.

    It is valid as long as the source has the same contents, wherever and whenever it was copied to
    (``CHECKED_HASH``, PEP 552); a Python of another version ignores it.

    Raises:
        py_compile.PyCompileError: The source is none.
    """
    target = folder / Path(importlib.util.cache_from_source(source.name)).name
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    py_compile.compile(str(source), str(target), dfile=source.name, doraise=True, invalidation_mode=mode)
    return target


def compiled_files(sources: list[tuple[str, str]], scratch: Path) -> list[tuple[str, str]]:
    """The byte code of sources and where it goes, as PyInstaller has its data files.

    Args:
        sources: A file, and the folder in the program where it goes.
        scratch: Where the byte code is made.
    """
    found = []
    for name, place in sources:
        folder = scratch / place
        folder.mkdir(parents=True, exist_ok=True)
        found.append((str(compile_beside(Path(name), folder)), str(Path(place) / "__pycache__")))
    return found
