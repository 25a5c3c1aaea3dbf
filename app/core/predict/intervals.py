"""How far to trust a prediction, from how earlier ones came out: the rule that narrows or widens an interval.

A prediction comes with an interval.  Every run that was predicted beforehand says how many of its own
half-widths the prediction was off: its *score*, 1 at the edge of the interval.  From the scores follows one
factor for the half-widths of a new prediction:

* The interval as it came counts like `PRIOR_WEIGHT` runs that just confirmed it: log errors are taken as
  normal with an unknown scale whose prior is inverse gamma, so that the predictive half-width is that of
  Student's t (Gelman et al., Bayesian Data Analysis, 3rd ed., section 2.6).  Without a run the factor is 1; each hit
  narrows a little, each miss widens, and no single run does much.
* It is never below what was seen: the order statistic that split conformal prediction would take (Lei et al.,
  JASA 2018, section 2.2), which is the worst score until there are nine.  This holds for any distribution of errors.

The value itself moves only as far as the runs agree on a bias (`agreed_bias`), and inside the interval.

Errors are those of the prediction itself, not deviations from their own mean: a machine on which everything
needs a tenth more than predicted, run after run, keeps an interval that holds this tenth.  Runs of one model
are no independent witnesses and count as one, their worst (`scores_by_model`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.types.track_record import Judged

COVERAGE = 0.9
"""Share of truths that an interval is meant to hold (`app.core.predict.memory.MemoryInterval`)."""

PRIOR_WEIGHT = 8
"""Runs that the interval as it came is worth.  With 8, simulated errors of the prior's own scale (normal, Laplace,
Student's t with 3 degrees) stay inside in nine of ten cases for any number of runs; with 4, in 86 %."""

MIN_WIDTH = 0.001
"""Relative; a narrower half-width counts as this one, so that a score stays finite."""

MAX_WIDTH = 10.0
"""Log half-width of an interval that reaches down to nothing."""

_NORMAL_95 = 1.6448536269514722


@dataclass(frozen=True)
class Sharpening:
    """What earlier predictions say of a new one, in half-widths of its interval.

    ``shift`` moves the value inside the interval (positive is up), ``width`` stretches the interval about the
    value as it was.  ``models`` tells how many other models stand behind it.
    """

    width: float = 1.0
    shift: float = 0.0
    models: int = 0

    def applied(self, value: float, low: float, high: float) -> tuple[float, float, float]:
        """(value, low, high) of a prediction, sharpened."""
        below, above = half_widths(value, low, high)
        moved = value * math.exp(self.shift * (above if self.shift > 0 else below))
        return moved, value * math.exp(-self.width * below), value * math.exp(self.width * above)


def score(judged: Judged) -> float:
    """Log error in half-widths of the interval on its side; positive if more came than was predicted."""
    error = math.log(judged.measured / judged.predicted)
    below, above = half_widths(judged.predicted, judged.low, judged.high)
    return error / (above if error > 0 else below)


def half_widths(value: float, low: float, high: float) -> tuple[float, float]:
    """Log half-widths of an interval, below and above its value."""
    below = math.log(value / low) if low > 0 else math.inf
    return max(MIN_WIDTH, min(below, MAX_WIDTH)), max(MIN_WIDTH, math.log(high / value))


def sharpen(scores: Sequence[float]) -> Sharpening:
    """The rule, for one signed score of each other model."""
    return Sharpening(width_factor(scores), agreed_bias(scores), len(scores)) if scores else Sharpening()


def agreed_bias(scores: Sequence[float]) -> float:
    """The bias that the runs agree on: the end nearest to 0 of the interval of their median; 0 if it holds 0.

    The interval is that of the sign test, which assumes nothing of the errors (Conover, Practical Nonparametric
    Statistics, 3rd ed., section 3.2).  Five runs all on one side are the fewest that agree.
    """
    ordered, count = sorted(scores), len(scores)
    below, tail = 0, 2 * 0.5**count
    while tail <= 1 - COVERAGE:
        below += 1
        tail += 2 * math.comb(count, below) * 0.5**count
    if not below:
        return 0.0
    low, high = ordered[below - 1], ordered[count - below]
    return max(low, 0.0) + min(high, 0.0)


def width_factor(scores: Sequence[float]) -> float:
    """By how much to stretch half-widths, after these scores (signed or not): 1 without any.

    Grows with every single |score|, and is never below `seen_width`.
    """
    count = len(scores) + PRIOR_WEIGHT
    prior_t = student_t_95(PRIOR_WEIGHT)
    scale = (PRIOR_WEIGHT + prior_t**2 * math.fsum(s * s for s in scores)) / count
    return max(student_t_95(count) / prior_t * math.sqrt(scale), seen_width(scores))


def seen_width(scores: Sequence[float]) -> float:
    """The half-width that holds the share `COVERAGE` of what was seen and of one more like it; 0 without any."""
    if not scores:
        return 0.0
    rank = min(len(scores), math.ceil((len(scores) + 1) * COVERAGE))
    return sorted(abs(s) for s in scores)[rank - 1]


def scores_by_model(judged: Iterable[tuple[str, float]]) -> tuple[float, ...]:
    """One score for each model, the one farthest from 0, in the order in which the models come.

    Args:
        judged: Model and score of each run.
    """
    worst: dict[str, float] = {}
    for model, score in judged:
        if abs(score) >= abs(worst.get(model, 0.0)):
            worst[model] = score
    return tuple(worst.values())


def repeat_width(values: Sequence[float], width: float) -> float:
    """Relative half-width about the first of several measurements of the same thing.

    Args:
        values: Measurements, the one to trust first.
        width: Relative half-width that a single measurement is worth.
    """
    unit = math.log1p(width)
    scores = [math.log(value / values[0]) / unit for value in values[1:]]
    return math.expm1(unit * width_factor(scores))


def student_t_95(degrees: int) -> float:
    """95th percentile of Student's t, by its expansion in 1/degrees (Abramowitz & Stegun 26.7.5); 8 or more."""
    z, n = _NORMAL_95, degrees
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
