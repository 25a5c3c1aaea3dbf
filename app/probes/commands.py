"""Ask a small system tool, for systems that answer in no other way.

A tool that is missing, slow or unhappy is a reading that is not available.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence

Ask = Callable[[Sequence[str]], str | None]
"""Runs a command and gives its output, or None; tests pass recorded answers."""

TIMEOUT_S = 2.0


def ask(command: Sequence[str]) -> str | None:
    """The output of a command that ends well within `TIMEOUT_S`, else None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout


def sysctl(names: Sequence[str], run: Ask = ask) -> dict[str, str]:
    """Values of macOS's ``sysctl``; names that this system does not know are left out."""
    answer = run(["/usr/sbin/sysctl", "-i", *names]) or ""
    pairs = (line.partition(": ") for line in answer.splitlines())
    return {name: value.strip() for name, colon, value in pairs if colon}
