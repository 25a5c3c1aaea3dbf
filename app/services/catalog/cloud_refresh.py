"""Offers that the user brought (a folder of gpuhunt's tables) take the place of those that ship with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.catalog.clouds import COLUMNS, FILE, CloudOffer
from app.catalog.gpuhunt import read_offers
from app.core.types.machine import GpuSpec
from app.core.types.units import GIB
from app.services.whole_write import cannot_write, write_table, write_whole


def refresh_clouds(folder: Path, overrides: Path, gpus: tuple[GpuSpec, ...]) -> int:
    """Write the user's own ``clouds.csv`` from a folder of tables; the file that was there is kept as ``.old``.

    Args:
        folder: gpuhunt's tables.
        overrides: The folder of the user's own catalog.
        gpus: The card table.

    Returns:
        How many offers there are.

    Raises:
        StoreError: The tables, or the folder to write to, cannot be used.
    """
    offers = read_offers(folder, gpus)
    path = overrides / FILE
    try:
        if path.exists():
            write_whole(path.with_suffix(".csv.old"), path.read_bytes())
        write_table(path, COLUMNS, map(_cells, offers))
    except OSError as error:
        raise cannot_write(path, error) from error
    return len(offers)


def _cells(offer: CloudOffer) -> dict[str, Any]:
    """An offer as a row of our table."""
    return {
        "provider": offer.provider,
        "instance": offer.instance,
        "gpu": offer.gpu,
        "gpu_count": offer.gpu_count,
        "ram_gib": offer.ram_bytes / GIB,
        "usd_per_hour": offer.usd_per_hour,
        "price_date": offer.price_date,
        "vcpus": offer.vcpus,
        "source": offer.source,
        "usd_per_hour_spot": offer.usd_per_hour_spot,
        "vram_gib_per_gpu": None if offer.vram_bytes_per_gpu is None else offer.vram_bytes_per_gpu / GIB,
    }
