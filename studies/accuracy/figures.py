"""Statistics of predictions against truths."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """A prediction, its interval, and the truth, in the same unit; ``lowest`` to ``highest`` is the truth's scatter."""

    predicted: float
    truth: float
    low: float | None = None
    high: float | None = None
    highest: float | None = None

    @property
    def error(self) -> float:
        """Signed relative error."""
        return self.predicted / self.truth - 1

    @property
    def inside(self) -> bool | None:
        """Does the interval hold the truth; None without an interval."""
        if self.low is None or self.high is None:
            return None
        return self.low <= self.truth <= self.high


def percentile(values: Sequence[float], share: float) -> float | None:
    """Linear interpolation between the sorted values; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def summary(pairs: Sequence[Pair]) -> dict[str, float | int | None]:
    """The figures that every accuracy command reports.

    ``truth_above_high`` counts against the highest run of the truth where that is known.
    """
    errors = [abs(p.error) for p in pairs]
    inside = [p.inside for p in pairs if p.inside is not None]
    highs = [p for p in pairs if p.high is not None]
    return {
        "n": len(pairs),
        "median_error": statistics.median(errors) if errors else None,
        "p95_error": percentile(errors, 0.95),
        "worst_error": max(errors, default=None),
        "median_signed_error": statistics.median(p.error for p in pairs) if pairs else None,
        "coverage": share(inside),
        "truth_above_high": share([(p.highest or p.truth) > p.high for p in highs if p.high is not None]),
        "high_over_truth": statistics.median(p.high / p.truth for p in highs if p.high is not None) if highs else None,
    }


def share(answers: Sequence[bool]) -> float | None:
    """Share of yes; None of nothing."""
    return sum(answers) / len(answers) if answers else None


def rounded(value: object) -> object:
    """Figures with four digits behind the point, through lists and dictionaries."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: rounded(v) for name, v in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(v) for v in value]
    return value
