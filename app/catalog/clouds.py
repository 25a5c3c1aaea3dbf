"""Rented machines and what an hour of them costs: ``resources/clouds.csv``.

Prices move daily: every row carries a date, and "indicative" means that it is a help for comparing, not an offer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from app.catalog.table import Columns, WrongCell, column_names, load_table, number, said, whole
from app.core.types.text import Text, phrase
from app.core.types.units import GIB

FILE = "clouds.csv"
Usd = Annotated[float, number(at_least=0.0001)]
Gib = Annotated[float, number(at_least=0.25)]


class _Columns(Columns, frozen=True):
    key = ("provider", "instance")

    provider: str
    instance: str
    gpu: str | None
    gpu_count: Annotated[int, whole()]
    ram_gib: Gib
    usd_per_hour: Usd
    price_date: str
    vcpus: Annotated[float, number(at_least=0.1)] | None = None
    vram_gib_per_gpu: Gib | None = None
    usd_per_hour_spot: Usd | None = None
    source: str | None = None


COLUMNS = column_names(_Columns)


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
    return load_table(FILE, _Columns, _parse, user_dir)


def _parse(row: _Columns) -> CloudOffer:
    """One offer."""
    if (row.gpu is None) != (row.gpu_count == 0):
        raise WrongCell("gpu", phrase("a card if gpu_count is above 0, and nothing if it is 0"))
    vram_gib = row.vram_gib_per_gpu
    return CloudOffer(
        provider=row.provider,
        instance=row.instance,
        gpu=row.gpu,
        gpu_count=row.gpu_count,
        vcpus=row.vcpus,
        ram_bytes=round(row.ram_gib * GIB),
        vram_bytes_per_gpu=None if vram_gib is None else round(vram_gib * GIB),
        usd_per_hour=row.usd_per_hour,
        usd_per_hour_spot=row.usd_per_hour_spot,
        price_date=said(row.price_date),
        source=said(row.source) if row.source else phrase("your own table"),
    )
