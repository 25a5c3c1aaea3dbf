"""Operations that refinements have timed alone on this machine, kept for every network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.core.types.machine import DeviceRates, TimedOperation
from app.services.store.json_store import JsonStore

MOST_KEPT = 4000
"""The newest; a network has some dozens that are dear."""


class TimedOperations:
    """Operations by machine, framework build and device.

    Args:
        path: A JSON file; made when the first ones are kept.
    """

    def __init__(self, path: Path) -> None:
        self._store = JsonStore(path, list[TimedOperation])
        self._known: dict[str, tuple[TimedOperation, ...]] = {}
        self._joined: dict[str, DeviceRates] = {}

    def of(self, key: str) -> tuple[TimedOperation, ...]:
        """What was timed under a key (`app.services.store.cache_keys.rates_key`)."""
        if key not in self._known:
            self._known[key] = tuple(self._store.load(key) or ())
        return self._known[key]

    def keep(self, key: str, found: Sequence[TimedOperation]) -> None:
        """Keep what was timed; an operation that is timed again takes the place of the older figure."""
        if not found:
            return
        every = {(one.family, one.dimensions, one.variant): one for one in (*self.of(key), *found)}
        self._known[key] = tuple(every.values())[-MOST_KEPT:]
        self._joined.pop(key, None)
        self._store.save(key, list(self._known[key]))

    def join(self, key: str, rates: DeviceRates | None) -> DeviceRates | None:
        """A device's rates with what refinements have timed there."""
        if rates is None or not rates.operations or not self.of(key):
            return rates
        joined = self._joined.get(key)
        if joined is None:
            joined = replace(rates, operations=(*rates.operations, *self.of(key)))
            self._joined[key] = joined
        return joined
