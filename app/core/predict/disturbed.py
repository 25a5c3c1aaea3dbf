"""How much slower the machine was than it is alone while something was timed, and what that leaves of the timing.

Beside every timing a fixed piece of work is timed (`app.worker.rates.reference`).  It keeps all cores busy, as most of
a step does, so a load that slows it down slows the step down about as much: beside a busy core of two both took 1.7 to
2.4 times as long (docs/evidence.md, "Timings beside a load").  Where the reference took its usual time nothing was
disturbed, whatever else ran on other cores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from app.core.runs.doubts import BUSY_HOST_PERCENT
from app.core.types.measurement import Measurement

UNDISTURBED = 1.15
"""The reference itself scatters by so much on a machine that is left alone."""
WIDTH_PER_SLOWDOWN = 0.3
"""Of the interval, for each time that the machine was slower: how far steps and reference were slowed down differently
(docs/evidence.md, "Timings beside a load")."""
MOSTLY_PERCENT = 50.0
NEWEST, ENOUGH = 5, 3
"""The newest runs tell the machine's usual speed if so many of them were alone; else what it was measured with counts
too.  So a laptop that is slow on battery is not told its speed on mains power for ever."""


class Speed(NamedTuple):
    """What is known of the device while something was timed: the reference's time, and what others used of it."""

    reference_s: float | None
    others_percent: float | None

    @property
    def mostly_others(self) -> bool:
        """Did other programs have more of it than what was timed."""
        return self.others_percent is not None and self.others_percent > MOSTLY_PERCENT

    @property
    def beside_others(self) -> bool:
        """Did other programs take a notable part of it."""
        return self.others_percent is not None and self.others_percent >= BUSY_HOST_PERCENT


class Undone(NamedTuple):
    """By how much a run's time is divided for a slow machine, and how much wider that makes its interval."""

    slower: float
    width: float


def undo(slower: float, found: Measurement, *, beside_others: bool) -> Undone:
    """What a slow reference says of the steps beside it.

    Where it moved during the run and no program here explains that, as on a server that is shared with others, the
    steps may have had all of its slowdown or nothing: the half of it, in logarithms, is as far from the one as from the
    other.

    Args:
        slower: `slowdown` of the run.
        found: What it measured.
        beside_others: Other programs used the device meanwhile.
    """
    if beside_others or (found.reference_move or 0.0) <= UNDISTURBED - 1:
        return Undone(slower, WIDTH_PER_SLOWDOWN * (slower - 1))
    half = math.sqrt(slower)
    return Undone(half, half - 1)


def speed_of(found: Measurement, *, on_card: bool) -> Speed:
    """That of a run: what others used of the device that computed; runs stored without it tell it in a doubt."""
    told = {doubt.kind: doubt.value for doubt in found.doubts}
    if on_card:
        return Speed(found.reference_s, told.get("card_shared"))
    return Speed(found.reference_s, told.get("busy_host") if found.others_percent is None else found.others_percent)


def usual_reference_s(runs: Iterable[Speed], rates: Speed) -> float | None:
    """The reference's time on this machine when it is left alone, seconds; None if nobody has seen that.

    Others only delay: as long as there are few timings, the shortest one counts, whatever ran beside it.

    Args:
        runs: Of this device, the newest first.
        rates: When the device was measured.
    """
    seen = [speed for speed in runs if speed.reference_s]
    alone = [speed for speed in seen if not speed.beside_others][:NEWEST]
    if len(alone) < ENOUGH and rates.reference_s:
        seen, alone = [*seen, rates], alone if rates.beside_others else [*alone, rates]
    usual = alone if len(alone) >= ENOUGH else seen
    return min((speed.reference_s for speed in usual if speed.reference_s), default=None) if alone else None


def slowdown(speed: Speed, usual_s: float | None) -> float | None:
    """How many times as long things took as on the machine alone: 1 if nothing disturbed, None if nobody can tell.

    Args:
        speed: Then.
        usual_s: `usual_reference_s`.
    """
    if speed.reference_s and usual_s:
        ratio = speed.reference_s / usual_s
        return ratio if ratio > UNDISTURBED else 1.0
    return None if speed.beside_others else 1.0
