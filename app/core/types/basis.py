"""What a number rests on: its interval, where it is known from, and the lines that explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, Self

from app.core.types.text import Text, phrase

Known = Literal["measured", "compiled", "carried"]
"""Where a correction comes from: a run of the very same plan, its compilation, or something that is carried to it."""

MemoryBasis = Literal["formula", "traced", "compiled", "calibrated", "measured"]
TimeBasis = Literal["predicted", "scaled", "measured"]

BASES: dict[MemoryBasis | TimeBasis, Text] = {
    "formula": phrase("formula"),
    "traced": phrase("traced"),
    "compiled": phrase("compiled"),
    "calibrated": phrase("calibrated"),
    "measured": phrase("measured"),
    "predicted": phrase("predicted"),
    "scaled": phrase("scaled"),
}
"""What a number is based on, in a word."""


@dataclass(frozen=True)
class Explanation:
    """One line of a "basis": a quantity, its live value, the formula and where it comes from."""

    name: Text
    value: Text
    formula: Text = Text()
    source: Text = Text()


class Range(NamedTuple):
    """A value and between which the truth is expected, in the value's unit."""

    value: float
    low: float
    high: float

    @property
    def ordered(self) -> Range:
        """With ends that hold the value."""
        return Range(self.value, min(self.value, self.low), max(self.value, self.high))


class Told(Protocol):
    """What is told of a step's memory or time: a whole record for the batch that is asked about, figures for others."""

    @property
    def range(self) -> Range | None:
        """The value with its interval; None where nobody knows it."""

    def at(
        self, told: Range, known: Known | None = None, assumption: Text = Text(), lines: tuple[Explanation, ...] = ()
    ) -> Self:
        """The same step with another value; all that follows from it follows.

        Args:
            told: The value and its interval.
            known: Where they come from; None leaves the basis as it is.
            assumption: What they depend on most; empty leaves that as it is.
            lines: What is added to the explanation.
        """
