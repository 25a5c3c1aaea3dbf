"""Which batch size to try next, until the largest that runs and the fastest one are known.

Pure: a search is what was predicted and what came of the trials so far; `next_trial` answers with the next batch
or with the reason to stop.  The first trial stands where the upper end of the *prediction* comes up to the limit,
or the prediction itself to the limit less a headroom: a trial that runs teaches more than one that fails.  What it
really took corrects the prediction, and a second trial follows only where a batch notably larger should still fit.
After a failure the prediction is taken to be too low by more and more; between a batch that ran and one that did
not, what was measured decides, else the geometric middle.

Then speed: a batch half as large (or the one predicted to be best) shows whether the largest is worth its memory,
and whether it lies beyond a *cliff*: memory that spills into the host's does not fail, it only becomes several
times slower (docs/evidence.md, "A spill": 15 s become 50 to 90 s).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.core.predict.batch_sizes import GOOD_ENOUGH_THROUGHPUT, largest_that

HEADROOM = 0.05
"""Share of the limit that a trial leaves free: what an allocator takes differs by some per cent from run to run."""

NOTABLE = 1.05
"""A batch only so much larger is not worth a trial."""

BRACKET = 1.10
"""A batch that ran and one that failed so close together end the search."""

CLIFF_BRACKET = 2.1
"""Likewise for one that spilled: it costs a long trial each time, and nobody wants to train so near to it."""

TOO_LOW = 1.15
"""After each failure with nothing that ran, the prediction is taken to be too low by so much more."""

CLIFF = 0.6
"""A larger batch that makes fewer than this share of a smaller one's samples per second has spilled.  Caches of a
processor and noise cost less than a third; a spill costs two thirds and more (docs/evidence.md, "A spill")."""

SMALLER_TRIALS = 2
"""Batches below the largest that are tried for their speed."""

MOST_TRIALS = 12
FINENESS = 32
"""Batch sizes are rounded down to a multiple of 1/32 of their power of two: kernels dislike odd shapes."""

StoppedBy = Literal["headroom", "dataset_size", "out_of_memory", "time_cliff", "nothing_fits", "trials"]


@dataclass(frozen=True)
class Trial:
    """What came of one batch size.

    ``peak_bytes`` counts what the limit limits: the process on a CPU, the allocator's peak on a card.  ``spilled``
    tells that it ran, but was seen to spill or swap.
    """

    batch_size: int
    fits: bool
    samples_per_s: float | None = None
    peak_bytes: int | None = None
    spilled: bool = False


@dataclass(frozen=True)
class Search:
    """What is predicted, and the trials so far.

    Args:
        needed_bytes: Predicted need of a batch, comparable with ``limit_bytes`` and with `Trial.peak_bytes`.
        limit_bytes: What may be taken; None if nobody knows, then batches are doubled from ``start``.
        most: The largest batch that makes sense, such as the number of samples.
        start: Where to begin without a limit.
        predicted_best: The batch that is predicted to be nearly the fastest.
        upper_bytes: Upper end of the prediction's interval for a batch; None if it has none.
    """

    needed_bytes: Callable[[int], int]
    limit_bytes: int | None
    most: int
    start: int = 32
    predicted_best: int | None = None
    upper_bytes: Callable[[int], float] | None = None
    trials: tuple[Trial, ...] = ()

    def after(self, trial: Trial) -> Search:
        """The search with one more trial."""
        return replace(self, trials=(*self.trials, trial))

    def over_a_cliff(self, trial: Trial) -> bool:
        """Did a batch that ran spill: was that seen, or is it so slow beside a smaller one that it must have?"""
        if trial.spilled:
            return True
        smaller = [t.samples_per_s for t in self.trials if t.fits and t.batch_size < trial.batch_size]
        fastest = max((rate for rate in smaller if rate is not None), default=0.0)
        return trial.fits and trial.samples_per_s is not None and trial.samples_per_s < CLIFF * fastest

    @property
    def beyond(self) -> int | None:
        """The smallest batch that failed or spilled."""
        return min((t.batch_size for t in self.trials if not t.fits or self.over_a_cliff(t)), default=None)

    @property
    def good(self) -> tuple[Trial, ...]:
        """The trials that ran, below the first that failed or spilled, smallest first."""
        beyond = self.beyond
        ran = [t for t in self.trials if t.fits and (beyond is None or t.batch_size < beyond)]
        return tuple(sorted(ran, key=lambda trial: trial.batch_size))


def next_trial(search: Search) -> int | StoppedBy:
    """The batch to try next, or why there is none."""
    larger = _larger(search)
    if len(search.trials) >= MOST_TRIALS:
        return "trials"
    if isinstance(larger, int):
        return larger
    return _smaller(search) or larger


def largest_batch(search: Search) -> int | None:
    """The largest batch that ran without a spill; None if none did."""
    return search.good[-1].batch_size if search.good else None


def fast_batches(search: Search) -> tuple[int, ...]:
    """The batches that are nearly as fast as the fastest, smallest first."""
    rates = {trial.batch_size: trial.samples_per_s for trial in search.good if trial.samples_per_s is not None}
    fastest = max(rates.values(), default=0.0)
    return tuple(batch for batch, rate in rates.items() if rate >= GOOD_ENOUGH_THROUGHPUT * fastest)


def rounded_down(batch: int) -> int:
    """The batch as a multiple of 1/32 of its power of two; at most 3 % less."""
    grain = max(1, (1 << (batch.bit_length() - 1)) // FINENESS)
    return batch - batch % grain


def _larger(search: Search) -> int | StoppedBy:
    """A batch larger than what ran and smaller than what failed; or why it is not worth a trial."""
    low = largest_batch(search) or 0
    beyond = search.beyond
    high = search.most + 1 if beyond is None else beyond
    if high <= 1:
        return "nothing_fits"
    end = _end_of(search)
    bracket = {"out_of_memory": BRACKET, "time_cliff": CLIFF_BRACKET}.get(end, 1.0)
    if low and (high - low <= 1 or high <= bracket * low):
        return end
    aim = min(_aim(search), search.most)
    if low and aim <= NOTABLE * low:
        return "dataset_size" if aim == search.most and beyond is None else "headroom"
    if aim >= high:
        aim = round((low * high) ** 0.5) if low else high // 2
    rounded = aim if aim == search.most else rounded_down(aim)
    return max(low + 1, min(rounded, high - 1))


def _end_of(search: Search) -> StoppedBy:
    """Why there is nothing above the largest batch."""
    beyond = search.beyond
    if beyond is None:
        return "dataset_size"
    failed = any(trial.batch_size == beyond and not trial.fits for trial in search.trials)
    return "out_of_memory" if failed else "time_cliff"


def _aim(search: Search) -> int:
    """The largest batch that should leave the headroom, by all that is known; at least 1."""
    limit = search.limit_bytes
    known = [trial for trial in search.good if trial.peak_bytes is not None]
    if limit is None or (search.good and not known):
        return 2 * search.good[-1].batch_size if search.good else search.start
    expected = _corrected(search, known, limit)
    return max(1, largest_that(lambda batch: batch <= search.most and expected(batch) <= (1 - HEADROOM) * limit))


def _corrected(search: Search, known: list[Trial], limit_bytes: int) -> Callable[[int], float]:
    """The prediction, corrected by what ran (a factor, or a line through two trials) or failed."""
    predicted = search.needed_bytes
    if not known:
        failed = [trial.batch_size for trial in search.trials if not trial.fits]
        if not failed:
            upper = search.upper_bytes or predicted
            return lambda batch: max(predicted(batch), (1 - HEADROOM) * upper(batch))
        factor = max(1.0, limit_bytes / predicted(min(failed))) * TOO_LOW ** len(failed)
        return lambda batch: factor * predicted(batch)
    last = known[-1]
    peak, there = float(last.peak_bytes or 0), predicted(last.batch_size)
    slope = peak / there
    for trial in known[:-1]:
        before, away = float(trial.peak_bytes or 0), predicted(trial.batch_size)
        if there > 1.2 * away and peak > before:
            slope = (peak - before) / (there - away)
            break
    return lambda batch: peak + slope * (predicted(batch) - there)


def _smaller(search: Search) -> int | None:
    """A batch below the largest that may be faster; None once enough is known."""
    good = search.good
    if not good or good[-1].samples_per_s is None:
        return None
    top, ran = good[-1].batch_size, sum(trial.fits for trial in search.trials)
    wanted = good[0].batch_size // 2
    if ran == 1:
        best = search.predicted_best
        wanted = best if best is not None and top / 4 <= best <= 0.8 * top else top // 2
    elif ran > SMALLER_TRIALS or good[0].batch_size != _fastest(good):
        return None
    tried = {trial.batch_size for trial in search.trials}
    return wanted if wanted >= 1 and wanted not in tried else None


def _fastest(trials: tuple[Trial, ...]) -> int:
    """The batch of most samples per second."""
    return max(trials, key=lambda trial: trial.samples_per_s or 0.0).batch_size
