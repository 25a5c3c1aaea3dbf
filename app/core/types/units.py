"""Units and the way numbers are written for people.

GiB and MiB are powers of 1024, GB/s and TFLOP/s powers of ten (IEC 80000-13).  Unknown is ``None``
and is written as "not available", never as zero.
"""

from __future__ import annotations

import re

from app.core.types.errors import UsageError
from app.core.types.text import Quantity, phrase

KIB = 1024
MIB = 1024**2
GIB = 1024**3
TIB = 1024**4
MOST_BYTES = 1024**6
"""No memory and no disk is larger: 1 EiB."""
FLOAT_BYTES, HALF_BYTES = 4, 2
"""An element of float32, and one of float16 or bfloat16."""
LEAST_SHARE = 0.005
"""A smaller one would be rounded to nothing, which it is not."""

NOT_AVAILABLE = phrase("not available")

_BINARY_UNITS = ((TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB"))
_DECIMAL_UNITS = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (1000, "kB"))
_SUFFIXES = {"": 1, "K": KIB, "M": MIB, "G": GIB, "T": TIB}


def format_bytes(size_bytes: float | None) -> Quantity:
    """A size, in English with one decimal in the largest fitting unit, for example ``4.1 GiB``."""
    return Quantity(written_bytes(size_bytes), "bytes", size_bytes)


def format_whole_gib(size_bytes: int) -> Quantity:
    """A size in which memory is sold, in English without decimals: ``32 GiB``."""
    return Quantity(f"{size_bytes // GIB} GiB", "bytes", size_bytes)


def format_seconds(time_s: float | None) -> Quantity:
    """A duration, in English with two or three significant figures: ``12 ms``, ``5.2 s``, ``1 h 05 min``."""
    return Quantity(_written_seconds(time_s), "seconds", time_s)


def format_count(count: float | None) -> Quantity:
    """A count, in English with thousands separators, for example ``25,636,712``."""
    return Quantity(NOT_AVAILABLE if count is None else f"{count:,.0f}", "count", count)


def format_share(share: float, *, signed: bool = False) -> Quantity:
    """A share of one, in English in percent: ``45 %``, ``< 1 %``; a difference with its sign: ``+3 %``, ``−7 %``."""
    if not signed and 0 < share < LEAST_SHARE:
        return Quantity("< 1 %", "share", share)
    written = f"{round(100 * share):{'+' if signed else ''}d} %".replace("-", "−")
    return Quantity(written, "signed_share" if signed else "share", share)


def format_number(amount: float | None, form: str = ",.0f") -> Quantity:
    """A number in one of Python's formats, such as ``,.1f`` or ``.3g``."""
    return Quantity(NOT_AVAILABLE if amount is None else f"{amount:{form}}", "number", amount, form)


def format_day(iso_date: str) -> Quantity:
    """A date in ISO 8601."""
    return Quantity(iso_date, "date")


def format_moment(iso_time: str) -> Quantity:
    """A date and a time in ISO 8601."""
    return Quantity(iso_time, "moment")


def written_bytes(size_bytes: float | None, *, decimal: bool = False) -> str:
    """The English of a size.

    Args:
        size_bytes: The size.
        decimal: In powers of 1000 (``4.4 GB``) instead of 1024.
    """
    if size_bytes is None:
        return NOT_AVAILABLE
    for unit, name in _DECIMAL_UNITS if decimal else _BINARY_UNITS:
        if abs(size_bytes) >= unit:
            return f"{size_bytes / unit:.1f} {name}"
    return f"{size_bytes:.0f} B"


def _written_seconds(time_s: float | None) -> str:
    """The English of a duration."""
    if time_s is None:
        return NOT_AVAILABLE
    if time_s < 1e-3:
        return f"{time_s * 1e6:.0f} µs"
    if time_s < 1:
        return f"{time_s * 1e3:.3g} ms"
    if time_s < 120:
        return f"{time_s:.3g} s"
    if time_s < 600:
        return f"{time_s / 60:.1f} min"
    minutes = round(time_s / 60)
    if minutes < 120:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h"


def parse_bytes(text: str) -> int:
    """Read a memory size such as ``32GB``, ``32 GiB``, ``512M`` or ``1073741824``.

    Memory modules and cards are sold in powers of 1024, so ``GB`` is read as GiB here.

    Raises:
        UsageError: The text is no positive size.
    """
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE | re.ASCII)
    size = int(float(match[1]) * _SUFFIXES[match[2].upper()]) if match else 0
    if not 0 < size <= MOST_BYTES:
        raise UsageError(phrase("not a memory size"), expected="a size such as 32GB or 512MiB", received=repr(text))
    return size
