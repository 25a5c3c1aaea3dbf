"""AMD and Intel cards on Windows, from the registry.

The driver writes the memory's size as 64 bits there; the better known ``AdapterRAM`` has 32 bits and
ends at 4 GB.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping

from app.core.types.machine import Gpu
from app.core.types.text import phrase
from app.probes.tree import Probed, explained

_CLASS = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
_VENDORS = {"1002": "AMD", "8086": "Intel"}
_VALUES = ("DriverDesc", "MatchingDeviceId", "HardwareInformation.qwMemorySize")


def read_windows_gpus(first_index: int = 0, ram_bytes: int | None = None) -> list[Probed[Gpu]]:
    """All AMD and Intel cards that Windows has a driver for."""
    return from_registry(_adapters(), first_index, ram_bytes)


def from_registry(
    adapters: Iterable[Mapping[str, object]], first_index: int = 0, ram_bytes: int | None = None
) -> list[Probed[Gpu]]:
    """Turn registry values into cards; NVIDIA's are left to NVML, and software adapters are left out."""
    found: list[Probed[Gpu]] = []
    for adapter in adapters:
        match = re.search(r"ven_([0-9a-f]{4})", str(adapter.get("MatchingDeviceId", "")), re.IGNORECASE)
        vendor = _VENDORS.get(match[1].lower()) if match else None
        if vendor is None:
            continue
        name = str(adapter.get("DriverDesc") or f"{vendor} GPU")
        size = adapter.get("HardwareInformation.qwMemorySize")
        own = size if isinstance(size, int) and size > 0 else None
        # Intel's own graphics carve out at most a little; an Arc card says "Arc" and has gigabytes.
        unified = vendor == "Intel" and (own is None or own <= 2 * 1024**3)
        gpu = Gpu(
            index=first_index + len(found),
            vendor=vendor,
            name=name,
            unified=unified,
            memory_total_bytes=ram_bytes if unified else own,
        )
        found.append(
            explained(
                gpu, {"compute_capability": phrase("only NVIDIA cards have one")}, phrase("Windows does not tell")
            )
        )
    return found


def _adapters() -> list[dict[str, object]]:
    """The display class of the registry."""
    if sys.platform != "win32":
        return []
    import winreg

    adapters: list[dict[str, object]] = []
    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _CLASS) as folder:
            for number in range(winreg.QueryInfoKey(folder)[0]):
                name = winreg.EnumKey(folder, number)
                if name.isdecimal():
                    adapters.append(_values(f"{_CLASS}\\{name}"))
    except OSError:
        return adapters  # a part of the registry that this user may not read
    return adapters


def _values(path: str) -> dict[str, object]:
    """The values of one adapter that exist."""
    if sys.platform != "win32":
        return {}
    import winreg

    values: dict[str, object] = {}
    with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path) as key:
        for value in _VALUES:
            try:
                values[value] = winreg.QueryValueEx(key, value)[0]
            except OSError:  # this adapter's driver did not write it
                continue
    return values
