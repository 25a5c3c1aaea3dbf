"""Run a notebook's cells as Jupyter would run them one after the other."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Any

from app.core.types.notebook import Cell
from app.core.types.text import Text, phrase
from app.worker.script.named import named


def run_cells(cells: Sequence[Cell], path: str, names: dict[str, Any]) -> None:
    """Run cells in one namespace; each is known to tracebacks, and to AutoGraph, by its own name.

    Args:
        cells: What is run.
        path: The notebook's.
        names: Of ``__main__``; gets what Jupyter offers without an import.
    """
    names.pop("__file__", None)
    names.update(display=_shown, get_ipython=lambda: None)
    for cell in cells:
        name = cell.name(path)
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
    for cell in cells:
        exec(compile(cell.source, cell.name(path), "exec", dont_inherit=True), names)


def skipped_words(cells: Sequence[Cell]) -> Text:
    """Which lines of the cells were not run."""
    skipped = [f"{line} (cell {cell.number})" for cell in cells for line in cell.skipped]
    return phrase("lines that only Jupyter runs were skipped: {lines}", lines=named(skipped))


def _shown(*values: Any, **how: Any) -> None:
    """Stands for Jupyter's ``display``: nobody looks."""
