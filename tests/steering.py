"""Texts that steer a terminal or deceive a reader, and a terminal that notes whether any of it arrives."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STEERING = "\x1b]52;c;eA==\x07\x1b[2J\x9b1m\x08\x7f\u202egnp.\u2066\u200b\u2028"
"""Fills the clipboard, clears the screen in two ways, deletes, turns the direction of writing and breaks the line."""
NAMED = STEERING + "two\nlines"
"""The same in a name, which may also have lines."""
_OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\d*[ABCDGHJK]|\x1b\[\?25[hl]|\r")
"""What Rich writes: colours, and moves of its progress bar."""
FREE = frozenset(
    "name label title why how note notes text message hint formula source value reason fix what waits where "
    "dominant_assumption textbook_reason assumptions reasons original received expected stderr path layer".split()
)
"""Fields that hold words of a file or a framework and not a choice of this program."""


def hostile(value: Any, *, free: bool = False, said: str = STEERING) -> Any:
    """A copy of a record with such a text behind every text that says something."""
    if isinstance(value, str):
        return type(value)() + value + said if free and value else value
    if isinstance(value, tuple):
        parts = [hostile(part, free=free, said=said) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            f.name: hostile(getattr(value, f.name), free=f.name in FREE, said=said) for f in fields(value) if f.init
        }
        return replace(value, **changed)
    return value


def steering(text: str, allowed: str = "\n") -> list[str]:
    """The characters of a text that no reader sees."""
    return [
        char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in allowed
    ]


def on_a_terminal(arguments: Sequence[str], environment: Mapping[str, str], typed: bytes = b"") -> str:
    """What arrives on the terminal of a command, standard error included, without what Rich steers it with."""
    import pty

    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            cwd=ROOT,
        )
        os.close(theirs)
        if typed:
            os.write(ours, typed)
        read = bytearray()
        while chunk := _read(ours):
            read += chunk
        process.wait(60)
    finally:
        os.close(ours)
    return _OURS.sub("", read.decode("utf-8", "replace"))


def _read(terminal: int) -> bytes:
    """What is there; nothing once everybody has left."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
