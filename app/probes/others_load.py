"""What other programs use of the processor, over the time in which this one answers."""

from __future__ import annotations

import os

from app.probes.host_counters import HostTotals, read_totals

SHORTEST_S = 0.4
"""Processor seconds over all cores from which the kernel's ticks of 10 ms tell a share to a few per cent."""


class OthersLoad:
    """Counts from the moment it is made."""

    def __init__(self) -> None:
        self._before = read_totals(), _own_s()

    def percent(self) -> float | None:
        """Percent of the whole processor that others used since; None if it is not known or too short to tell."""
        (old, own_before_s), now, own_now_s = self._before, read_totals(), _own_s()
        return others_percent(old, now, own_now_s - own_before_s)


def others_percent(old: HostTotals, now: HostTotals, own_s: float) -> float | None:
    """The share of others between two readings, of which ``own_s`` processor seconds were ours."""
    if old.busy_s is None or old.all_s is None or now.busy_s is None or now.all_s is None:
        return None
    all_s = now.all_s - old.all_s
    if all_s < SHORTEST_S:
        return None
    return min(100.0, max(0.0, 100 * (now.busy_s - old.busy_s - own_s) / all_s))


def _own_s() -> float:
    """Processor seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
