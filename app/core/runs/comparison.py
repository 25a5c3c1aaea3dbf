"""Which of several variants is faster: paired rounds, an interval for the ratio, and no winner by chance.

Every round times each variant once, one close after the other, in an order that turns round (A B, B A, A B …), so
that a machine that becomes slower or faster meets all of them alike.  The logarithms of the ratios of a round are
the sample.  Estimate and interval are Hodges and Lehmann's: the median of all means of two of them (Walsh
averages), and the pair of these that the signed-rank test cannot refuse (Hollander, Wolfe & Chicken, Nonparametric
Statistical Methods, 3rd ed., sections 3.2 and 3.3).  It asks for no normal distribution, and a round that
another program disturbed moves it little.  The number of rounds is fixed beforehand: whoever stops as soon as the
interval pleases finds winners in noise.

Times are per sample, so a ratio below 1 means faster.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from app.core.types.text import Text, phrase
from app.core.types.units import format_number

CONFIDENCE = 0.95
FEWEST_ROUNDS = 6
"""With fewer, no signed-rank interval has a confidence of 95 %."""

METHOD = phrase("Hodges-Lehmann estimate and 95 % signed-rank interval of the log ratio of paired rounds")

LOW_GPU_PERCENT = 40.0
BUSY_CPU_PERCENT = 50.0
"""A card that rests beside a processor that works waits for what the processor prepares (docs/evidence.md, "Case S4":
11 % beside 60 %)."""

Times = Mapping[str, Sequence[float | None]]
"""Seconds per sample of each variant, round by round; None where a variant did not take part."""


@dataclass(frozen=True)
class Ratio:
    """Time of one variant over time of another.

    ``low`` and ``high`` are None where there were too few rounds to say anything with confidence.
    """

    of: str
    to: str
    median: float
    low: float | None
    high: float | None
    rounds: int

    @property
    def faster(self) -> bool:
        """Is ``of`` faster, beyond chance?"""
        return self.high is not None and self.high < 1

    @property
    def slower(self) -> bool:
        """Is ``of`` slower, beyond chance?"""
        return self.low is not None and self.low > 1


def paired_ratio(times: Times, of: str, to: str) -> Ratio | None:
    """The ratio of two variants over the rounds in which both were timed; None without any."""
    both = zip(times.get(of, ()), times.get(to, ()), strict=False)
    logs = [math.log(mine / other) for mine, other in both if mine and other]
    if not logs:
        return None
    walsh = sorted((a + b) / 2 for i, a in enumerate(logs) for b in logs[i:])
    rank = _critical_rank(len(logs))
    low, high = (math.exp(walsh[rank - 1]), math.exp(walsh[-rank])) if rank else (None, None)
    return Ratio(of, to, math.exp(median(walsh)), low, high, len(logs))


def ratios(times: Times) -> tuple[Ratio, ...]:
    """Every variant against the first, and against the fastest where that is another one."""
    labels = [label for label, taken in times.items() if any(taken)]
    fastest = fastest_of(times)
    if fastest is None:
        return ()
    pairs = [(label, labels[0]) for label in labels[1:]]
    pairs += [(fastest, label) for label in labels[1:] if fastest not in (label, labels[0])]
    found = (paired_ratio(times, of, to) for of, to in pairs)
    return tuple(ratio for ratio in found if ratio is not None)


def winner(times: Times) -> str | None:
    """The variant that is faster than every other beyond chance; None if there is no such one.

    To be named it must pass all of its comparisons, so that several variants do not make a false winner likelier
    than two do (an intersection-union test: Berger 1982, Technometrics 24, 295-300).
    """
    labels = [label for label, taken in times.items() if any(taken)]
    best = fastest_of(times)
    if best is None or len(labels) < 2:
        return None
    found = (paired_ratio(times, best, label) for label in labels if label != best)
    return best if all(ratio is not None and ratio.faster for ratio in found) else None


def fastest_of(times: Times) -> str | None:
    """The variant whose median time is shortest; by chance or not."""
    medians = {label: median([t for t in taken if t]) for label, taken in times.items() if any(taken)}
    return min(medians, key=medians.__getitem__) if medians else None


def ratio_words(ratio: Ratio) -> Text:
    """A ratio for people."""
    if ratio.low is None or ratio.high is None:
        return phrase(
            "{of}: {rounds} rounds are too few to compare with {to}", of=ratio.of, rounds=ratio.rounds, to=ratio.to
        )
    if ratio.faster:
        return phrase(
            "{of} is {median} times as fast as {to} ({high} to {low})",
            of=ratio.of,
            median=format_number(1 / ratio.median, ".2f"),
            to=ratio.to,
            high=format_number(1 / ratio.high, ".2f"),
            low=format_number(1 / ratio.low, ".2f"),
        )
    if ratio.slower:
        return phrase(
            "{of} takes {median} times as long as {to} ({low} to {high})",
            of=ratio.of,
            median=format_number(ratio.median, ".2f"),
            to=ratio.to,
            low=format_number(ratio.low, ".2f"),
            high=format_number(ratio.high, ".2f"),
        )
    return phrase(
        "{of} and {to}: no difference that can be seen (between {percent} and {percent2} of the time)",
        of=ratio.of,
        to=ratio.to,
        percent=_percent(ratio.low),
        percent2=_percent(ratio.high),
    )


def waits_for_data(*, on_gpu: bool, gpu_percent: float | None, cpu_percent: float | None, bound_by: str | None) -> bool:
    """Does a variant wait for its data: as its own benchmark found, or by a resting card beside a busy processor?"""
    if bound_by in ("input", "disk"):
        return True
    if not on_gpu or gpu_percent is None or cpu_percent is None:
        return False
    return gpu_percent < LOW_GPU_PERCENT and cpu_percent >= BUSY_CPU_PERCENT


def _critical_rank(n: int) -> int:
    """Which Walsh average from either end bounds the interval; 0 if even the outermost does not.

    The signed-rank statistic of n values is a sum over a subset of 1..n, all subsets being equally likely; the rank
    is the largest whose tail P(sum < rank) is at most half of what the confidence leaves.
    """
    if n < FEWEST_ROUNDS:
        return 0
    counts = [1]
    for value in range(1, n + 1):
        shifted = [0] * value + counts
        counts = [count + moved for count, moved in zip(counts + [0] * value, shifted, strict=True)]
    tail, rank = 0, 0
    while (tail + counts[rank]) / 2**n <= (1 - CONFIDENCE) / 2:
        tail += counts[rank]
        rank += 1
    return rank


def _percent(ratio: float) -> str:
    """A ratio as a signed change, such as ``+5 %``; with a proper minus."""
    change = 100 * (ratio - 1)
    sign = "+" if change >= 0 else "−"
    return f"{sign}{abs(change):.1f} %" if abs(change) < 9.95 else f"{sign}{abs(change):.0f} %"
