"""What only Qt can draw, drawn by a process of its own: the command line loads no Qt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import app
from app.core.types.errors import MachineUnavailable
from app.core.types.text import Text, phrase


class Drawer(NamedTuple):
    """A program that draws what comes on its standard input."""

    module: str
    """Started by name."""
    flag: str
    """What a built program calls it."""
    hint: Text
    """What to do where it cannot draw."""


PRINTER = Drawer("app.ui.runs.print_pdf", "--print-pdf", phrase("write an .html report and print it from a browser"))
PAINTER = Drawer("app.ui.share.draw_png", "--draw-png", phrase("add --svg, which needs nothing"))


def drawn(drawer: Drawer, content: bytes, failed: Text) -> bytes:
    """What a drawer makes of something.

    Args:
        drawer: The program.
        content: What it reads.
        failed: What is said where it cannot draw.

    Raises:
        MachineUnavailable: Qt cannot be loaded here.
    """
    command = [sys.executable, *([drawer.flag] if getattr(sys, "frozen", False) else ["-P", "-m", drawer.module])]
    variables = {**os.environ, "PYTHONPATH": str(Path(app.__file__).parents[1])}
    done = subprocess.run(command, input=content, capture_output=True, check=False, env=variables)
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [phrase("no word from the printer")]
        raise MachineUnavailable(failed, received=last[0], hint=drawer.hint)
    return done.stdout
