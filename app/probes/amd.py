"""AMD cards through the ``amdgpu`` driver's files (Documentation/gpu/amdgpu/driver-misc.rst, thermal.rst)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from app.core.types.machine import Gpu
from app.core.types.text import phrase
from app.probes import pci
from app.probes.tree import Probed, explained, list_dir, read_int, read_text

_NO_DRIVER = phrase("the amdgpu driver is not loaded for this card")
_REASONS = {
    "compute_capability": phrase("only NVIDIA cards have one"),
    "cuda_cores": phrase("only NVIDIA cards have them"),
    "bus_width_bits": phrase("amdgpu does not tell; the catalog may know the card"),
    "processes": phrase("amdgpu tells each process's memory only to that process's owner"),
}


def read_amd(root: Path, first_index: int = 0) -> list[Probed[Gpu]]:
    """All AMD cards of a Linux machine, numbered from ``first_index``."""
    return [_gpu(root, card, first_index + n) for n, card in enumerate(pci.cards(root, pci.AMD))]


def read_live(folder: Path) -> tuple[float | None, int | None]:
    """Utilization in percent and used bytes of a card, from its PCI folder."""
    busy = read_int(folder / "gpu_busy_percent")
    return None if busy is None else float(busy), read_int(folder / "mem_info_vram_used")


def _gpu(root: Path, card: pci.PciCard, index: int) -> Probed[Gpu]:
    """One card."""
    total, used = read_int(card.folder / "mem_info_vram_total"), read_int(card.folder / "mem_info_vram_used")
    gpu = pci.unread_gpu(root, card, index)
    if total is None:
        return explained(gpu, _REASONS, _NO_DRIVER)
    sensors = next(iter(list_dir(card.folder / "hwmon")), card.folder / "hwmon/none")
    power = _scaled(sensors / "power1_average", 1e-6)
    utilization, _ = read_live(card.folder)
    gpu = replace(
        gpu,
        name=read_text(card.folder / "product_name") or gpu.name,
        uuid=read_text(card.folder / "unique_id"),
        memory_total_bytes=total,
        memory_used_bytes=used,
        memory_free_bytes=None if used is None else total - used,
        sm_clock_max_mhz=_highest_state(read_text(card.folder / "pp_dpm_sclk")),
        memory_clock_max_mhz=_highest_state(read_text(card.folder / "pp_dpm_mclk")),
        power_limit_w=_scaled(sensors / "power1_cap", 1e-6),
        power_w=power if power is not None else _scaled(sensors / "power1_input", 1e-6),
        temperature_c=_scaled(sensors / "temp1_input", 1e-3),
        utilization_percent=utilization,
    )
    return explained(pci.with_link(gpu, card.folder), _REASONS, phrase("amdgpu does not tell"))


def _scaled(path: Path, factor: float) -> float | None:
    """A sensor in base units: the kernel writes microwatts and millidegrees."""
    value = read_int(path)
    return None if value is None else round(value * factor, 3)


def _highest_state(text: str | None) -> int | None:
    """The highest clock of a table such as ``1: 2304Mhz *``."""
    clocks = [int(mhz) for mhz in re.findall(r"(\d{1,9})\s*Mhz", text or "", re.IGNORECASE)]
    return max(clocks, default=None)
