"""One correction of a predicted number, and the one way to apply it.

Whatever has been learnt of a prediction, from a run, a compilation, a probe or runs of other models, is a `Correction`:
a factor together with the interval about the corrected value.  `apply` is all that reads it, for memory and for time
alike, so that an interval cannot narrow unless its value has moved by the factor that comes with it, and whatever
follows from the value (parts, stages, epochs, the process in RAM) follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from app.core.types.basis import Explanation, Known, Range, Told
from app.core.types.text import Text


@dataclass(frozen=True)
class Interval:
    """The ends of an interval as factors of its value; ``below`` is at most 1, ``above`` at least 1."""

    below: float
    above: float

    @classmethod
    def of(cls, width: float) -> Interval:
        """As far below as above: ``width`` 0.1 is 10 % more, or the value over 1.1."""
        return cls(1 / (1 + width), 1 + width)

    @classmethod
    def about(cls, told: Range) -> Interval:
        """That of a value with its ends; the value is not 0."""
        return cls(min(1.0, told.low / told.value), max(1.0, told.high / told.value))


@dataclass(frozen=True)
class Correction:
    """What has been learnt of a predicted value.

    Attributes:
        factor: The truth over what was predicted.
        interval: About the corrected value, in which the truth is expected.
        basis: Where it comes from; None leaves the prediction's basis as it is.
        assumption: What the corrected number depends on most; empty leaves the prediction's.
        explanation: Lines for the basis.
        fixed: The part of the value, in its own unit, that neither factor nor interval touch: it is known exactly, such
            as the bytes of a dataset that is held as one array.
    """

    factor: float
    interval: Interval
    basis: Known | None = None
    assumption: Text = Text()
    explanation: tuple[Explanation, ...] = ()
    fixed: float = 0.0

    def of(self, told: Range) -> Range:
        """A value corrected, with its interval."""
        moved = (told.value - self.fixed) * self.factor
        return Range(
            self.fixed + moved, self.fixed + moved * self.interval.below, self.fixed + moved * self.interval.above
        )


ToldT = TypeVar("ToldT", bound=Told)


def apply(told: ToldT, correction: Correction | None) -> ToldT:
    """A prediction corrected; as it is where nothing corrects it, or nothing was predicted."""
    here = told.range
    if correction is None or here is None:
        return told
    return told.at(correction.of(here), correction.basis, correction.assumption, correction.explanation)
