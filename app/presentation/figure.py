"""A number that is shown: how much of what, where it comes from, and what can be said about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.core.types.basis import Explanation, MemoryBasis, TimeBasis
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_number, format_seconds

Mark = Literal["measured", "scaled", "predicted", "none"]
Unit = Literal["bytes", "seconds", "count", "samples_per_s", "percent", "watt_hours", "times"]

FEW = 10
"""Fewer samples per second than this have decimals."""


@dataclass(frozen=True)
class Figure:
    """A number; its texts are values that a face says in its language.

    ``amount`` is None where nothing is known, ``low`` and ``high`` where no interval is.  ``wording`` stands in place
    of an amount where several numbers belong together: ``256 × 4``.  One that is ``awaited`` is being worked out.
    """

    amount: float | None = None
    unit: Unit = "count"
    mark: Mark = "none"
    low: float | None = None
    high: float | None = None
    assumption: str = ""
    basis: tuple[Explanation, ...] = ()
    wording: str = ""
    awaited: bool = False

    @property
    def known(self) -> bool:
        """There is a value."""
        return self.amount is not None or bool(self.wording)

    @property
    def text(self) -> Text:
        """The value."""
        if self.awaited and not self.known:
            return verbatim("…")
        return verbatim(self.wording) if self.wording else amount_text(self.amount, self.unit)

    @property
    def marked(self) -> Text:
        """The value after its mark; without a value there is nothing to mark."""
        mark = MARKS[self.mark]
        return join(" ", (mark, self.text)) if mark and self.known else self.text

    @property
    def range(self) -> Text:
        """The interval, for example ``3.8 GiB to 4.4 GiB``; empty if one end is unknown or both are the same."""
        if self.low is None or self.high is None or self.low == self.high:
            return Text()
        return phrase("{low} to {high}", low=amount_text(self.low, self.unit), high=amount_text(self.high, self.unit))


AWAITED = Figure(awaited=True)
"""A number before the first answer."""

MARKS: dict[Mark, str] = {"measured": "✓", "scaled": "≈", "predicted": "~", "none": ""}


def amount_text(amount: float | None, unit: Unit) -> Text:
    """An amount with its unit, or "not available"."""
    return NOT_AVAILABLE if amount is None else _WRITERS[unit](amount)


_WRITERS: dict[Unit, Callable[[float], Text]] = {
    "bytes": format_bytes,
    "seconds": format_seconds,
    "count": format_count,
    "samples_per_s": lambda speed: format_count(speed) if speed >= FEW else format_number(speed, ".2g"),
    "percent": lambda percent: phrase("{percent} %", percent=format_number(percent, ".0f")),
    "watt_hours": lambda energy: phrase("{energy} Wh", energy=format_number(energy, ".3g")),
    "times": lambda factor: phrase("{factor} ×", factor=format_number(factor, ".1f")),
}


def measured(amount: float | None, unit: Unit, low: float | None = None, high: float | None = None) -> Figure:
    """What a run measured, with its spread."""
    return Figure(amount, unit, "measured" if amount is not None else "none", low, high)


def memory_mark(basis: MemoryBasis) -> Mark:
    """The mark of the memory that a prediction compares with what is allowed."""
    return "measured" if basis == "measured" else estimate_mark(basis)


def estimate_mark(basis: MemoryBasis) -> Mark:
    """The mark of what a run corrects but does not itself measure: parts of the memory, other batches, the host."""
    return "scaled" if basis in ("measured", "calibrated") else "predicted"


def time_mark(basis: TimeBasis) -> Mark:
    """The mark of predicted times."""
    return basis
