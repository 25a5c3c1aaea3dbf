"""A folder full of modules that nobody asked for, each of which leaves a mark if any Python imports it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

NAMES = sys.stdlib_module_names | {
    "app",
    "numpy",
    "keras",
    "tensorflow",
    "msgspec",
    "psutil",
    "typer",
    "pip",
    "sitecustomize",
    "usercustomize",
}


@dataclass(frozen=True)
class Strangers:
    """The folder, and where the marks go."""

    folder: Path
    marks: Path

    @property
    def imported(self) -> list[str]:
        """What was imported, in order."""
        return self.marks.read_text("utf-8").splitlines()

    @property
    def python_path(self) -> str:
        """A search path that leads here in each way that depends on where one stands."""
        return os.pathsep.join(("", ".", "below", os.path.join(".", "below")))


def plant(place: Path) -> Strangers:
    """Fill a folder, and one below it."""
    marks = place / "marks"
    marks.touch()
    found = Strangers(place / "strangers", marks)
    for folder in (found.folder, found.folder / "below"):
        folder.mkdir(parents=True)
        for name in NAMES:
            text = f"open({str(marks)!r}, 'a').write({name!r} + chr(10))\nraise SystemExit('a stranger ran: {name}')\n"
            (folder / f"{name}.py").write_text(text, "utf-8")
    return found
