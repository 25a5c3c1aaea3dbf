"""Small readers for ``/proc`` and ``/sys``, and the shape in which a probe answers.

Every reader takes the root of the tree, so that a recorded machine is read exactly as a live one.  A
file that is missing or forbidden is a reading that is not available, never an error.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ROOT = Path("/")

MOST = 2**64
"""The kernel counts with 64 bits."""
MOST_CPUS = 2**16
"""Linux is built for 8,192 at most (NR_CPUS of arch/x86/Kconfig); a longer list is no list of processors."""

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")


@dataclass(frozen=True)
class Probed(Generic[T]):
    """An answer and, for each part of it that is None, the reason.

    The keys of ``unavailable`` are paths inside ``value``, such as ``"speed_mts"``.
    """

    value: T
    unavailable: dict[str, str] = field(default_factory=dict)

    def reasons_under(self, prefix: str) -> dict[str, str]:
        """The reasons with ``prefix`` before every path."""
        return {f"{prefix}.{path}": reason for path, reason in self.unavailable.items()}


def explained(value: D, reasons: Mapping[str, str], otherwise: str, *, skip: Iterable[str] = ()) -> Probed[D]:
    """Give every field of ``value`` that is None a reason.

    Args:
        value: A frozen dataclass of readings.
        reasons: What is known about single fields.
        otherwise: The reason for all other fields.
        skip: Fields whose None needs no reason.
    """
    skipped = set(skip)
    missing = {}
    for f in dataclasses.fields(value):
        held = getattr(value, f.name)
        if held is None and f.name not in skipped:
            missing[f.name] = reasons.get(f.name, otherwise)
        elif held == () and f.name in reasons:
            missing[f.name] = reasons[f.name]
    deeper = {path: reason for path, reason in reasons.items() if "." in path}
    return Probed(value, {**missing, **deeper})


def read_text(path: Path) -> str | None:
    """The stripped text of a small file, or None if it is missing, unreadable or empty."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace").strip("\0 \t\r\n")
    except (OSError, ValueError):  # sysfs answers EIO, EINVAL or ENODATA for a device that is gone; no path holds NUL
        return None
    return text or None


def read_int(path: Path) -> int | None:
    """The whole number in a small file, also in hexadecimal, or None."""
    text = read_text(path)
    if text is None:
        return None
    try:
        number = int(text.split()[0], 0)
    except (ValueError, IndexError):  # a control character alone is no word either
        return None
    return number if abs(number) < MOST else None


def whole(text: str | None) -> int | None:
    """A text of digits as a number; None for any other text, and for more digits than any reading has."""
    return int(text) if text is not None and text.isdecimal() and len(text) <= len(str(MOST)) else None


def ticks_per_s() -> int:
    """Unit of the processor times in ``/proc``; every Linux says 100, as does a recorded one elsewhere."""
    if sys.platform == "win32":
        return 100
    return os.sysconf("SC_CLK_TCK")


def page_bytes() -> int:
    """Unit of the memory sizes in ``/proc/PID/stat``."""
    if sys.platform == "win32":
        return 4096
    return os.sysconf("SC_PAGE_SIZE")


def list_dir(path: Path) -> list[Path]:
    """The entries of a folder in order of name; none if it cannot be read."""
    try:
        return sorted(path.iterdir())
    except OSError:
        return []


def parse_cpu_list(text: str) -> set[int]:
    """Read the kernel's list format, for example ``0-3,8`` (Documentation/admin-guide/cputopology).

    Parts that are no numbers are left out.
    """
    cpus: set[int] = set()
    for part in text.replace("\n", ",").split(","):
        first, _, last = part.strip().partition("-")
        if all(one.isdecimal() and len(one) <= 9 for one in (first, last or first)):
            cpus.update(range(int(first), min(MOST_CPUS, int(last or first) + 1)))
    return cpus
