"""What parts and energy cost: ``resources/prices.csv``.  Dated and indicative; a user's own table overrides it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from app.catalog.table import Row, Schema, load_table
from app.core.types.machine import GpuSpec
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import GIB, format_day

FILE = "prices.csv"
SCHEMA = Schema(
    required=("kind", "name", "price", "currency", "price_date"),
    optional=("capacity_gib", "read_mb_s", "source", "cores"),
    key=("kind", "name"),
)
PriceKind = Literal["ram", "disk", "gpu", "electricity", "cpu"]
KINDS = ("ram", "disk", "gpu", "electricity", "cpu")


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
    return load_table(FILE, SCHEMA, _parse, user_dir)


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


def _parse(row: Row) -> Price:
    """One price."""
    capacity_gib = row.number_or_none("capacity_gib", at_least=0.25)
    read_mb_s = row.number_or_none("read_mb_s", at_least=1)
    return Price(
        kind=cast("PriceKind", row.choice("kind", KINDS)),
        name=row.text("name"),
        price=row.number("price"),
        currency=row.matching("currency", r"[A-Z]{3}", phrase("a currency code such as USD")),
        price_date=row.said_or_none("price_date") or verbatim(row.text("price_date")),
        source=row.said_or_none("source") or phrase("your own table"),
        capacity_bytes=None if capacity_gib is None else round(capacity_gib * GIB),
        read_bytes_per_s=None if read_mb_s is None else read_mb_s * 1e6,
        cores=row.integer_or_none("cores", at_least=1),
    )
