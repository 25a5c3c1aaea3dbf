"""Operations that refinements have timed alone on this machine, kept for every network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.core.predict.disturbed import Speed
from app.core.types.machine import DeviceRates, TimedOperation
from app.services.store.json_store import JsonStore

MOST_KEPT = 4000
"""The newest; a network has some dozens that are dear."""


def counts(one: TimedOperation) -> bool:
    """Was an operation timed on a machine that was left alone?

    Beside others one that spreads over all cores takes as long as on those that are left, which are not known; and it
    would count for every network.  One that was stored before this was noted counts.
    """
    return not Speed(one.reference_s, one.others_percent).beside_others


class TimedOperations:
    """Operations by machine, framework build and device.

    Args:
        path: A JSON file; made when the first ones are kept.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, list[TimedOperation])
        self._joined: dict[str, tuple[DeviceRates, list[TimedOperation], DeviceRates]] = {}

    def of(self, key: str) -> list[TimedOperation]:
        """What was timed under a key (`app.services.store.cache_keys.rates_key`)."""
        return self._store.load(key) or []

    def keep(self, key: str, found: Sequence[TimedOperation]) -> None:
        """Keep what was timed; an operation that is timed again takes the place of the older figure."""
        found = [one for one in found if counts(one)]
        if not found:
            return
        every = {(one.family, one.dimensions, one.variant): one for one in (*self.of(key), *found)}
        self._store.save(key, list(every.values())[-MOST_KEPT:])

    def join(self, key: str, rates: DeviceRates | None) -> DeviceRates | None:
        """A device's rates with what refinements have timed there; the same object as long as neither changes."""
        timed = self.of(key)
        if rates is None or not rates.operations or not timed:
            return rates
        known = self._joined.get(key)
        if known is None or known[0] is not rates or known[1] is not timed:
            known = (rates, timed, replace(rates, operations=(*rates.operations, *timed)))
            self._joined[key] = known
        return known[2]
