"""The stacks that Python's ``faulthandler`` writes to standard error when a process crashes or hangs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FATAL = "Fatal Python error:"
_THREAD = re.compile(r"(?:Current thread|Thread) 0x[0-9a-f]+.*\(most recent call first\):")
_FRAME = re.compile(r'\s*File "(.*)", line (\d+) in (\S+)')
_NOISE = re.compile(r"Extension modules: |\s*<no Python frame>|\s*\.\.\.$|\s*$")
KEPT_FRAMES = 12
KEPT_LINES = 60


@dataclass(frozen=True)
class Frame:
    """One call."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Dump:
    """Standard error taken apart: what was said, and the calls of all threads, innermost first."""

    said: tuple[str, ...]
    frames: tuple[Frame, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """What was said and the innermost calls, for people."""
        calls = [f'  File "{f.file}", line {f.line}, in {f.function}' for f in self.frames[:KEPT_FRAMES]]
        return (*self.said[len(calls) - KEPT_LINES :], *calls)

    def where(self, files: frozenset[str]) -> str | None:
        """``file:line`` of the innermost call in one of ``files``."""
        found = (f for f in self.frames if os.path.realpath(f.file) in files)
        return next((f"{f.file}:{f.line}" for f in found), None)


def take_apart(stderr: Sequence[str]) -> Dump:
    """Separate the stacks from everything else."""
    said, frames, inside = [], [], False
    for line in stderr:
        if line.startswith(_FATAL) or _THREAD.match(line):
            inside = True
        elif inside and (frame := _FRAME.match(line)):
            frames.append(Frame(frame[1], int(frame[2]), frame[3]))
        elif not (inside and _NOISE.match(line)):
            inside = False
            said.append(line)
    return Dump(tuple(said), tuple(frames))


def code_files(arguments: Mapping[str, Any]) -> frozenset[str]:
    """The user's own Python files that a request names."""
    parts = (arguments.get("model"), arguments.get("dataset"))
    paths = (part.get("path") for part in parts if isinstance(part, Mapping))
    return frozenset(os.path.realpath(path) for path in paths if isinstance(path, str) and path.endswith(".py"))
