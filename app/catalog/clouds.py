"""Rented machines and what an hour of them costs: ``resources/clouds.csv``.

Prices move daily: every row carries a date, and "indicative" means that it is a help for comparing, not an offer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.catalog.table import Row, Schema, load_table
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import GIB

FILE = "clouds.csv"
SCHEMA = Schema(
    required=("provider", "instance", "gpu", "gpu_count", "ram_gib", "usd_per_hour", "price_date"),
    optional=("vcpus", "vram_gib_per_gpu", "usd_per_hour_spot", "source"),
    key=("provider", "instance"),
)


@dataclass(frozen=True)
class CloudOffer:
    """One instance type.  ``gpu`` is a name of the card table, None for machines without a card."""

    provider: str
    instance: str
    gpu: str | None
    gpu_count: int
    vcpus: float | None
    ram_bytes: int
    vram_bytes_per_gpu: int | None
    usd_per_hour: float
    usd_per_hour_spot: float | None
    price_date: Text
    source: Text

    @property
    def name(self) -> str:
        """Provider and instance, as shown."""
        return f"{self.provider} {self.instance}"


def load_clouds(user_dir: Path | None = None) -> tuple[CloudOffer, ...]:
    """All offers, the user's own included.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, SCHEMA, _parse, user_dir)


def _parse(row: Row) -> CloudOffer:
    """One offer."""
    gpu, gpu_count = row.text_or_none("gpu"), row.integer("gpu_count")
    if (gpu is None) != (gpu_count == 0):
        raise row.error("gpu", phrase("a card if gpu_count is above 0, and nothing if it is 0"))
    vram_gib = row.number_or_none("vram_gib_per_gpu", at_least=0.25)
    return CloudOffer(
        provider=row.text("provider"),
        instance=row.text("instance"),
        gpu=gpu,
        gpu_count=gpu_count,
        vcpus=row.number_or_none("vcpus", at_least=0.1),
        ram_bytes=round(row.number("ram_gib", at_least=0.25) * GIB),
        vram_bytes_per_gpu=None if vram_gib is None else round(vram_gib * GIB),
        usd_per_hour=row.number("usd_per_hour", at_least=0.0001),
        usd_per_hour_spot=row.number_or_none("usd_per_hour_spot", at_least=0.0001),
        price_date=row.said_or_none("price_date") or verbatim(row.text("price_date")),
        source=row.said_or_none("source") or phrase("your own table"),
    )
