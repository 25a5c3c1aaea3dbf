"""Intel graphics through the ``i915`` and ``xe`` drivers' files.

The chip's own graphics (always at bus address 00:02.0) share the machine's memory; Arc and data-centre
cards have their own: ``xe`` tells its size per tile, ``i915`` for the card.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.core.types.machine import Gpu
from app.core.types.text import phrase
from app.probes import pci
from app.probes.tree import Probed, explained, list_dir, read_int

_INTEGRATED_SLOT = "00:02.0"
_REASONS = {
    "compute_capability": phrase("only NVIDIA cards have one"),
    "cuda_cores": phrase("only NVIDIA cards have them"),
    "memory_used_bytes": phrase("Intel's driver tells the use of its memory only to root"),
    "memory_free_bytes": phrase("Intel's driver tells the use of its memory only to root"),
    "utilization_percent": phrase("Intel's driver tells it only through performance counters"),
}


def read_intel(root: Path, first_index: int = 0, ram_bytes: int | None = None) -> list[Probed[Gpu]]:
    """All Intel graphics of a Linux machine.

    Args:
        root: ``/``, or a recorded machine.
        first_index: Number of the first card.
        ram_bytes: Host memory, which integrated graphics share.
    """
    return [_gpu(root, card, first_index + n, ram_bytes) for n, card in enumerate(pci.cards(root, pci.INTEL))]


def _gpu(root: Path, card: pci.PciCard, index: int, ram_bytes: int | None) -> Probed[Gpu]:
    """One card or one chip's graphics."""
    integrated = card.address.endswith(_INTEGRATED_SLOT)
    sensors = next(iter(list_dir(card.folder / "hwmon")), card.folder / "hwmon/none")
    limit = read_int(sensors / "power1_max")
    gpu = replace(
        pci.unread_gpu(root, card, index),
        unified=integrated,
        memory_total_bytes=ram_bytes if integrated else _own_memory_bytes(card.folder),
        sm_clock_max_mhz=_clock_mhz(card.folder),
        power_limit_w=None if limit is None else limit / 1e6,
    )
    if not integrated:
        gpu = pci.with_link(gpu, card.folder)
    driver = card.driver or phrase("no driver is loaded: it")
    return explained(gpu, _REASONS, phrase("{driver} does not tell", driver=driver))


def _own_memory_bytes(folder: Path) -> int | None:
    """A card's memory: all tiles of ``xe``, or what ``i915`` tells."""
    tiles = [read_int(tile / "physical_vram_size_bytes") for tile in list_dir(folder) if tile.name.startswith("tile")]
    known = [size for size in tiles if size]
    if known:
        return sum(known)
    sizes = [read_int(drm / "lmem_total_bytes") for drm in list_dir(folder / "drm") if drm.name.startswith("card")]
    return next((size for size in sizes if size), None)


def _clock_mhz(folder: Path) -> int | None:
    """The highest clock, by either driver's file."""
    found = [read_int(p) for p in folder.glob("tile*/gt*/freq0/max_freq")]
    found += [read_int(p) for p in folder.glob("drm/card*/gt_max_freq_mhz")]
    return max((mhz for mhz in found if mhz), default=None)
