"""Cards on the PCI bus of a Linux machine: found even when no driver speaks for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.types.machine import Gpu
from app.probes.tree import list_dir, read_int, read_text

NVIDIA, AMD, INTEL = 0x10DE, 0x1002, 0x8086
_DISPLAY_CLASS = 0x03
_ID_FILES = ("usr/share/hwdata/pci.ids", "usr/share/misc/pci.ids", "var/lib/pciutils/pci.ids")
_VENDOR_WORD = {NVIDIA: "NVIDIA", AMD: "AMD", INTEL: "Intel"}


@dataclass(frozen=True)
class PciCard:
    """A display controller or accelerator on the bus."""

    address: str
    vendor: int
    device: int
    folder: Path
    driver: str | None = None


def cards(root: Path, vendor: int) -> list[PciCard]:
    """Display controllers of one maker, in order of address."""
    found = []
    for folder in list_dir(root / "sys/bus/pci/devices"):
        kind, device = read_int(folder / "class"), read_int(folder / "device")
        if kind is None or device is None or kind >> 16 != _DISPLAY_CLASS or read_int(folder / "vendor") != vendor:
            continue
        driver = (folder / "driver").resolve().name if (folder / "driver").exists() else None
        found.append(PciCard(folder.name, vendor, device, folder, driver))
    return found


def card_name(root: Path, card: PciCard) -> str:
    """The name in the system's list of PCI ids, else the ids themselves."""
    maker = _VENDOR_WORD.get(card.vendor, "")
    for place in _ID_FILES:
        name = _look_up(root / place, card)
        if name is not None:
            marketing = re.search(r"\[(.+)\]", name)  # "Navi 31 [Radeon RX 7900 XT/7900 XTX]"
            return f"{maker} {marketing[1] if marketing else name}"
    return f"{maker} GPU ({card.vendor:04x}:{card.device:04x})"


def _look_up(path: Path, card: PciCard) -> str | None:
    """Find a device below its vendor in ``pci.ids``."""
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            inside = False
            for line in lines:
                if inside and line.startswith(f"\t{card.device:04x}  "):
                    return line[7:].strip()
                if line[:1] not in ("\t", "#", "\n"):
                    if inside:
                        return None
                    inside = line.startswith(f"{card.vendor:04x}  ")
    except OSError:
        return None
    return None


def with_link(gpu: Gpu, folder: Path) -> Gpu:
    """Add PCIe generation and width, now and at most, from a card's PCI folder."""
    return replace(
        gpu,
        pcie_generation=_generation(read_text(folder / "current_link_speed")),
        pcie_width=_lanes(read_int(folder / "current_link_width")),
        pcie_generation_max=_generation(read_text(folder / "max_link_speed")),
        pcie_width_max=_lanes(read_int(folder / "max_link_width")),
    )


def unread_gpu(root: Path, card: PciCard, index: int) -> Gpu:
    """A card of which only the bus tells."""
    return Gpu(index=index, vendor=_VENDOR_WORD.get(card.vendor), name=card_name(root, card))


def _generation(speed: str | None) -> int | None:
    """PCIe generation from ``16.0 GT/s PCIe``."""
    rates = {"2.5": 1, "5.0": 2, "5": 2, "8.0": 3, "8": 3, "16.0": 4, "16": 4, "32.0": 5, "32": 5, "64.0": 6, "64": 6}
    return rates.get((speed or "").split(" ")[0])


def _lanes(width: int | None) -> int | None:
    """Lanes; the kernel writes 0 or 255 for a link it does not know."""
    return width if width in (1, 2, 4, 8, 12, 16, 32) else None
