"""What runs that other people shared say of a prediction: a little, and never more than the prediction says of itself.

Nobody knows who wrote a shared file, how often they wrote it, or whether it is true.  So the rule is not that of one's
own runs (`app.core.predict.intervals`), but one that holds whatever the files say:

* A run that lies farther from the prediction than `DOUBTFUL` half-widths of its interval, as it was before anything
  corrected it, is doubtful and left out.
* Of the others the median counts, cut off at the interval's end: as long as fewer than half of them are forged, it lies
  among what honest ones say (the median's breakdown point: Huber & Ronchetti, Robust Statistics, 2nd ed., section 1.4).
* All of them together weigh at most as much as the prediction, which counts like `PRIOR_WEIGHT` runs: the value goes at
  most half of the way to the interval's end, and so never out of it, were there a thousand.
* The interval never narrows, because a narrow one is what a forger would want.  It is never narrower than the errors
  that were seen, and so at most `DOUBTFUL` times as wide as it first was.

A run of one's own moves a prediction all of the way (`app.core.predict.corrections`), and where there is one, shared
runs say nothing.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.predict.correction import Correction, Interval
from app.core.predict.intervals import PRIOR_WEIGHT, Sharpening, half_widths, seen_width
from app.core.types.basis import Explanation, Range
from app.core.types.text import phrase, plural
from app.core.types.units import format_number

DOUBTFUL = 2.0
"""Half-widths.  An interval holds nine of ten truths (`app.core.predict.intervals.COVERAGE`); twice as far off lies one
of a thousand if errors are normal, and one of fifty with the tails of Student's t of three
degrees."""


@dataclass(frozen=True)
class Strangers:
    """What shared runs of a model on machines like this one measured: logarithms of measured over predicted.

    Predicted is what is said here and now of the run's own plan without any run, whatever the file claims was.
    """

    memory: tuple[float, ...] = ()
    time: tuple[float, ...] = ()


def believed(errors: Sequence[float], raw: Range, fixed: float = 0.0) -> tuple[float, ...]:
    """The errors that are not doubtful.

    Args:
        errors: Of shared runs (`Strangers`).
        raw: The prediction before anything corrected it, which the errors are of.
        fixed: The part of it that is known exactly.
    """
    if raw.value <= fixed:
        return ()
    below, above = half_widths(*(end - fixed for end in raw))
    return tuple(error for error in errors if -DOUBTFUL * below <= error <= DOUBTFUL * above)


def weigh(scores: Sequence[float]) -> Sharpening:
    """The rule of this module, for errors that are believed, in half-widths of the interval, signed."""
    if not scores:
        return Sharpening()
    weight = min(len(scores), PRIOR_WEIGHT)
    shift = max(-1.0, min(1.0, statistics.median(scores))) * weight / (weight + PRIOR_WEIGHT)
    return Sharpening(max(1.0, seen_width(scores)), shift, len(scores))


def of_strangers(
    told: Range | None, errors: Sequence[float], *, raw: Range | None, fixed: float = 0.0
) -> Correction | None:
    """What shared runs make of a prediction; its basis stays what it was.

    Args:
        told: The prediction, with what else has corrected it.
        errors: Of the shared runs (`Strangers`).
        raw: The prediction before anything corrected it, which the errors are of.
        fixed: The part of both that is known exactly.
    """
    if told is None or raw is None or not errors or min(told.value, raw.value) <= fixed:
        return None
    own = Range(*(end - fixed for end in told))
    below, above = half_widths(*own)
    moved = math.log(own.value / (raw.value - fixed))
    left = [error - moved for error in believed(errors, raw, fixed)]
    found = weigh([error / (above if error > 0 else below) for error in left])
    sharpened = Range(*found.applied(*own)) if left else own
    factor = sharpened.value / own.value
    line = _explain(found, factor, len(errors) - len(left))
    return Correction(factor, Interval.about(sharpened.ordered), explanation=(line,), fixed=fixed)


def _explain(found: Sharpening, factor: float, doubtful: int) -> Explanation:
    """How shared runs changed a number and its interval."""
    effect = phrase(
        "interval × {width}, never narrower; together they count at most as much as the prediction",
        width=format_number(found.width, ".2f"),
    )
    if doubtful:
        effect = phrase("{effect}; {n} left out as doubtful", effect=effect, n=doubtful)
    name = plural(
        "1 shared run of this model on a machine like this",
        "{n} shared runs of this model on machines like this",
        found.models,
        n=found.models,
    )
    value = phrase("value × {factor}", factor=format_number(factor, ".3f"))
    return Explanation(name, value, effect, phrase("files of other people"))
