"""What parts and energy cost: ``resources/prices.csv``.  Dated and indicative; a user's own table overrides it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from app.catalog.table import Columns, load_table, matching, number, said, whole
from app.core.types.machine import GpuSpec
from app.core.types.text import Text, phrase
from app.core.types.units import GIB, format_day

FILE = "prices.csv"
PriceKind = Literal["ram", "disk", "gpu", "electricity", "cpu"]


class _Columns(Columns, frozen=True):
    key = ("kind", "name")

    kind: PriceKind
    name: str
    price: Annotated[float, number()]
    currency: Annotated[str, matching("[A-Z]{3}", phrase("a currency code such as USD"))]
    price_date: str
    capacity_gib: Annotated[float, number(at_least=0.25)] | None = None
    read_mb_s: Annotated[float, number(at_least=1)] | None = None
    source: str | None = None
    cores: Annotated[int, whole(at_least=1)] | None = None


@dataclass(frozen=True)
class Price:
    """A part, or a kilowatt hour (kind ``electricity``), and what it costs."""

    kind: PriceKind
    name: str
    price: float
    currency: str
    price_date: Text
    source: Text = Text()
    capacity_bytes: int | None = None
    read_bytes_per_s: float | None = None
    """Sequential read rate that such drives are sold with; what a loader gets is less."""
    cores: int | None = None
    """Of a processor."""


def load_prices(user_dir: Path | None = None) -> tuple[Price, ...]:
    """All prices, the user's own included.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, _Columns, _parse, user_dir)


def prices_of(kind: PriceKind, prices: Iterable[Price]) -> tuple[Price, ...]:
    """The prices of one kind, in the order of the table."""
    return tuple(price for price in prices if price.kind == kind)


def gpu_price(spec: GpuSpec, prices: Iterable[Price]) -> Price | None:
    """The street price of a card, else its price at launch, else None."""
    for price in prices:
        if price.kind == "gpu" and price.name == spec.name:
            return price
    if spec.launch_price_usd is None:
        return None
    date = (
        phrase("{launch_date} (at launch)", launch_date=format_day(spec.launch_date))
        if spec.launch_date
        else phrase("at launch")
    )
    return Price("gpu", spec.name, spec.launch_price_usd, "USD", date, spec.source, spec.memory_bytes)


def _parse(row: _Columns) -> Price:
    """One price."""
    return Price(
        kind=row.kind,
        name=row.name,
        price=row.price,
        currency=row.currency,
        price_date=said(row.price_date),
        source=said(row.source) if row.source else phrase("your own table"),
        capacity_bytes=None if row.capacity_gib is None else round(row.capacity_gib * GIB),
        read_bytes_per_s=None if row.read_mb_s is None else row.read_mb_s * 1e6,
        cores=row.cores,
    )
