"""Refuses numbers that no machine and no run can have, where they come in from a file or another process.

A field's name ends with its unit, everywhere in this program, and a unit says what is possible: no memory has a
negative size or an exbibyte.  What is let in here is calculated with, so that one wild number would become
many believable ones.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from app.core.types.text import phrase
from app.core.types.units import MOST_BYTES, format_number

MOST_SECONDS = 1e9
"""Thirty years."""
MOST_PER_SECOND = 1e21
"""A thousand times the largest machine of 2025 (top500.org: 1.7e18 FLOP/s)."""
MOST_COUNT = 2**63 - 1
LEAST_RATE = 1e-6
"""Of what times are divided by, in any of its units; 0 is how some virtual machines say that they do not know."""

_RATES = ("_per_s", "_mhz", "_mts", "cores")
_LIMITS: tuple[tuple[str, float, float], ...] = (
    ("t_s", -MOST_SECONDS, MOST_SECONDS),
    ("_per_s", 0, MOST_PER_SECOND),
    ("_bytes", 0, MOST_BYTES),
    ("_s", 0, MOST_SECONDS),
    ("_j", 0, 1e12),
    ("_w", 0, 1e6),
    ("_mhz", 0, 1e6),
    ("_mts", 0, 1e6),
    ("_bits", 0, 1e6),
    ("_c", -273.15, 1e4),
    ("percent", 0, 1e6),
    ("cores", 0, 1e6),
    ("_sms", 0, 1e6),
    ("params", 0, MOST_COUNT),
    ("samples", 0, MOST_COUNT),
    ("steps", 0, MOST_COUNT),
)
"""Endings of names, the first that fits, with the least and the most that is possible."""


class Implausible(ValueError):
    """A number that cannot be; its words name the field and what would be possible."""


def check_plausible(value: Any) -> None:
    """Look at every number inside a dataclass, its tuples and dictionaries.

    Raises:
        Implausible: One is not finite, too large, negative where that cannot be, or a rate of almost nothing.
    """
    for name, number in _numbers(value, ""):
        _check(name, number)


def _check(name: str, number: float) -> None:
    """One number."""
    field = name.rpartition(".")[2]
    least, most = _limits(field)
    if 0 < number < LEAST_RATE and field.endswith(_RATES):
        least = LEAST_RATE
    if not least <= number <= most:  # NaN is in no interval, and an integer may be too large for a float
        raise Implausible(
            phrase(
                "{name} cannot be {number}, expected {least} to {most}",
                name=name,
                number=str(number)[:20],
                least=format_number(least, "g"),
                most=format_number(most, "g"),
            )
        )


@functools.cache
def _limits(field: str) -> tuple[float, float]:
    """The least and the most that a field of such a name can be."""
    return next(((a, b) for end, a, b in _LIMITS if field.endswith(end)), (-MOST_PER_SECOND, MOST_PER_SECOND))


def _numbers(value: Any, name: str) -> Iterator[tuple[str, float]]:
    """All numbers by the path of their field; those of a list go by the list's name."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value
    elif dataclasses.is_dataclass(value):
        prefix = f"{name}." if name else ""
        for field in dataclasses.fields(value):
            yield from _numbers(getattr(value, field.name), prefix + field.name)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, f"{name}.{key}")
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _numbers(inner, name)
