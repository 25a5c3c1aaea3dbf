"""How long operations take alone, from operations that were timed on this machine.

Operations of one family with near dimensions need nearly the same time for each unit of work.  What is timed seldom
has the very dimensions that are asked about, so the logarithms of time per work of the timed ones are averaged, each
weighted by the inverse cube of its distance in the logarithms of the dimensions (Shepard 1968): one with the very same
dimensions speaks alone, and far from all of them each counts alike.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core.timing.signatures import DIMENSIONS, Signature, vector_side
from app.core.types.machine import TimedOperation

Floats = NDArray[np.float64]

SAME = 1e-3
"""Distance within which dimensions are the same, in powers of two."""

LEAST_S = 2e-8
"""An operation takes some time besides its launch, however little the clock showed."""

_RELATED = (
    (" 3-D", ""),
    (", with a number", ""),
    (", spread", ""),
    (", transposed weight", ""),
    (", transposed", ""),
    ("einsum", "products"),
    ("products", "product"),
    ("depthwise", "convolution"),
)
"""How a family that nobody timed is called by its next of kin."""

LATE_BETWEEN_S = (1.5e-4, 3e-3)
"""Of one thread: operations that spread over all threads, and whose own scatter does not hide what that costs."""

UNTIMED = "list element"
"""The family of what is launched and does next to nothing."""
ORDINARY = "Mul"
"""The family of all kinds that were not timed: something is read and something is written."""


class SignatureTable:
    """The signatures of many operations as arrays, for one batch size after another.

    Most operations of a step have the family and dimensions of some other one: such a *sort* is looked up once.
    """

    def __init__(self, signatures: Sequence[Signature]) -> None:
        sorts = {(s.family, s.dimensions): None for s in signatures}
        number = {sort: index for index, sort in enumerate(sorts)}
        self.families = tuple(dict.fromkeys(family for family, _ in sorts))
        of_family = {family: index for index, family in enumerate(self.families)}
        self.family = np.array([of_family[family] for family, _ in sorts], dtype=int)
        """Of each sort, by its number."""
        self.sort = np.array([number[s.family, s.dimensions] for s in signatures], dtype=int)
        """Of each operation."""
        self._amounts = np.zeros((len(sorts), DIMENSIONS, 2))
        self._amounts[:, :, 0] = 1.0
        for row, (_, dimensions) in enumerate(sorts):
            for column, line in enumerate(dimensions):
                self._amounts[row, column] = line.fixed, line.per_sample
        self._work = np.array([(s.work.fixed, s.work.per_sample) for s in signatures]).reshape(-1, 2)
        self.trip_count = np.array([s.trip_count for s in signatures])

    def dimensions(self, batch_size: int) -> Floats:
        """Logarithms of the dimensions of each sort, to base 2."""
        values: Floats = self._amounts[:, :, 0] + self._amounts[:, :, 1] * batch_size
        return np.log2(np.maximum(values, 1.0))

    def work(self, batch_size: int) -> Floats:
        """Work of one run of each operation."""
        found: Floats = self._work[:, 0] + self._work[:, 1] * batch_size
        return found


class TimesAlone(NamedTuple):
    """What each operation of a table takes, in seconds, launch left out.

    ``call_s`` is what each costs however little there is to do (nearly all of Adam's update of a thousand numbers):
    what it takes beyond the pace of the largest one timed of its family, and no more than the smallest one takes.
    """

    every_s: Floats
    """With all threads."""
    single_s: Floats
    """With one thread."""
    call_s: Floats
    """Part of ``every_s``."""


class OpTimes:
    """What was timed, ready to be asked.

    Args:
        timed: Operations timed alone.
        threads: That they were timed with.  One that was not timed with a single thread too is taken to keep all
            of them busy, which promises no gain from running side by side.
        vector: Numbers that the processor computes at once.
    """

    def __init__(self, timed: Iterable[TimedOperation], threads: int = 1, vector: int = 1) -> None:
        kinds: dict[tuple[str, str], list[TimedOperation]] = {}
        useful = [one for one in timed if one.work > 0]
        for one in useful:
            kinds.setdefault((one.variant, one.family), []).append(one)
        late = late_s(useful, threads)
        self._plain = {
            family: _Samples(found, threads, vector, late) for (variant, family), found in kinds.items() if not variant
        }
        self._factors: dict[str, dict[str, float]] = {}
        for (variant, family), found in kinds.items():
            if variant and (plain := self._samples(family)) is not None:
                self._factors.setdefault(variant, {})[family] = _factor(found, plain)

    def __bool__(self) -> bool:
        return ORDINARY in self._plain

    def knows(self, variants: Iterable[str]) -> bool:
        """Was anything timed in each of these variants?"""
        return all(variant in self._factors for variant in variants)

    def alone(self, table: SignatureTable, batch_size: int, variants: Sequence[str] = ()) -> TimesAlone:
        """Times of each operation of a table alone."""
        dimensions = table.dimensions(batch_size)
        slowness, late_s = np.zeros((len(dimensions), 2)), np.zeros(len(dimensions))
        paces, least, factors = np.zeros(len(dimensions)), np.full(len(dimensions), LEAST_S), np.ones(len(dimensions))
        for number, family in enumerate(table.families):
            samples = None if family == UNTIMED else self._samples(family)
            sorts = table.family == number
            if samples is not None:
                factors[sorts] = math.prod(self._factor_of(variant, family) for variant in variants)
                slowness[sorts], late_s[sorts] = samples.at(dimensions[sorts])
                paces[sorts], least[sorts] = samples.pace, samples.least_s
        work, factor = table.work(batch_size), factors[table.sort]
        seconds = slowness[table.sort] * work[:, None]
        seconds[:, 0] += np.minimum(seconds[:, 0], late_s[table.sort])
        seconds = np.maximum(seconds * factor[:, None], LEAST_S)
        calls = np.clip(seconds[:, 0] - factor * paces[table.sort] * work, 0.0, factor * least[table.sort])
        seconds = seconds * table.trip_count[:, None]
        every, single = seconds[:, 0], np.maximum(seconds[:, 1], seconds[:, 0])
        return TimesAlone(every, single, calls * table.trip_count)

    def _samples(self, family: str) -> _Samples | None:
        """Of a family, its kin, or anything ordinary."""
        for name in _names(family):
            if name in self._plain:
                return self._plain[name]
        return self._plain.get(ORDINARY)

    def _factor_of(self, variant: str, family: str) -> float:
        """How many times as long a variant takes."""
        factors = self._factors.get(variant, {})
        return next((factors[name] for name in (*_names(family), ORDINARY) if name in factors), 1.0)


class _Samples:
    """Timed operations of one family, by the time of each unit of work of which nothing fills up vectors."""

    def __init__(self, timed: Sequence[TimedOperation], threads: int, vector: int, late_s: float) -> None:
        self._side, self._vector = vector_side(timed[0].family), vector
        dimensions = np.ones((len(timed), DIMENSIONS))
        for row, one in enumerate(timed):
            dimensions[row, : len(one.dimensions)] = one.dimensions
        self._points = np.log2(np.maximum(dimensions, 1.0))
        taken = np.array([max(one.seconds, LEAST_S) for one in timed])
        even = np.array([_single_s(one, threads) / threads for one in timed])
        self._late_s = np.clip(taken - even, 0.0, np.minimum(2 * late_s, taken / 2))
        all_threads = (taken - self._late_s) / np.array([one.work for one in timed])
        single = np.array([max(_single_s(one, threads), one.seconds, LEAST_S) / one.work for one in timed])
        self._slowness = np.log(np.stack([all_threads, single], axis=1)) - np.log(self._filled_up(self._points))
        work = [one.work for one in timed]
        self.pace = float(all_threads[np.argmax(work)])
        """Seconds per unit of work of the largest one, with all threads that begin together."""
        self.least_s = float(taken[np.argmin(work)])
        """Of the smallest one."""

    def at(self, points: Floats) -> tuple[Floats, Floats]:
        """At points in the logarithms of the dimensions: seconds per unit of work, and seconds of late threads."""
        squared = ((points[:, None, :] - self._points[None, :, :]) ** 2).sum(axis=2)
        weights = (squared + SAME**2) ** -1.5
        weights /= weights.sum(axis=1, keepdims=True)
        found: Floats = np.exp(weights @ self._slowness)
        return found * self._filled_up(points), weights @ self._late_s

    def _filled_up(self, points: Floats) -> Floats:
        """What is computed over what is asked for, where a side is no multiple of a vector."""
        if self._side is None:
            return np.ones((len(points), 1))
        side = np.rint(np.exp2(points[:, self._side : self._side + 1]))
        filled: Floats = np.ceil(side / self._vector) * self._vector / side
        return filled


def late_s(timed: Iterable[TimedOperation], threads: int) -> float:
    """What an operation takes longer with all threads than its even share of the work, the median; 0 if unknown.

    The threads that share an operation's work begin at different moments, and the last one decides: on two cores of a
    server 30 to 60 µs for operations of 0.1 to 0.4 ms, 70 to 100 µs for those of up to 3 ms, whatever their family.
    """
    low, high = LATE_BETWEEN_S
    late = [
        one.seconds - one.one_thread_s / threads
        for one in timed
        if not one.variant and one.one_thread_s is not None and low <= one.one_thread_s <= high
    ]
    return max(0.0, statistics.median(late)) if late and threads > 1 else 0.0


def _single_s(one: TimedOperation, threads: int) -> float:
    """With one thread."""
    return one.seconds * threads if one.one_thread_s is None else one.one_thread_s


def _factor(found: Sequence[TimedOperation], plain: _Samples) -> float:
    """Mean ratio of a variant's times to the plain ones at the same dimensions, geometrically."""
    logs = []
    for one in found:
        point = np.ones((1, DIMENSIONS))
        point[0, : len(one.dimensions)] = one.dimensions
        slowness, late_s = plain.at(np.log2(np.maximum(point, 1.0)))
        even_s = slowness[0, 0] * one.work
        logs.append(np.log(max(one.seconds, LEAST_S) / (even_s + min(even_s, late_s[0]))))
    return float(np.exp(np.mean(logs)))


def _names(family: str) -> list[str]:
    """A family's name and those of its kin, nearest first."""
    names = [family]
    for part, instead in _RELATED:
        if part in names[-1]:
            names.append(names[-1].replace(part, instead))
    return names
