"""Rows of hardware filtered and sorted as somebody looks at them; quick enough for every key that is pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from app.core.types.advice import Upgrade, UpgradeKind

Order = Literal["best", "price", "epoch", "total", "gain", "break_even", "batch", "name"]


@dataclass(frozen=True)
class Wanted:
    """Which rows, and in which order; ``best`` keeps the advice's own."""

    kinds: frozenset[UpgradeKind] = frozenset()
    """Of these kinds; all if empty."""
    text: str = ""
    """Part of the name, whatever its case."""
    most_price: float | None = None
    """Of what is bought; rent has its own scale and passes."""
    fitting: bool = False
    worth: bool = False
    usable: bool = False
    order: Order = "best"


def shortlist(rows: Iterable[Upgrade], wanted: Wanted) -> tuple[Upgrade, ...]:
    """The rows that are wanted, in the order that is wanted; unknown values last."""
    text = wanted.text.casefold()
    found = [
        row
        for row in rows
        if (not wanted.kinds or row.kind in wanted.kinds)
        and (not text or text in row.name.casefold())
        and (wanted.most_price is None or _affordable(row, wanted.most_price))
        and (not wanted.fitting or row.fits)
        and (not wanted.worth or row.worth)
        and (not wanted.usable or row.usable)
    ]
    if wanted.order == "name":
        found.sort(key=lambda row: row.name.casefold())
    elif wanted.order != "best":
        value = _VALUES[wanted.order]
        found.sort(key=lambda row: _last_if_unknown(value(row)))
    return tuple(found)


def _affordable(row: Upgrade, most_price: float) -> bool:
    """Does it cost no more; a price that nobody knows is none that one could agree to."""
    return row.kind == "cloud" or (row.price is not None and row.price <= most_price)


def _last_if_unknown(value: float | None) -> tuple[bool, float]:
    """A key that puts None behind every number."""
    return (value is None, value or 0.0)


def _negative(value: float | None) -> float | None:
    """For the largest first."""
    return None if value is None else -value


_VALUES: dict[str, Callable[[Upgrade], float | None]] = {
    "price": lambda row: row.price,
    "epoch": lambda row: row.epoch_s,
    "total": lambda row: row.total_s,
    "gain": lambda row: _negative(row.gain_limit),
    "break_even": lambda row: row.break_even_hours,
    "batch": lambda row: _negative(row.max_batch_size),
}
