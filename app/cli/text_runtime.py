"""What people read of the Pythons that could train."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.text import plain_table
from app.services.runtimes.find import Runtime

NONE_CAN = (
    "None of them can train. `willittrain runtime create` makes one (it downloads about 700 MB, with CUDA 3 GB),\n"
    "or install TensorFlow into one of them: PYTHON -m pip install tensorflow"
)
"""Estimates of networks of the catalog need none."""


def runtimes_text(found: tuple[Runtime, ...]) -> RenderableType:
    """The Pythons, the one in use first, and what to do if none can train."""
    table = plain_table("", "Python", "Frameworks", "Found", "Path")
    for one in found:
        names = [f"{name} {version}".strip() for name, version in one.packages if name != "numpy"]
        words = ", ".join(names) if one.backends else (one.lacks or "")
        table.add_row("▶" if one.in_use else "", one.python_version, words, one.origin, one.path)
    able = any(one.backends for one in found)
    used = next((one for one in found if one.in_use), None)
    parts: list[RenderableType] = [table]
    if not able:
        parts += [Text(), Text(NONE_CAN)]
    elif used is None or not used.backends:
        parts += [Text(), Text("`willittrain runtime use PATH` chooses the one that trains.")]
    return Group(*parts)
