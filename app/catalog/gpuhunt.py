"""Offers from a folder of gpuhunt's tables (github.com/dstackai/gpuhunt): one CSV file for each provider.

Such a folder is what gpuhunt itself reads with ``GPUHUNT_CATALOG_DIR`` set (its ``_internal/catalog.py`` and
``_internal/models.py`` define the columns; ``catalog.zip`` holds the same files).  The user brings it; nothing is
fetched.  Prices are in USD an hour, memory in GB as the providers count it.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.catalog.clouds import CloudOffer
from app.catalog.gpu_names import match_reported
from app.catalog.table import MAX_TABLE_BYTES
from app.core.types.errors import StoreError
from app.core.types.machine import GpuSpec
from app.core.types.text import join, phrase
from app.core.types.units import GIB, format_day

FOLDER_VARIABLE = "GPUHUNT_CATALOG_DIR"
SOURCE = phrase("gpuhunt's table of this provider (github.com/dstackai/gpuhunt)")
COLUMNS = ("instance_name", "price", "gpu_count", "gpu_name", "gpu_memory", "memory", "spot")
MOST_BYTES = 8 * MAX_TABLE_BYTES
"""Tables of all regions are a few MB; a larger file is something else."""


def read_offers(folder: Path, gpus: tuple[GpuSpec, ...]) -> tuple[CloudOffer, ...]:
    """The cheapest offer of each instance type with cards that the card table knows.

    Args:
        folder: With one CSV file for each provider.
        gpus: The card table.

    Raises:
        StoreError: There is no table in the folder, or one of them is damaged.
    """
    paths = [path for path in sorted(folder.glob("*.csv")) if path.is_file()]  # no pipe, which would have us wait
    if not paths:
        raise StoreError(
            phrase("there are no tables of offers here"),
            expected=phrase("a folder of gpuhunt's CSV files"),
            received=str(folder),
            hint=phrase("unpack its catalog.zip and name that folder"),
        )
    found: dict[tuple[str, str], CloudOffer] = {}
    for path in paths:
        for row in _rows(path):
            offer, spot = _offer(path, row, gpus)
            if offer is not None:
                key = (offer.provider, offer.instance)
                found[key] = _cheaper(found.get(key), offer, spot=spot)
    return tuple(offer for offer in found.values() if offer.usd_per_hour < math.inf)


def _rows(path: Path) -> Iterable[dict[str, str]]:
    """The lines of a provider's table."""
    if path.stat().st_size > MOST_BYTES:
        raise StoreError(
            phrase("{path} is too large for a table of offers", path=path.name),
            received=phrase("{st_size} bytes", st_size=path.stat().st_size),
        )
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise StoreError(
                    phrase("{path} is no table of gpuhunt", path=path.name),
                    expected=", ".join(COLUMNS),
                    received=phrase("without {missing}", missing=join(", ", missing)),
                )
            for row in reader:
                yield {name: row.get(name) or "" for name in (*COLUMNS, "cpu")}  # a short line lacks its last cells
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise StoreError(phrase("{path} cannot be read", path=path.name), received=str(error)) from error


def _offer(path: Path, row: dict[str, str], gpus: tuple[GpuSpec, ...]) -> tuple[CloudOffer | None, bool]:
    """One row as an offer, and whether its price is that of a spot instance; None for what cannot be compared."""
    price, count = _number(row["price"]), _number(row["gpu_count"])
    ram_gb, vram_gb = _number(row["memory"]), _number(row["gpu_memory"])
    if not (row["instance_name"] and price and count and ram_gb) or not row["gpu_name"]:
        return None, False
    vram = round(vram_gb * GIB) if vram_gb else None
    spec = match_reported(row["gpu_name"], vram, gpus)
    if spec is None:
        return None, False
    date = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
    return CloudOffer(
        provider=path.stem,
        instance=row["instance_name"],
        gpu=spec.name,
        gpu_count=int(count),
        vcpus=_number(row["cpu"]),
        ram_bytes=round(ram_gb * GIB),
        vram_bytes_per_gpu=vram,
        usd_per_hour=price,
        usd_per_hour_spot=None,
        price_date=format_day(date),
        source=SOURCE,
    ), row["spot"].strip().lower() == "true"


def _cheaper(known: CloudOffer | None, offer: CloudOffer, *, spot: bool) -> CloudOffer:
    """The cheapest region of an instance type; spot prices beside those on demand."""
    if known is None:
        known = replace(offer, usd_per_hour=math.inf)
    if spot:
        return replace(known, usd_per_hour_spot=min(offer.usd_per_hour, known.usd_per_hour_spot or math.inf))
    return replace(known, usd_per_hour=min(offer.usd_per_hour, known.usd_per_hour))


def _number(text: str) -> float | None:
    """A finite number above 0, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number > 0 else None
