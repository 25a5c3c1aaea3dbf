"""The user's own price of a part or an offer: a row of their table, which takes the place of ours."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

from app.catalog.clouds import FILE as CLOUDS
from app.catalog.paths import resource_path
from app.catalog.prices import FILE as PRICES
from app.core.types.advice import Upgrade
from app.core.types.errors import UsageError
from app.core.types.text import phrase
from app.services.file_lock import file_lock
from app.services.whole_write import cannot_write, write_table

OWN_SOURCE = phrase("your own price")
_CURRENCY = re.compile(r"[A-Z]{3}")

Cells = dict[str, str]


def change_price(user_dir: Path, upgrade: Upgrade, price: float, currency: str, price_date: str) -> None:
    """Remember what an upgrade costs.

    Args:
        user_dir: Where the user's tables lie.
        upgrade: As the advice shows it.
        price: Of the part, or of an hour of the offer.
        currency: Such as ``EUR``; offers are in USD only.
        price_date: When it was asked for.

    Raises:
        UsageError: That is no price, or nobody knows which row the upgrade came from.
        StoreError: The table cannot be read or written.
    """
    if not (math.isfinite(price) and price > 0):
        raise UsageError(phrase("this is no price"), expected=phrase("a number above 0"), received=f"{price:g}")
    if not _CURRENCY.fullmatch(currency) or (upgrade.kind == "cloud" and currency != "USD"):
        expected = "USD" if upgrade.kind == "cloud" else phrase("a currency code such as USD")
        raise UsageError(phrase("this currency cannot be used"), expected=expected, received=currency)
    file = CLOUDS if upgrade.kind == "cloud" else PRICES
    path = user_dir / file
    try:
        with file_lock(path):
            own, ours = _read(path), _read(resource_path(file))
            row = _offer(upgrade, [*own, *ours]) if file == CLOUDS else _part(upgrade, [*own, *ours])
            cost = "usd_per_hour" if file == CLOUDS else "price"
            changed = row | {cost: f"{price:g}", "price_date": price_date, "source": OWN_SOURCE}
            if file == PRICES:
                changed["currency"] = currency
            _store(path, _with(own, changed, ("provider", "instance") if file == CLOUDS else ("kind", "name")))
    except OSError as error:
        raise cannot_write(path, error) from error


def _part(upgrade: Upgrade, rows: list[Cells]) -> Cells:
    """The row that a part's price came from; a card that had only a price at launch gets one."""
    kind = [row for row in rows if row.get("kind") == upgrade.kind]
    named = [row for row in kind if row["name"] == upgrade.name]
    same = [row for row in kind if _same_price(row, upgrade)]
    if named or same:
        return (named or same)[0]
    if upgrade.kind == "gpu":
        return {"kind": "gpu", "name": upgrade.name}
    raise UsageError(
        phrase("this price is in no table"),
        received=upgrade.name,
        hint=phrase("add a row to your own {prices}", prices=PRICES),
    )


def _offer(upgrade: Upgrade, rows: list[Cells]) -> Cells:
    """The row of an offer, whose spot price is dropped with the old one."""
    for row in rows:
        if f"{row.get('provider')} {row.get('instance')}" == upgrade.name:
            return row | {"usd_per_hour_spot": ""}
    raise UsageError(
        phrase("this offer is in no table"),
        received=upgrade.name,
        hint=phrase("add a row to your own {clouds}", clouds=CLOUDS),
    )


def _same_price(row: Cells, upgrade: Upgrade) -> bool:
    """Did an upgrade take its price from this row?"""
    try:
        price = float(row["price"])
    except ValueError:
        return False
    return (price, row["currency"], row["price_date"]) == (upgrade.price, upgrade.currency, upgrade.price_date)


def _read(path: Path) -> list[Cells]:
    """Rows of a table as texts; a missing one has none."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8-sig") as file:  # spreadsheets begin a table with a mark
        return [{k: v or "" for k, v in row.items() if k} for row in csv.DictReader(file)]


def _with(rows: list[Cells], changed: Cells, key: tuple[str, ...]) -> list[Cells]:
    """The rows, one of them changed or added."""
    name = tuple(changed.get(part) for part in key)
    return [row for row in rows if tuple(row.get(part) for part in key) != name] + [changed]


def _store(path: Path, rows: list[Cells]) -> None:
    """Write a table with the columns that any of its rows has."""
    write_table(path, dict.fromkeys(column for row in rows for column in row), rows)
